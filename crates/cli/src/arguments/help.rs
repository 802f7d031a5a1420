//! Sets the texts of the help in the definition of the arguments. Called by the parser if the user requested help, or if
//! an argument is not valid.
//!
//! - The id of a text follows from the definition. `help-sync-ask` is the subcommand `ashore sync ask`, and its
//!   attributes are the arguments of the subcommand. `help-arguments` has the arguments that several subcommands share.
//! - Argument values, and the commands of examples, are the same in every language.
//! - No English text of clap remains: its headings, notes and flags also have texts in the catalogues.

use ashore_messages::{Catalogue, CatalogueValue};
use clap::{
    Arg, ArgAction, Command, Error,
    builder::{PossibleValue, Resettable, StyledStr},
    error::ErrorKind::{DisplayHelp, DisplayHelpOnMissingArgumentOrSubcommand, DisplayVersion},
};

use crate::arguments::help_lines;

/// Width in columns of the subcommand names, which stand before their texts.
const VERB_INDENT: usize = 17;
/// Indent in columns of a text that begins below the name of its argument.
const ARGUMENT_INDENT: usize = 10;
/// Languages without spaces between words.
const WITHOUT_SPACES: [&str; 2] = ["zh-CN", "ja"];

/// Source of the texts of the help.
#[derive(Clone, Copy)]
pub(super) struct HelpTexts<'a> {
    /// Function that returns the text with this id; `None` if the text is missing.
    find: &'a dyn Fn(&str, &[CatalogueValue<'_>]) -> Option<String>,
    /// Width of the help in columns. Set only if clap cannot break the lines of the language.
    columns: Option<usize>,
}

/// Returns whether the parser shows the help or the version instead of an error message.
pub fn is_requested(error: &Error) -> bool {
    matches!(error.kind(), DisplayHelp | DisplayHelpOnMissingArgumentOrSubcommand | DisplayVersion)
}

/// Returns the command with its help in the language of the user.
pub fn localized(command: Command) -> Command {
    in_language(command, ashore_messages::current().tag())
}

/// Returns the command with its help in the language `tag`.
pub fn in_language(command: Command, tag: &'static str) -> Command {
    let catalogue = Catalogue::help(tag);
    let columns = WITHOUT_SPACES.contains(&catalogue.tag()).then(help_lines::columns);
    with_texts(command, HelpTexts { find: &|id, values| catalogue.has(id).then(|| catalogue.text(id, values)), columns })
}

/// Returns the command with all its help texts.
pub(super) fn with_texts(command: Command, texts: HelpTexts<'_>) -> Command {
    let line = command.get_name().to_owned();
    let mut command = VerbHelp { texts, id: "help".to_owned(), line }.add_to(command, &[]);
    // Clap creates the subcommand `help` during `build`, so replace its texts afterwards.
    command.build();
    with_help_verb(command, "ashore", texts)
}

/// Replaces the subcommand `help` of the command and of each of its subcommands.
fn with_help_verb(command: Command, line: &str, texts: HelpTexts<'_>) -> Command {
    let verbs: Vec<String> = command.get_subcommands().map(|verb| verb.get_name().to_owned()).collect();
    verbs.into_iter().fold(command, |command, verb| {
        let line = format!("{line} {verb}");
        command.mut_subcommand(&verb, |subcommand| match verb.as_str() {
            "help" => {
                let names = Arg::new("subcommand").action(ArgAction::Append).num_args(..).value_name("COMMAND");
                let new = Command::new("help").bin_name(&line).disable_help_flag(true).disable_version_flag(true).arg(names);
                VerbHelp { texts, id: "help-help".to_owned(), line }.add_to(new, &[])
            }
            _ => with_help_verb(subcommand, &line, texts),
        })
    })
}

/// Subcommand, together with the source of its texts.
struct VerbHelp<'a> {
    texts: HelpTexts<'a>,
    /// Id of the text about the subcommand.
    id: String,
    /// Program and subcommand, as typed on the command line.
    line: String,
}

impl VerbHelp<'_> {
    fn text(&self, id: &str) -> Option<String> {
        (self.texts.find)(id, &[])
    }

    fn attribute(&self, name: &str) -> Option<String> {
        self.text(&format!("{}.{name}", self.id))
    }

    /// Breaks the lines of a text. The first `indent` columns are not available.
    fn fit(&self, text: String, indent: usize) -> String {
        let columns = self.texts.columns;
        columns.map(|columns| help_lines::broken(&text, columns.saturating_sub(indent))).unwrap_or(text)
    }

    fn heading(&self, name: &str) -> String {
        self.text(&format!("help-headings.{name}")).unwrap_or_default()
    }

    /// Sets the texts of this subcommand and of all subcommands below it. `globals` are the options that every
    /// subcommand accepts.
    fn add_to(&self, command: Command, globals: &[Arg]) -> Command {
        let globals = if globals.is_empty() {
            command.get_arguments().filter(|argument| argument.is_global_set()).cloned().collect()
        } else {
            globals.to_vec()
        };
        let mut command = with_flags(command);
        for option in &globals {
            if command.get_arguments().all(|argument| argument.get_id() != option.get_id()) {
                command = command.arg(option);
            }
        }
        let usage = self.usage(&command);
        let (about, long, after) = (self.text(&self.id), self.attribute("long"), self.attribute("after"));
        let aliases: Vec<&str> = command.get_all_aliases().collect();
        let note =
            (!aliases.is_empty()).then(|| (self.texts.find)("help-notes.aliases", &[("names", aliases.join(", ").into())]));
        let about = about
            .map(|text| self.fit([Some(text), note.flatten()].into_iter().flatten().collect::<Vec<_>>().join(" "), VERB_INDENT));
        let (long, after) = (long.map(|text| self.fit(text, 0)), after.map(|text| self.fit(text, 0)));
        let is_long = long.is_some() || after.is_some() || command.get_arguments().any(|argument| self.has_value_texts(argument));
        // Set the display order, because clap otherwise sorts positional arguments under a heading by name.
        let in_order = |(place, argument): (usize, &Arg)| match argument.is_positional() {
            true => self.argument(argument, is_long).display_order(place),
            false => self.argument(argument, is_long),
        };
        let mut arguments: Vec<Arg> = command.get_arguments().enumerate().map(in_order).collect();
        // Sort the arguments by heading, because clap prints headings in the order in which they first occur.
        let (first, second) = (self.heading("arguments"), self.heading("options"));
        arguments.sort_by_key(|argument| match argument.get_help_heading() {
            Some(heading) if heading == first => 0,
            Some(heading) if heading == second => 1,
            _ => 2,
        });
        let mut sorted = arguments.into_iter();
        let style = *command.get_styles().get_usage();
        let template = format!(
            "{{before-help}}{{about-with-newline}}\n{style}{}{style:#} {{usage}}\n\n{{all-args}}{{after-help}}",
            self.heading("usage")
        );
        let command = command
            .mut_args(|argument| sorted.next().unwrap_or(argument))
            .about(about.unwrap_or_default())
            .long_about(resettable(long))
            .after_long_help(resettable(after))
            .override_usage(usage)
            .help_template(template)
            .subcommand_help_heading(name(self.heading("commands")))
            .subcommand_value_name(name(self.value_names("COMMAND")));
        command.mut_subcommands(|verb| {
            let (id, line) = (format!("{}-{}", self.id, verb.get_name()), format!("{} {}", self.line, verb.get_name()));
            VerbHelp { texts: self.texts, id, line }.add_to(verb, &globals)
        })
    }

    /// Returns the usage line of clap, with translated argument names.
    fn usage(&self, command: &Command) -> String {
        let usage = command.clone().bin_name(&self.line).render_usage().ansi().to_string();
        let (_heading, usage) = usage.split_once(' ').unwrap_or_default();
        self.value_names(usage)
    }

    /// Replaces each word in capital letters that names a value.
    fn value_names(&self, text: &str) -> String {
        let mut replaced = String::new();
        for part in text.split_inclusive(|letter: char| !letter.is_ascii_uppercase()) {
            let word = part.trim_end_matches(|letter: char| !letter.is_ascii_uppercase());
            let id = format!("help-value-names.{}", word.to_lowercase());
            let known = if word.is_empty() { None } else { self.text(&id) };
            replaced.push_str(known.as_deref().unwrap_or(word));
            replaced.push_str(&part[word.len()..]);
        }
        replaced
    }

    fn has_value_texts(&self, argument: &Arg) -> bool {
        argument.get_possible_values().iter().any(|value| self.value_text(argument, value).is_some())
    }

    fn value_text(&self, argument: &Arg, value: &PossibleValue) -> Option<String> {
        self.attribute(&format!("{}-{}", argument.get_id(), value.get_name()))
    }

    /// Returns the argument with its texts. `is_long` is true if the subcommand has long help, with notes below each
    /// text.
    fn argument(&self, argument: &Arg, is_long: bool) -> Arg {
        let id = argument.get_id().as_str();
        let common = |id: &str| self.text(&format!("help-arguments.{id}"));
        let (short, long) = match id {
            "help" if is_long => (common("help-short"), common("help-long")),
            _ => {
                let text = self.attribute(id).or_else(|| common(id));
                (text.clone(), text)
            }
        };
        let (mut short, mut long) = (short.unwrap_or_default(), long.unwrap_or_default());
        let mut notes = self.notes(argument);
        let long_notes = notes.clone();
        let values = argument.get_possible_values();
        if argument.get_action().takes_values() && !values.is_empty() {
            let names: Vec<&str> = values.iter().map(PossibleValue::get_name).collect();
            notes.extend((self.texts.find)("help-notes.values", &[("values", names.join(", ").into())]));
            long = format!("{long}\n\n{}", self.value_list(argument, &values));
        }
        if !notes.is_empty() {
            short = format!("{short} {}", notes.join(" "));
        }
        if !long_notes.is_empty() {
            long = format!("{long}\n\n{}", long_notes.join("\n"));
        }
        let heading = match argument.get_help_heading() {
            Some(heading) => self.heading(heading),
            None if argument.is_positional() => self.heading("arguments"),
            None => self.heading("options"),
        };
        let (short, long) = (self.fit(short, ARGUMENT_INDENT), self.fit(long, ARGUMENT_INDENT));
        let argument = argument.clone().next_line_help(self.texts.columns.is_some());
        let told = argument.clone().help(short).long_help(resettable(is_long.then_some(long))).help_heading(name(heading));
        if !told.get_action().takes_values() {
            return told;
        }
        let names = argument.get_value_names().unwrap_or_default();
        let names: Vec<&'static str> = names.iter().map(|text| name(self.value_names(text))).collect();
        told.value_names(names).hide_env(true).hide_default_value(true).hide_possible_values(true)
    }

    /// Returns the notes about the environment variable and the default of an argument.
    fn notes(&self, argument: &Arg) -> Vec<String> {
        let variable = argument.get_env().map(|variable| variable.to_string_lossy());
        let defaults: Vec<_> = argument.get_default_values().iter().map(|value| value.to_string_lossy()).collect();
        let variable = variable.and_then(|variable| (self.texts.find)("help-notes.env", &[("name", variable.into())]));
        let default = if defaults.is_empty() {
            None
        } else {
            (self.texts.find)("help-notes.default", &[("value", defaults.join(" ").into())])
        };
        variable.into_iter().chain(default).collect()
    }

    fn value_list(&self, argument: &Arg, values: &[PossibleValue]) -> String {
        let longest = values.iter().map(|value| value.get_name().len()).max().unwrap_or_default() + 1;
        let lines = values.iter().map(|value| {
            let text = self.value_text(argument, value).unwrap_or_default();
            format!("\n- {:longest$} {text}", format!("{}:", value.get_name()))
        });
        self.text("help-notes.value-list").into_iter().chain(lines).collect()
    }
}

/// Adds the flags `--help` and `--version`, which replace those of clap with English texts.
fn with_flags(command: Command) -> Command {
    let (has_help, has_version) = (!command.is_disable_help_flag_set(), !command.is_disable_version_flag_set());
    // Clap prints both flags after all other options.
    let flag = |id, short, action| Arg::new(id).short(short).long(id).action(action).help_heading(None).display_order(999);
    let mut command = command.disable_help_flag(true).disable_version_flag(true);
    if has_help {
        command = command.arg(flag("help", 'h', ArgAction::Help));
    }
    if has_version {
        command = command.arg(flag("version", 'V', ArgAction::Version));
    }
    command
}

/// Converts a text to the type of clap. `None` removes the text of clap.
fn resettable(text: Option<String>) -> Resettable<StyledStr> {
    text.map(StyledStr::from).into()
}

/// Converts a text to a static name, as clap requires. The memory is leaked, because the process ends after the help.
fn name(text: String) -> &'static str {
    text.leak()
}

#[cfg(test)]
mod tests {
    use std::{cell::RefCell, collections::BTreeSet};

    use ashore_messages::LANGUAGE_TAGS;
    use clap::CommandFactory as _;
    use unicode_width::UnicodeWidthStr as _;

    use super::*;
    use crate::arguments::CliArguments;

    const ENGLISH: &str = include_str!("../../../../locales/en/help.ftl");

    /// Returns the ids of all texts in the English file.
    fn defined() -> BTreeSet<String> {
        let mut message = "";
        let mut ids = BTreeSet::new();
        for line in ENGLISH.lines() {
            let Some((id, text)) = line.split_once(" =") else { continue };
            match id.strip_prefix("    .") {
                Some(attribute) if !attribute.contains(' ') => _ = ids.insert(format!("{message}.{attribute}")),
                None if id.starts_with("help") => {
                    message = id;
                    // A message that has only attributes has no text of its own.
                    if !text.is_empty() {
                        ids.insert(id.to_owned());
                    }
                }
                _ => {}
            }
        }
        ids
    }

    /// Returns the command with the texts of a language, and the ids of these texts.
    fn localized_command(tag: &'static str) -> (Command, BTreeSet<String>) {
        let catalogue = Catalogue::help(tag);
        let used = RefCell::new(BTreeSet::new());
        let find = |id: &str, values: &[CatalogueValue<'_>]| {
            let is_known = catalogue.is_translated(id);
            if is_known {
                used.borrow_mut().insert(id.to_owned());
            }
            is_known.then(|| catalogue.text(id, values))
        };
        let command = with_texts(CliArguments::command(), HelpTexts { find: &find, columns: None });
        (command, used.into_inner())
    }

    fn assert_complete(command: &Command, tag: &str) {
        let name = command.get_bin_name().unwrap_or(command.get_name());
        assert!(command.get_about().is_some_and(|text| !text.to_string().is_empty()), "{tag}: {name}");
        for argument in command.get_arguments() {
            let has_text = argument.get_help().is_some_and(|text| !text.to_string().is_empty());
            assert!(has_text && argument.get_help_heading().is_some(), "{tag}: {name} {}", argument.get_id());
        }
        command.get_subcommands().for_each(|verb| assert_complete(verb, tag));
    }

    #[test]
    fn every_subcommand_and_argument_has_text_in_every_language() {
        for tag in LANGUAGE_TAGS {
            let (command, used) = localized_command(tag);
            assert_complete(&command, tag);
            assert_eq!(used, defined(), "{tag}");
        }
    }

    /// Returns the commands in the indented lines, without their explanations.
    fn commands(catalogue: &Catalogue, id: &str) -> Vec<String> {
        let text = catalogue.text(id, &[]);
        let lines = text.lines().filter_map(|line| line.strip_prefix("  "));
        lines.map(|line| line.split("  ").next().unwrap_or_default().to_owned()).collect()
    }

    #[test]
    fn examples_have_same_commands_in_every_language() {
        let english = Catalogue::help("en");
        for id in defined().iter().filter(|id| id.ends_with(".after")) {
            let expected = commands(&english, id);
            assert!(expected.len() > 4, "{id}: {expected:?}");
            for tag in LANGUAGE_TAGS {
                assert_eq!(commands(&Catalogue::help(tag), id), expected, "{id} in {tag}");
            }
        }
    }

    fn help(tag: &'static str, columns: Option<usize>, line: &str) -> String {
        let texts = Catalogue::help(tag);
        let find = |id: &str, values: &[CatalogueValue<'_>]| texts.has(id).then(|| texts.text(id, values));
        let mut command = with_texts(CliArguments::command().term_width(60), HelpTexts { find: &find, columns });
        let error = command.try_get_matches_from_mut(line.split(' ')).unwrap_err();
        assert!(is_requested(&error));
        error.render().to_string()
    }

    #[test]
    fn help_in_german_keeps_names_of_options_and_explains_them_in_german() {
        let help = help("de", None, "ashore sync ask --help");
        for part in
            ["Aufruf: ashore sync ask [OPTIONEN] <ID> <ÄNDERUNG>", "- move-here:  Stattdessen", "--data-dir <ORDNER>", "Überall:"]
        {
            assert!(help.contains(part), "{part}: {help}");
        }
        assert!(!help.contains("Options:") && !help.contains("Possible values:"), "{help}");
    }

    #[test]
    fn help_in_languages_without_spaces_fits_terminal() {
        for tag in WITHOUT_SPACES {
            for line in ["ashore add --help", "ashore add -h", "ashore sync -h"] {
                let help = help(tag, Some(60), line);
                let too_long = |line: &&str| line.width() > 60 && !line.contains(" ashore");
                assert_eq!(help.lines().find(too_long), None, "{tag}: {line}");
            }
        }
    }
}
