//! A single user message as data, and the functions that create and render it.

use std::{collections::BTreeMap, error::Error, fmt, io, path::Path};

use fluent_bundle::FluentValue;
use serde::{Deserialize, Deserializer, Serialize};
use ts_rs::TS;

use crate::{
    catalogue::{Catalogue, english},
    language,
};

/// Message to the user: a failure, or the reason for waiting.
///
/// `code` and `variant` identify the sentence in the catalogues, as `message-CODE` and its attribute `.VARIANT`.
/// Programs decide by `code` only. `text` is the English sentence.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct UserMessage {
    /// Stable identifier for programs, such as `dns` or `changed-on-server`.
    ///
    /// Empty if an older program sent only a text.
    #[serde(default)]
    pub code: String,
    /// Variant, such as `gone`, for a code with several sentences.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub variant: Option<String>,
    /// Values of the placeholders in the sentence, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty", deserialize_with = "null_as_empty")]
    #[ts(as = "Option<BTreeMap<String, MessageArgument>>", optional)]
    pub args: BTreeMap<String, MessageArgument>,
    /// English sentence with advice, such as "File not found on the server. Try a new link."
    pub text: String,
}

/// Value of a placeholder in a sentence. The program that shows the sentence formats the value for its language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
#[serde(untagged)]
pub enum MessageArgument {
    /// Text that is the same in every language: a path, a link, the name of an option.
    Text(String),
    /// Number, which also selects the plural form.
    Number(#[ts(type = "number")] u64),
    /// Amount of data.
    Size {
        /// Bytes.
        #[ts(type = "number")]
        bytes: u64,
    },
    /// Day of the week with a time.
    Moment {
        /// Day, such as `monday`.
        day: String,
        /// Time, such as `08:00`.
        time: String,
    },
    /// Another message, such as a reason within a sentence.
    Message(Box<UserMessage>),
    /// Value of an unknown kind, sent by a newer program. A message with such a value is shown in English.
    #[ts(skip)]
    Unknown(serde_json::Value),
}

/// Linux error number of a device error.
const EIO: i32 = 5;

/// Variant that exists in no catalogue, so that the stored text of the message is shown.
const EARLIER: &str = "earlier";

/// Returns the variant of `code` that has this English sentence.
///
/// Returns `None` if the sentence belongs to the code itself, or if the code is unknown.
fn variant_with_text(code: &str, text: &str) -> Option<String> {
    let english = english();
    let id = format!("message-{code}");
    let has_text = |id: &str| english.gaps(id).is_some_and(|gaps| gaps.is_empty()) && english.text(id, &[]) == text;
    if has_text(&id) || !english.has(&id) {
        return None;
    }
    let variants = english.attributes(&id).into_iter();
    Some(variants.map(str::to_owned).find(|variant| has_text(&format!("{id}.{variant}"))).unwrap_or_else(|| EARLIER.to_owned()))
}

fn null_as_empty<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BTreeMap<String, MessageArgument>, D::Error> {
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}

/// All fields of a message except the code, as stored in a ledger.
#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
struct MessageDetail {
    #[serde(skip_serializing_if = "Option::is_none")]
    variant: Option<String>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    args: BTreeMap<String, MessageArgument>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
}

/// Creates a [`UserMessage`](crate::UserMessage) from `"code"` or `"code.variant"` and the values of its placeholders:
/// `message!("target.refused", path = path, why = why)`.
#[macro_export]
macro_rules! message {
    ($id:literal $(, $name:ident = $value:expr)* $(,)?) => {
        $crate::UserMessage::new($id, [$((stringify!($name), $crate::MessageArgument::from($value))),*])
    };
}

impl UserMessage {
    /// Creates the message `id`, which is `code` or `code.variant`.
    ///
    /// Debug builds panic if the English catalogue lacks the message, or if its placeholders differ from `args`, so
    /// that every test detects such a mistake.
    pub fn new<const N: usize>(id: &str, args: [(&str, MessageArgument); N]) -> Self {
        Self::assemble(id, args.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
    }

    /// Creates a message from its English text only. This text is shown in every language.
    pub fn from_text(text: &str) -> Self {
        Self { code: String::new(), variant: None, args: BTreeMap::new(), text: text.to_owned() }
    }

    /// Restores a message from a stored or received code and variant.
    ///
    /// The English text is rendered again. If the catalogue lacks the sentence, `text` is used. A message of an older
    /// version has only a text, so the variant with this text is looked up.
    pub fn restore(code: &str, variant: Option<String>, args: BTreeMap<String, MessageArgument>, text: Option<String>) -> Self {
        let mut message = Self { code: code.to_owned(), variant, args, text: text.unwrap_or_default() };
        if message.variant.is_none() && message.args.is_empty() && !message.text.is_empty() {
            message.variant = variant_with_text(code, &message.text);
        }
        message.text = message.render(english());
        message
    }

    /// Returns all fields except the code as JSON, the form stored in a ledger. [`Self::from_detail`] parses it.
    pub fn detail(&self) -> String {
        let text = (!self.fits(english())).then(|| self.text.clone());
        let detail = MessageDetail { variant: self.variant.clone(), args: self.args.clone(), text };
        serde_json::to_string(&detail).unwrap_or_default()
    }

    /// Restores a message from the result of [`Self::detail`]. If `detail` is not valid, only the code is restored.
    pub fn from_detail(code: &str, detail: &str) -> Self {
        let MessageDetail { variant, args, text } = serde_json::from_str(detail).unwrap_or_default();
        Self::restore(code, variant, args, text)
    }

    /// Restores a reason from its JSON, or from the plain text that an older version stored.
    pub fn from_json_or_text(stored: &str) -> Self {
        serde_json::from_str(stored).unwrap_or_else(|_| Self::from_text(stored))
    }

    /// Returns the message as JSON, for [`Self::from_json_or_text`].
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_else(|_| self.text.clone())
    }

    fn assemble(id: &str, args: BTreeMap<String, MessageArgument>) -> Self {
        let (code, variant) = id.split_once('.').map_or((id, None), |(code, variant)| (code, Some(variant.to_owned())));
        let message = Self::restore(code, variant, args, None);
        if cfg!(debug_assertions) {
            let gaps = english().gaps(&message.id());
            let given: Vec<String> = message.args.keys().cloned().collect();
            assert_eq!(gaps.as_ref(), Some(&given), "the gaps of {} in the English catalogue", message.id());
        }
        message
    }

    /// Returns the id of the sentence in the catalogues, such as `message-target.refused`.
    pub fn id(&self) -> String {
        match &self.variant {
            Some(variant) => format!("message-{}.{variant}", self.code),
            None => format!("message-{}", self.code),
        }
    }

    /// Returns the sentence in the language of `catalogue`.
    ///
    /// Returns the English text if the catalogue lacks the sentence or the message lacks an argument: another version
    /// of Ashore may have created the message.
    pub fn render(&self, catalogue: &Catalogue) -> String {
        let id = self.id();
        if !self.fits(catalogue) {
            return self.text.clone();
        }
        let values: Vec<_> = self.args.iter().map(|(name, value)| (name.as_str(), value.render(catalogue))).collect();
        catalogue.say_with(&id, values)
    }

    /// Returns whether the catalogue has the sentence and the message has values for all placeholders.
    fn fits(&self, catalogue: &Catalogue) -> bool {
        let is_known = |gap: &String| self.args.get(gap).is_some_and(|value| !matches!(value, MessageArgument::Unknown(_)));
        catalogue.gaps(&self.id()).is_some_and(|gaps| gaps.iter().all(is_known))
    }

    /// Returns the sentence in the language of this process.
    pub fn localized(&self) -> String {
        self.render(&language::current())
    }
}

impl fmt::Display for UserMessage {
    /// Writes the English sentence, which is the form used in logs.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Display for MessageArgument {
    /// Writes the value in its English form.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => f.write_str(text),
            Self::Number(number) => number.fmt(f),
            Self::Size { bytes } => f.write_str(&english().size(*bytes)),
            Self::Moment { day, time } => write!(f, "{day} {time}"),
            Self::Message(message) => message.fmt(f),
            Self::Unknown(value) => value.fmt(f),
        }
    }
}

impl Error for UserMessage {}

impl MessageArgument {
    pub(crate) fn render(&self, catalogue: &Catalogue) -> FluentValue<'static> {
        match self {
            Self::Text(text) => text.clone().into(),
            Self::Number(number) => (*number).into(),
            Self::Size { bytes } => catalogue.size(*bytes).into(),
            Self::Moment { day, time } => {
                let id = format!("day-{day}");
                let day = if catalogue.has(&id) { catalogue.text(&id, &[]) } else { day.clone() };
                format!("{day} {time}").into()
            }
            Self::Message(message) => message.render(catalogue).into(),
            Self::Unknown(value) => value.to_string().into(),
        }
    }

    /// Returns an argument for a number of bytes, shown as `8.1 MB`.
    pub fn size(bytes: u64) -> Self {
        Self::Size { bytes }
    }

    /// Returns an argument for the number of bytes that an operation needs.
    ///
    /// The amount is rounded up to the displayed precision, so that the displayed amount is sufficient.
    pub fn size_rounded_up(bytes: u64) -> Self {
        let unit = (0..6).map(|power| 1000_u64.pow(power)).rfind(|unit| bytes >= *unit).unwrap_or(1);
        let step = if bytes / unit >= 100 { unit } else { (unit / 10).max(1) };
        Self::Size { bytes: bytes.div_ceil(step).saturating_mul(step) }
    }

    /// Returns an argument for a time of the week: `day` from `monday` to `sunday`, `time` as `08:00`.
    pub fn moment(day: impl Into<String>, time: impl Into<String>) -> Self {
        Self::Moment { day: day.into(), time: time.into() }
    }

    /// Returns an argument with the `Display` text of a value. The text is the same in every language.
    pub fn display(value: impl fmt::Display) -> Self {
        Self::Text(value.to_string())
    }
}

impl From<&str> for MessageArgument {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for MessageArgument {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&String> for MessageArgument {
    fn from(text: &String) -> Self {
        Self::Text(text.clone())
    }
}

impl From<&Path> for MessageArgument {
    fn from(path: &Path) -> Self {
        Self::Text(path.display().to_string())
    }
}

impl From<&std::path::PathBuf> for MessageArgument {
    fn from(path: &std::path::PathBuf) -> Self {
        Self::from(path.as_path())
    }
}

impl From<u64> for MessageArgument {
    fn from(number: u64) -> Self {
        Self::Number(number)
    }
}

impl From<u32> for MessageArgument {
    fn from(number: u32) -> Self {
        Self::Number(number.into())
    }
}

impl From<usize> for MessageArgument {
    fn from(number: usize) -> Self {
        Self::Number(u64::try_from(number).unwrap_or(u64::MAX))
    }
}

impl From<u16> for MessageArgument {
    /// Converts a port or a status code to text, because no language groups their digits.
    fn from(number: u16) -> Self {
        Self::Text(number.to_string())
    }
}

impl From<&MessageArgument> for MessageArgument {
    fn from(argument: &Self) -> Self {
        argument.clone()
    }
}

impl From<UserMessage> for MessageArgument {
    fn from(message: UserMessage) -> Self {
        Self::Message(Box::new(message))
    }
}

impl From<MessageArgument> for UserMessage {
    /// Returns the message in the argument. An argument of another kind, such as the text of a system error, becomes a
    /// message that has only a text.
    fn from(argument: MessageArgument) -> Self {
        match argument {
            MessageArgument::Message(message) => *message,
            other => Self::from_text(&other.to_string()),
        }
    }
}

impl From<&io::Error> for UserMessage {
    fn from(error: &io::Error) -> Self {
        MessageArgument::from(error).into()
    }
}

impl From<&io::Error> for MessageArgument {
    /// Converts a system error to a clause without a full stop. Common errors are translated.
    ///
    /// An error that contains a [`UserMessage`] is converted to that message.
    fn from(error: &io::Error) -> Self {
        use io::ErrorKind as Kind;
        if let Some(message) = error.get_ref().and_then(|inner| inner.downcast_ref::<UserMessage>()) {
            return message.clone().into();
        }
        let message = match error.kind() {
            Kind::NotFound => message!("io.not-found"),
            Kind::PermissionDenied => message!("io.permission"),
            Kind::AlreadyExists => message!("io.exists"),
            Kind::StorageFull => message!("io.full"),
            Kind::ReadOnlyFilesystem => message!("io.read-only"),
            Kind::NotADirectory => message!("io.no-folder"),
            Kind::IsADirectory => message!("io.folder"),
            Kind::TimedOut => message!("io.timeout"),
            Kind::ConnectionRefused => message!("io.refused"),
            Kind::BrokenPipe | Kind::ConnectionReset | Kind::ConnectionAborted | Kind::UnexpectedEof => message!("io.closed"),
            Kind::AddrInUse => message!("io.port-used"),
            Kind::WouldBlock | Kind::ResourceBusy => message!("io.busy"),
            Kind::QuotaExceeded => message!("io.quota"),
            Kind::FileTooLarge => message!("io.large"),
            _ if error.raw_os_error() == Some(EIO) => message!("io.device"),
            _ => return Self::Text(error.to_string()),
        };
        message.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn message_is_rendered_in_each_language_with_its_arguments() {
        let message = message!("target.refused", path = "/a b", why = &io::Error::from(io::ErrorKind::PermissionDenied));
        assert_eq!(message.text, "The folder /a b cannot be used: permission is denied. Choose another folder.");
        let german = message.render(&Catalogue::new("de"));
        assert!(german.contains("/a b") && german != message.text && !german.contains("permission"), "{german}");
    }

    #[test]
    fn message_with_unknown_code_is_shown_in_english() {
        let mut message = message!("dns");
        message.code = "not-known-here".to_owned();
        assert_eq!(message.render(&Catalogue::new("de")), message.text);
    }

    #[test]
    fn variant_of_a_message_stored_without_variant_is_recognised_by_its_text() {
        let gone = message!("bad-status.gone");
        let old = serde_json::json!({ "text": gone.text }).to_string();
        assert_eq!(UserMessage::from_detail("bad-status", &old), gone);
        let other = UserMessage::from_detail("bad-status", "{\"text\":\"Another sentence.\"}");
        assert_eq!((other.render(&Catalogue::new("de")), other.detail().contains("Another")), (other.text.clone(), true));
        assert_eq!(UserMessage::from_detail("dns", "{}"), message!("dns"));
    }

    #[test]
    fn message_with_unknown_argument_kind_is_shown_in_english() {
        let sent = "{\"code\":\"held\",\"args\":{\"path\":\"/a\",\"holder\":{\"seconds\":5}},\"text\":\"In English.\"}";
        let message: UserMessage = serde_json::from_str(sent).unwrap();
        assert_eq!(message.render(&Catalogue::new("de")), "In English.");
        let bare: UserMessage = serde_json::from_str("{\"args\":null,\"text\":\"Only text.\"}").unwrap();
        assert_eq!((bare.code.as_str(), bare.args.len()), ("", 0));
    }

    #[test]
    fn reason_is_restored_from_json_and_from_older_text() {
        let reason = message!("io.permission");
        assert_eq!(UserMessage::from_json_or_text(&reason.to_json()), reason);
        assert_eq!(UserMessage::from_json_or_text("its disk is away"), UserMessage::from_text("its disk is away"));
        assert_eq!(UserMessage::from(&io::Error::from(io::ErrorKind::PermissionDenied)), reason);
    }

    #[test]
    fn user_message_inside_io_error_is_kept() {
        let error = io::Error::new(io::ErrorKind::TimedOut, message!("io.refused"));
        assert_eq!(error.to_string(), "the connection was refused");
        assert_eq!(MessageArgument::from(&error), message!("io.refused").into());
    }

    #[test]
    fn sizes_and_days_are_formatted_for_each_language() {
        let message = message!("hours", until = MessageArgument::moment("monday", "08:00"));
        assert!(message.text.contains("until Monday 08:00"), "{message}");
        assert!(message.render(&Catalogue::new("de")).contains("Montag 08:00"));
        let message = message!("disk.short", amount = MessageArgument::size(1_500_000), folder = "/d");
        assert!(message.text.contains("1.5 MB") && message.render(&Catalogue::new("de")).contains("1,5 MB"));
    }

    #[test]
    fn size_of_needed_space_is_rounded_up_for_display() {
        let shown = |bytes| MessageArgument::size_rounded_up(bytes).to_string();
        assert_eq!([40, 999, 1_000, 1_048_576, 99_949_000].map(shown), ["40 B", "999 B", "1 kB", "1.1 MB", "100 MB"]);
        assert_eq!([123_000_001, 5_000_000_000].map(shown), ["124 MB", "5 GB"]);
    }

    #[test]
    fn restored_message_without_arguments_keeps_its_text() {
        let old = UserMessage::restore("bad-manifest", None, BTreeMap::new(), Some("Some text.".to_owned()));
        assert_eq!((old.text.as_str(), UserMessage::from_detail("bad-manifest", &old.detail())), ("Some text.", old.clone()));
    }

    #[test]
    fn serialized_message_has_code_and_omits_empty_fields() {
        let json = |message: &UserMessage| serde_json::to_value(message).unwrap();
        let plain = json(&message!("aborted"));
        assert_eq!(plain.as_object().unwrap().keys().collect::<Vec<_>>(), ["code", "text"]);
        let message = message!("disk.short", amount = MessageArgument::size(7), folder = "/d");
        assert_eq!(json(&message)["args"]["amount"]["bytes"], 7);
        assert_eq!(serde_json::from_value::<UserMessage>(json(&message)).unwrap(), message);
    }

    #[test]
    #[should_panic(expected = "the gaps of message-target.refused")]
    fn debug_build_panics_if_message_arguments_differ_from_placeholders() {
        let _ = message!("target.refused", path = "/a");
    }
}
