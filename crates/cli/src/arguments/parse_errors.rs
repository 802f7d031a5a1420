//! Error messages about arguments that clap refuses, in the language of the user. Called before the program exits.
//!
//! Clap's own messages are only in English. Therefore this module composes messages from the kind of the error and the
//! names of arguments, which clap also reports.

use std::{error::Error as _, ffi::OsString};

use ashore_engine::UserMessage;
use ashore_messages::{Catalogue, message};
use ashore_terminal::TerminalOutput;
use clap::{
    Command, Error,
    error::{
        ContextKind,
        ContextKind::{
            InvalidArg, InvalidSubcommand, InvalidValue, PriorArg, SuggestedArg, SuggestedSubcommand, Usage, ValidSubcommand,
            ValidValue,
        },
        ContextValue, ErrorKind,
    },
};

use crate::output::{problem::CliProblem, words::words};

/// Exit code for arguments that are not valid; the same as that of [`CliProblem::Usage`].
pub const EXIT_CODE: u8 = 2;

/// Prints the error message, the usage of the subcommand if clap reports it, and the command that shows the help.
///
/// With `--json`, also prints the error message as JSON.
pub fn print(error: &Error, command: Command, arguments: &[OsString], out: TerminalOutput) {
    CliProblem::Usage(about(error)).print(out);
    if let Some(usage) = usage(error) {
        let heading = Catalogue::help(ashore_messages::current().tag()).text("help-headings.usage", &[]);
        out.complain(format_args!("{heading} {usage}"));
    }
    out.complain(words!("cli-explains", command = format!("{} --help", subcommand(&command, arguments))));
}

/// Returns the message about the error.
fn about(error: &Error) -> UserMessage {
    let name = || text(error, InvalidArg);
    let value = text(error, InvalidValue);
    match error.kind() {
        ErrorKind::InvalidSubcommand => {
            let name = text(error, InvalidSubcommand);
            match suggested(error, SuggestedSubcommand) {
                meant if meant.is_empty() => message!("arguments.command", name = name),
                meant => message!("arguments.command-meant", name = name, meant = meant),
            }
        }
        ErrorKind::UnknownArgument if !name().starts_with('-') => message!("arguments.surplus", value = name()),
        ErrorKind::UnknownArgument => match suggested(error, SuggestedArg) {
            meant if meant.is_empty() => message!("arguments.option", name = name()),
            meant => message!("arguments.option-meant", name = name(), meant = meant),
        },
        ErrorKind::MissingRequiredArgument => message!("arguments.missing", names = name()),
        ErrorKind::MissingSubcommand => message!("arguments.missing-command", names = text(error, ValidSubcommand)),
        ErrorKind::InvalidValue | ErrorKind::NoEquals if value.is_empty() => message!("arguments.no-value", name = name()),
        ErrorKind::TooFewValues | ErrorKind::WrongNumberOfValues => message!("arguments.no-value", name = name()),
        ErrorKind::InvalidValue => {
            message!("arguments.choice", value = value, name = name(), values = text(error, ValidValue))
        }
        ErrorKind::ValueValidation => match error.source().and_then(|source| source.downcast_ref::<UserMessage>()) {
            Some(why) => message!("arguments.value-why", name = name(), why = why.clone()),
            None => message!("arguments.value", value = value, name = name()),
        },
        ErrorKind::TooManyValues => message!("arguments.value", value = value, name = name()),
        ErrorKind::ArgumentConflict => match text(error, PriorArg) {
            other if other == name() => message!("arguments.twice", name = other),
            other => message!("arguments.conflict", name = name(), other = other),
        },
        ErrorKind::InvalidUtf8 => message!("arguments.encoding"),
        _ => message!("arguments"),
    }
}

/// Returns the context of the error as text; empty if the error has no such context.
fn text(error: &Error, kind: ContextKind) -> String {
    match error.get(kind) {
        Some(ContextValue::StyledStr(text)) => text.to_string(),
        Some(value) => value.to_string(),
        None => String::new(),
    }
}

/// Returns the name that is most similar to the wrong one; empty if none is similar.
fn suggested(error: &Error, kind: ContextKind) -> String {
    match error.get(kind) {
        // Clap sorts the names by their similarity, the most similar one last.
        Some(ContextValue::Strings(names)) => names.last().cloned().unwrap_or_default(),
        _ => text(error, kind),
    }
}

/// Returns the usage of the subcommand without the English heading.
fn usage(error: &Error) -> Option<String> {
    let usage = text(error, Usage);
    let (_heading, usage) = usage.trim().split_once(' ')?;
    Some(usage.trim().to_owned())
}

/// Returns the names of the program and of the subcommands in `arguments`.
fn subcommand(program: &Command, arguments: &[OsString]) -> String {
    let (mut line, mut current) = (program.get_name().to_owned(), program);
    for argument in arguments.iter().skip(1) {
        if let Some(found) = current.find_subcommand(argument) {
            line = format!("{line} {}", found.get_name());
            current = found;
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;
    use crate::arguments::CliArguments;

    fn error(line: &str) -> Error {
        CliArguments::from(line.split(' ').map(OsString::from)).unwrap_err()
    }

    #[test]
    fn refused_argument_is_named_with_reason() {
        for (line, sentence) in [
            ("ashore lst", "There is no command \"lst\". Did you mean list?"),
            ("ashore xyzzy", "There is no command \"xyzzy\"."),
            ("ashore sync statuss", "There is no command \"statuss\". Did you mean status?"),
            ("ashore list --activ", "This command has no option --activ. Did you mean --active?"),
            ("ashore list --zzz", "This command has no option --zzz."),
            ("ashore show a b", "This command does not accept the argument \"b\"."),
            ("ashore show", "An argument is missing: <ID>."),
            ("ashore list --limit", "--limit <N> needs a value."),
            ("ashore list --limit many", "\"many\" is not a valid value of --limit <N>."),
            ("ashore limit fast", "[SPEED]: \"fast\" is not a number of bytes. Write it as \"512K\", \"5 MB\" or \"1.5G\"."),
            ("ashore add URL --at-once 65", "--at-once <N>: The value must be a whole number from 1 to 64."),
            ("ashore add URL -e nowhere", "--referrer <URL>: The address of a page begins with http:// or https://."),
            ("ashore get URL --paused=maybe", "\"maybe\" is not a valid value of --paused."),
            ("ashore list --active --settled", "--active and --settled cannot be used together."),
            ("ashore list --limit 1 --limit 2", "--limit <N> can be given only once."),
            (
                "ashore sync ask 1 fly",
                "\"fly\" is not a valid value of <CHANGE>. Choose one of pause, resume, remove, move-here, fetch-here.",
            ),
        ] {
            assert_eq!(about(&error(line)).text, sentence, "{line}");
        }
    }

    #[test]
    fn usage_and_help_are_those_of_subcommand() {
        assert_eq!(usage(&error("ashore sync ask")).unwrap(), "ashore sync ask [OPTIONS] <ID> <CHANGE>");
        let subcommand = |line: &str| {
            let arguments: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            subcommand(&CliArguments::command(), &arguments)
        };
        assert_eq!(subcommand("ashore --data-dir /d limit fast"), "ashore limit");
        assert_eq!(subcommand("ashore sync ask list"), "ashore sync ask");
        assert_eq!(subcommand("ashore --nope"), "ashore");
    }
}
