//! Formats texts that only this process shows, in its language. The arguments have the same type as those of messages.

use crate::{catalogue::english, language::current, message::MessageArgument};

/// Formats a text in the language of this process.
///
/// Takes the id of a message, or `message.attribute`, and the values of its placeholders, as in
/// `text!("note-sent", amount = MessageArgument::size(bytes))`.
#[macro_export]
macro_rules! text {
    ($id:expr $(, $name:ident = $value:expr)* $(,)?) => {
        $crate::localized_text($id, [$((stringify!($name), $crate::MessageArgument::from($value))),*])
    };
}

/// Returns the text `id` in the language of this process; called by [`text!`](crate::text!).
///
/// Debug builds panic if the English catalogue lacks the text, or if its placeholders differ from `args`, as for
/// `message!`.
pub fn localized_text<const N: usize>(id: &str, args: [(&str, MessageArgument); N]) -> String {
    if cfg!(debug_assertions) {
        let mut given: Vec<&str> = args.iter().map(|(name, _)| *name).collect();
        given.sort_unstable();
        let gaps = english().gaps(id);
        let wanted = gaps.as_ref().map(|gaps| gaps.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(wanted, Some(given), "the gaps of {id} in the English catalogue");
    }
    let current = current();
    current.say_with(id, args.iter().map(|(name, value)| (*name, value.render(&current))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message;

    #[test]
    fn arguments_are_formatted_alike_by_text_macro_and_message_macro() {
        let size = MessageArgument::size(1_500_000);
        assert_eq!(crate::text!("note-sent", amount = size), "1.5 MB sent");
        let why = message!("io.permission");
        assert_eq!(crate::text!("note-files-failed", count = 2_u64, why = why), "2 files failed: permission is denied");
    }

    #[test]
    #[should_panic(expected = "the gaps of note-sent")]
    fn debug_build_panics_if_text_arguments_differ_from_placeholders() {
        let _ = crate::text!("note-sent");
    }
}
