//! Asks the user for consent, in a dialog of the desktop. Code that is injected into the page cannot answer it.

use ashore_engine::UserMessage;
use ashore_messages::{message, text};
use ashore_pipe::PipeQuestion;

use crate::context::AppContext;

/// Returns a question that the user confirms with the button `yes`.
pub(super) fn confirm(title: String, body: String, yes: String) -> PipeQuestion {
    PipeQuestion::Confirm { title, body, yes, no: text!("action-cancel") }
}

/// Asks `question`. Fails with `declined` without consent.
pub(super) async fn agreed(shell: &AppContext, question: PipeQuestion) -> Result<(), UserMessage> {
    // Without a window, the question gets no answer, which counts as a refusal.
    match shell.window.ask(question).await.unwrap_or(false) {
        true => Ok(()),
        false => Err(message!("declined")),
    }
}
