//! Opens the page of a download in the user's browser. Called for the button "Open the page in the browser".
//!
//! The page of the window sends only the id of a registration, so it cannot open any other address.

use ashore_engine::{UniqueId, UserMessage};
use ashore_messages::message;
use ashore_rpc::MethodCall;
use url::Url;

use crate::{context::AppContext, system::open_with};

/// Lets a download wait for a new link, and opens the page with the link in the browser.
pub async fn open(shell: &AppContext, unique_id: UniqueId) -> Result<(), UserMessage> {
    let page: String = shell.door.ask(MethodCall::AwaitLink { unique_id }).await?;
    let page = web_address(&page).ok_or_else(|| message!("wrong-state.page"))?;
    open_with::open(page.as_str()).await.map_err(|error| message!("not-opened.page", why = &error))
}

/// Returns the address if a browser opens it. [pure]
///
/// The engine stores only such addresses. A ledger that another program changed could contain an address of a file or a
/// program.
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
