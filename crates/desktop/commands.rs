//! What the page may ask for. One request carries every verb of the engine, since the tagged union [`Call`] is the border for
//! the socket and the window alike; the others are the desktop's own. What makes no sense gets a typed error.

use std::path::{Path, PathBuf};

use ashore_engine::{Trouble, UniqueId};
use ashore_pipe::{Answer, Question, Request};
use ashore_rpc::Call;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::{catalogue::say, files, notifier, shell::Shell, tray, window::answer as shaped};

/// What `request` gets.
pub async fn answer(shell: &Shell, request: Request) -> Answer {
    match request {
        Request::Call(call) => shaped(call_engine(shell, call).await),
        Request::OpenFile { unique_id, index } => shaped(open_file(shell, unique_id, index).await),
        Request::ShowInFolder { unique_id, index } => shaped(show_in_folder(shell, unique_id, index).await),
        Request::ChooseFolder => shaped(Ok::<_, Trouble>(choose_folder(shell).await)),
        Request::SaveList => shaped(save_list(shell).await),
        Request::TakeInList => shaped(take_in_list(shell).await),
        Request::Lacking => shaped(Ok::<_, Trouble>(lacking().await)),
        Request::TakeLinks => shaped(Ok::<_, Trouble>(shell.links.take())),
        Request::TakeLook => shaped(Ok::<_, Trouble>(shell.links.take_look())),
        Request::TakeCopied => shaped(Ok::<_, Trouble>(shell.links.take_copied())),
    }
}

async fn call_engine(shell: &Shell, call: Value) -> Result<Value, Trouble> {
    match understood(call)? {
        // Which file that is, only a person says.
        Call::Export { .. } | Call::Import { .. } => {
            Err(Trouble { code: "invalid".to_owned(), text: "Ashore does not understand this message: it names a file.".to_owned() })
        }
        call => shell.door.ask(call).await,
    }
}

async fn open_file(shell: &Shell, unique_id: Value, index: Value) -> Result<(), Trouble> {
    files::open(shell, understood::<UniqueId>(unique_id)?, understood(index)?).await
}

async fn show_in_folder(shell: &Shell, unique_id: Value, index: Value) -> Result<(), Trouble> {
    files::show_in_folder(shell, understood::<UniqueId>(unique_id)?, understood(index)?).await
}

/// The folder that the person chooses; none when they do not.
async fn choose_folder(shell: &Shell) -> Option<PathBuf> {
    // From where files usually go, or the nearest to that which is there.
    let usual = shell.wished.now().and_then(|wishes| wishes.folder).or_else(dirs::download_dir).or_else(dirs::home_dir);
    let from = usual.and_then(|usual| usual.ancestors().find(|folder| folder.is_dir()).map(Path::to_owned));
    chosen(shell, Question::Folder { title: say("ask-folder", &[]), from }).await
}

/// Saves the list where the person chooses, who was asked before a file that is there is named; none when they do not.
async fn save_list(shell: &Shell) -> Result<Option<Value>, Trouble> {
    let question = Question::NewFile { title: say("ask-save-list", &[]), name: "ashore-list.ndjson".to_owned() };
    let Some(file) = chosen(shell, question).await else { return Ok(None) };
    shell.door.ask(Call::Export { file, replace: true }).await.map(Some)
}

/// Takes in the list that the person chooses; none when they do not.
async fn take_in_list(shell: &Shell) -> Result<Option<Value>, Trouble> {
    let Some(file) = chosen(shell, Question::File { title: say("ask-list", &[]) }).await else { return Ok(None) };
    shell.door.ask(Call::Import { file, unchecked: false }).await.map(Some)
}

async fn chosen(shell: &Shell, question: Question) -> Option<PathBuf> {
    shell.window.ask::<Option<PathBuf>>(question).await?
}

/// What this desktop does not have at the moment, of all that settings speak of: `notifications`, `tray`.
async fn lacking() -> Vec<&'static str> {
    let (has_notifications, has_tray) = tokio::join!(notifier::is_there(), tray::is_there());
    let known = [("notifications", has_notifications), ("tray", has_tray)];
    known.into_iter().filter(|(_, is_there)| !is_there).map(|(what, _)| what).collect()
}

fn understood<T: DeserializeOwned>(value: Value) -> Result<T, Trouble> {
    serde_json::from_value(value).map_err(|error| {
        tracing::warn!(%error, "the window sent a message that makes no sense");
        Trouble { code: "invalid".to_owned(), text: format!("Ashore does not understand this message: {error}.") }
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_misshapen_call_gets_a_typed_error() {
        let bad = [
            json!(null),
            json!([]),
            json!({"method": "format_disk"}),
            json!({"method": "abort"}),
            json!({"method": "abort", "params": {"unique_id": "../../etc"}}),
            json!({"method": "create", "params": {"requests": [], "surprise": 1}}),
        ];
        for message in bad {
            let trouble = understood::<Call>(message.clone()).unwrap_err();
            assert_eq!(trouble.code, "invalid", "{message}");
            assert!(trouble.text.starts_with("Ashore does not understand this message: "), "{}", trouble.text);
        }
        assert!(understood::<Call>(json!({"method": "totals"})).is_ok());
        assert!(understood::<u32>(json!(-1)).is_err());
    }
}
