//! What Ashore and its window say to each other. The window is a program of its own, so that nothing of it is left where it is
//! closed; Ashore starts it, and each writes a line of JSON at a time into the other's pipe. Whoever finds the pipe closed is
//! alone: the window ends, and Ashore goes on without it.

use std::path::PathBuf;

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Value, value::RawValue};

/// What a question got: what it asks for, or a [`Value`] that says why not.
pub type PipeReply = Result<Box<RawValue>, Box<RawValue>>;

/// From Ashore to its window.
#[derive(Debug, Serialize, Deserialize)]
pub enum WindowCommand {
    /// Be there: where it was before, in front or minimised. Comes once, and first.
    Open {
        /// Where it was; none where nobody knows.
        place: Option<WindowPlace>,
        /// It filled the screen, and has that place otherwise.
        is_maximised: bool,
        /// Otherwise minimised.
        in_front: bool,
    },
    /// Come forward.
    Show,
    /// Get out of the way.
    Minimise,
    /// Let the page finish what it has begun, say where the window was, and end.
    Leave,
    /// The page is to hear this.
    Tell {
        /// The event that it listens for.
        event: String,
        /// What comes with it.
        payload: Box<RawValue>,
    },
    /// What the window's question of this number got.
    Answer {
        /// The number.
        id: u64,
        /// What it got.
        answer: PipeReply,
    },
    /// Something that only a window can find out.
    Ask {
        /// The number that the answer has.
        id: u64,
        /// What.
        question: PipeQuestion,
    },
}

/// Something that only a window can find out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PipeQuestion {
    /// What text the clipboard holds: a string, or null.
    Clipboard,
    /// Which folder a person chooses: a path, or null.
    Folder {
        /// What the dialog is called.
        title: String,
        /// Where it begins; none for where the desktop would.
        from: Option<PathBuf>,
    },
    /// Which file a person chooses: a path, or null.
    File {
        /// What the dialog is called.
        title: String,
    },
    /// Where a person wants a file, having been asked before one that is there is named: a path, or null.
    NewFile {
        /// What the dialog is called.
        title: String,
        /// What the file may be called.
        name: String,
    },
    /// Whether a person wants to go on: a boolean.
    Confirm {
        /// What the dialog is called.
        title: String,
        /// What it says.
        body: String,
        /// On the button to go on.
        yes: String,
        /// On the other one.
        no: String,
    },
}

/// From the window to Ashore.
#[derive(Debug, Serialize, Deserialize)]
pub enum WindowMessage {
    /// Which version of Ashore it belongs to. Comes first. Every version says and understands this, and [`Order::Leave`].
    Version(String),
    /// The window got the focus, or has lost it.
    Focused(bool),
    /// A person wants to close it.
    CloseWanted,
    /// Where it was, said before it ends.
    Place {
        /// None where it filled the screen: what it would be otherwise, only who knew it before can say.
        place: Option<WindowPlace>,
        /// It filled the screen.
        is_maximised: bool,
    },
    /// The page asks for something.
    Ask {
        /// The number that the answer has.
        id: u64,
        /// What.
        request: PipeRequest,
    },
    /// What the question of this number got.
    Answer {
        /// The number.
        id: u64,
        /// What it got.
        answer: Value,
    },
}

/// What the page may ask Ashore for. Its parts are understood by who answers, who has a sentence for what makes no sense.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PipeRequest {
    /// A verb of the engine.
    Call(Value),
    /// To open a finished file.
    OpenFile {
        /// Of which registration.
        unique_id: Value,
        /// Which of its requests.
        index: Value,
    },
    /// To show a finished file in its folder, or that folder.
    ShowInFolder {
        /// Of which registration.
        unique_id: Value,
        /// Which of its requests; null for the folder alone.
        index: Value,
    },
    /// The addresses of finished files, in this order, without those that are not there any more.
    Addresses {
        /// Pairs of a registration and one of its requests.
        files: Value,
    },
    /// A folder that the person chooses.
    ChooseFolder,
    /// To set a setting to the file that the person chooses for it.
    ChooseFile {
        /// Which setting.
        key: Value,
    },
    /// To save the list where the person chooses.
    SaveList,
    /// To take in a list that the person chooses.
    TakeInList,
    /// What this desktop does not have at the moment.
    Lacking,
    /// What becomes of the machine when all is done, and when.
    Afterwards,
    /// That it becomes this, once.
    ChooseAfterwards {
        /// What.
        then: Value,
    },
    /// Links that were handed over before the page listened.
    TakeLinks,
    /// What a person wanted to see before the page listened.
    TakeLook,
    /// What somebody copied elsewhere before the page listened.
    TakeCopied,
    /// Why something that was asked for outside of the page was not done, from before it listened.
    TakeTroubles,
}

/// Where the window was, in physical pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WindowPlace {
    /// From the left.
    pub x: i32,
    /// From the top.
    pub y: i32,
    /// Inside.
    pub width: u32,
    /// Inside.
    pub height: u32,
}

/// A message as it goes through the pipe, with the end of its line.
///
/// # Errors
/// Where it cannot be written as JSON.
pub fn line(message: &impl Serialize) -> serde_json::Result<String> {
    serde_json::to_string(message).map(|line| line + "\n")
}

/// The message in a line.
///
/// # Errors
/// Where it is none.
pub fn message<T: DeserializeOwned>(line: &str) -> serde_json::Result<T> {
    serde_json::from_str(line)
}

/// Something as it goes along in a message.
///
/// # Errors
/// Where it cannot be written as JSON.
pub fn raw(value: &impl Serialize) -> serde_json::Result<Box<RawValue>> {
    serde_json::value::to_raw_value(value)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_said_is_one_line_and_comes_out_as_it_went_in() {
        let payload = raw(&json!({"text": "two\nlines", "nested": [1, null]})).unwrap();
        let said = line(&WindowCommand::Tell { event: "engine".to_owned(), payload }).unwrap();
        assert_eq!(said.matches('\n').count(), 1);
        match message(said.trim_end()).unwrap() {
            WindowCommand::Tell { event, payload } => {
                assert_eq!(event, "engine");
                assert_eq!(payload.get(), r#"{"nested":[1,null],"text":"two\nlines"}"#);
            }
            other => panic!("{other:?}"),
        }
        let refused: PipeReply = Err(raw(&json!({"code": "invalid"})).unwrap());
        match message(&line(&WindowCommand::Answer { id: 7, answer: refused }).unwrap()).unwrap() {
            WindowCommand::Answer { id: 7, answer: Err(why) } => assert_eq!(why.get(), r#"{"code":"invalid"}"#),
            other => panic!("{other:?}"),
        }
        let request = PipeRequest::OpenFile { unique_id: json!("x"), index: json!(0) };
        match message(&line(&WindowMessage::Ask { id: 1, request: request.clone() }).unwrap()).unwrap() {
            WindowMessage::Ask { id: 1, request: found } => assert_eq!(found, request),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn what_somebody_else_writes_into_the_pipe_is_no_message() {
        for line in ["", "null", "{}", "Gtk-WARNING **: cannot open display", r#"{"Tell":{}}"#] {
            assert!(message::<WindowMessage>(line).is_err(), "{line}");
            assert!(message::<WindowCommand>(line).is_err(), "{line}");
        }
    }
}
