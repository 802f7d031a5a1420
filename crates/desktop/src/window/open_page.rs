//! Opens the page of a download in the user's browser. Called for the button "Open the page in the browser".
//!
//! The page of the window sends only the id of a registration, so it cannot open any other address.

use ashore_engine::{Registration, UniqueId, UserMessage};
use ashore_messages::message;
use ashore_rpc::MethodCall;
use url::Url;

use crate::{context::AppContext, system::open_with};

/// Opens the page of a download in the browser, and makes the download wait for a new link.
///
/// The page contains the link of the download. If the page cannot be opened, the download does not wait. A later click
/// of the user then becomes a separate download.
pub async fn open(shell: &AppContext, unique_id: UniqueId) -> Result<(), UserMessage> {
    let registration: Registration = shell.door.ask(MethodCall::Show { unique_id }).await?;
    let page = registration.page.as_deref().and_then(web_address).ok_or_else(|| message!("wrong-state.page"))?;
    open_with::open(page.as_str()).await.map_err(|error| message!("not-opened.page", why = &error))?;
    shell.door.ask::<String>(MethodCall::AwaitLink { unique_id }).await.map(drop)
}

/// Returns the address of the page if a browser can open it. [pure]
///
/// The engine stores only such addresses. But if another program changed the ledger, the ledger could contain the
/// address of a file or a program.
fn web_address(page: &str) -> Option<Url> {
    let page = Url::parse(page).ok()?;
    let has_credentials = !page.username().is_empty() || page.password().is_some();
    (matches!(page.scheme(), "http" | "https") && page.has_host() && !has_credentials).then_some(page)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_web_address_without_credentials_is_opened() {
        let cases = [
            ("https://a.example/files?of=7#list", true),
            ("http://127.0.0.1:8080/", true),
            ("https://ann:secret@a.example/", false),
            ("file:///etc/passwd", false),
            ("javascript:alert(1)", false),
            ("mailto:ann@a.example", false),
            ("--help", false),
            ("", false),
        ];
        for (address, is_opened) in cases {
            assert_eq!(web_address(address).is_some(), is_opened, "{address}");
        }
    }
}
