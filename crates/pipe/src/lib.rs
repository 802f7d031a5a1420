//! Messages between Ashore and its window.
//!
//! The window is a separate process, so that closing the window frees all of its memory. Ashore starts the process.
//! Each side sends messages through a pipe, and each message is one line of JSON. When the pipe is closed, the window
//! ends, and Ashore continues without the window.

use std::path::PathBuf;

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Value, value::RawValue};

/// Answer to a question: the result, or a [`Value`] with the reason for the failure.
pub type PipeReply = Result<Box<RawValue>, Box<RawValue>>;

/// Message from Ashore to its window.
#[derive(Debug, Serialize, Deserialize)]
pub enum WindowCommand {
    /// Open the window at its last place, in front or minimised. Sent once, as the first message.
    Open {
        /// Last place; `None` if it is not known.
        place: Option<WindowPlace>,
        /// Whether the window is maximised. If so, `place` is the place to which the window returns when it is
        /// unmaximised.
        is_maximised: bool,
        /// Whether the window opens in front. Otherwise it opens minimised.
        in_front: bool,
    },
    /// Bring the window forward.
    Show,
    /// Minimise the window.
    Minimise,
    /// Exit, after the page has finished its work.
    ///
    /// Before it exits, the window sends its place to Ashore.
    Leave,
    /// Send an event to the page.
    Tell {
        /// Name of the event.
        event: String,
        /// Payload of the event.
        payload: Box<RawValue>,
    },
    /// Answer to a request of the window.
    Answer {
        /// Number of the request.
        id: u64,
        /// Answer.
        answer: PipeReply,
    },
    /// Question that only a window can answer.
    Ask {
        /// Number to use in the answer.
        id: u64,
        /// Question.
        question: PipeQuestion,
    },
}

/// Question that only a window can answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PipeQuestion {
    /// Text in the clipboard: a string, or null.
    Clipboard,
    /// Folder that the user chooses: a path, or null.
    Folder {
        /// Title of the dialog.
        title: String,
        /// Folder to start in; `None` for the desktop's default.
        from: Option<PathBuf>,
    },
    /// File that the user chooses: a path, or null.
    File {
        /// Title of the dialog.
        title: String,
    },
    /// File to save to: a path, or null. The dialog asks before an existing file is chosen.
    NewFile {
        /// Title of the dialog.
        title: String,
        /// Suggested file name.
        name: String,
    },
    /// Whether the user confirms: a boolean.
    Confirm {
        /// Title of the dialog.
        title: String,
        /// Text of the dialog.
        body: String,
        /// Label of the button that confirms.
        yes: String,
        /// Label of the button that cancels.
        no: String,
    },
}

/// Message from the window to Ashore.
#[derive(Debug, Serialize, Deserialize)]
pub enum WindowMessage {
    /// Version of Ashore that the window belongs to. Sent as the first message.
    ///
    /// Every version sends and understands this message and [`WindowCommand::Leave`].
    Version(String),
    /// Sent when the window gets or loses the focus; true if the window has the focus.
    Focused(bool),
    /// The user wants to close the window.
    CloseWanted,
    /// The user wants to quit Ashore.
    QuitWanted,
    /// Last place of the window, sent before the window ends.
    Place {
        /// `None` if the window is maximised. Ashore then keeps the last place of the unmaximised window.
        place: Option<WindowPlace>,
        /// Whether the window is maximised.
        is_maximised: bool,
    },
    /// Request of the page.
    Ask {
        /// Number to use in the answer.
        id: u64,
        /// Request.
        request: PipeRequest,
    },
    /// Answer to a question of Ashore.
    Answer {
        /// Number of the question.
        id: u64,
        /// Answer.
        answer: Value,
    },
}

/// Request of the page. The receiver parses the fields of the request. It answers an invalid field with an error
/// message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PipeRequest {
    /// Call a method of the engine.
    Call(Value),
    /// Open a finished file.
    OpenFile {
        /// Id of the registration.
        unique_id: Value,
        /// Index of the request.
        index: Value,
    },
    /// Open the page of a download in the browser. The download then waits for a click on that page.
    OpenPage {
        /// Id of the registration.
        unique_id: Value,
    },
    /// Show a finished file in its folder, or only that folder.
    ShowInFolder {
        /// Id of the registration.
        unique_id: Value,
        /// Index of the request; null for the folder alone.
        index: Value,
    },
    /// Return the addresses of these finished files, in the same order. Files that no longer exist are omitted.
    Addresses {
        /// Pairs of a registration's id and the index of a request.
        files: Value,
    },
    /// Ask the user for a folder.
    ChooseFolder,
    /// Ask the user for a file, and store it as the value of a setting.
    ChooseFile {
        /// Key of the setting.
        key: Value,
    },
    /// Export the list to a file that the user chooses.
    SaveList,
    /// Import a list that the user chooses.
    TakeInList,
    /// Return the state of the sync server that this program keeps running.
    OwnServer,
    /// Keep a sync server running on this machine. Return a link that creates a list on this server.
    KeepServer,
    /// Start the sync server of this machine again.
    StartServer,
    /// Stop the sync server of this machine, and do not start it again.
    StopServer,
    /// Return the browsers of the user, each with the result of a connection test.
    Browsers,
    /// Connect a browser with Ashore, or disconnect it. Return the browsers.
    ConnectBrowser {
        /// Name of the browser.
        name: Value,
        /// Whether the browser is connected afterwards.
        is_connected: Value,
    },
    /// Return the state of the channel of paired browsers.
    BrowserChannel,
    /// Show a code that pairs a browser.
    PairBrowser,
    /// Remove a paired browser. Return the state of the channel.
    UnpairBrowser {
        /// Name of the browser.
        name: Value,
    },
    /// Return the state of the server for other devices.
    RemoteAccess,
    /// Let other devices connect, or close the server for them. Return its state.
    AllowDevices {
        /// Whether other devices can connect afterwards.
        is_on: Value,
    },
    /// Return a link that signs one device in, with its QR code.
    LinkDevice,
    /// Sign a device or program out. Return the state of the server for other devices.
    SignOutDevice {
        /// Name of the device or program.
        name: Value,
    },
    /// Return the configurable features that this desktop lacks at the moment.
    Lacking,
    /// Return the power action that follows the last download, and the countdown of this action.
    Afterwards,
    /// Choose the power action that follows the last download. The choice applies once.
    ChooseAfterwards {
        /// Power action.
        then: Value,
    },
    /// Return the links that arrived before the page listened, and remove them from the queue.
    TakeLinks,
    /// Return the download that the user wanted to see, if the user asked before the page listened. Each such request
    /// is returned only once.
    TakeLook,
    /// Return and remove the text that was copied in another program before the page listened.
    TakeCopied,
    /// Return and remove the failures that occurred outside of the page before the page listened.
    TakeTroubles,
}

/// Place of the window, in physical pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WindowPlace {
    /// Distance from the left edge of the screens.
    pub x: i32,
    /// Distance from the top edge of the screens.
    pub y: i32,
    /// Inner width.
    pub width: u32,
    /// Inner height.
    pub height: u32,
}

/// Serialises a message as a line of JSON, with its line end.
///
/// # Errors
///
/// Fails if the message cannot be written as JSON.
pub fn line(message: &impl Serialize) -> serde_json::Result<String> {
    serde_json::to_string(message).map(|line| line + "\n")
}

/// Parses a message from a line.
///
/// # Errors
///
/// Fails if the line is not a valid message.
pub fn message<T: DeserializeOwned>(line: &str) -> serde_json::Result<T> {
    serde_json::from_str(line)
}

/// Serialises a value that is part of a message.
///
/// # Errors
///
/// Fails if the value cannot be written as JSON.
pub fn raw(value: &impl Serialize) -> serde_json::Result<Box<RawValue>> {
    serde_json::value::to_raw_value(value)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn message_is_one_line_and_survives_round_trip() {
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
    fn pipe_line_without_valid_message_is_rejected() {
        for line in ["", "null", "{}", "Gtk-WARNING **: cannot open display", r#"{"Tell":{}}"#] {
            assert!(message::<WindowMessage>(line).is_err(), "{line}");
            assert!(message::<WindowCommand>(line).is_err(), "{line}");
        }
    }
}
