//! Engine methods for links: find known links, and replace a link.

use std::{collections::HashMap, path::PathBuf};

use ashore_transfer::{Guid, disk};
use url::Url;

use crate::{
    Engine, EngineError,
    context::patience::FOLDER_WAITS,
    gates::running_transfer::RunningTransfer,
    intake::{
        file_kind, link_credentials,
        userinfo::link_without_sign_in,
        validate::{accept_request, accept_url},
    },
    model::{ExistingLinks, KnownFile, NewRequest, Registration, UniqueId, accepted::AcceptedRequest},
};

impl Engine {
    /// Finds the files in the list that have one of `links`. The query part of the link may differ.
    ///
    /// Returns at most one file per link: a file with exactly this link, or else the latest file. A link that is not
    /// valid matches nothing.
    ///
    /// Also returns the default folder of the links. If a `name` is given, also returns whether this name is taken in
    /// `folder`. If `folder` is `None`, checks the default folder.
    pub async fn known(
        &self,
        links: &[String],
        folder: Option<PathBuf>,
        name: Option<String>,
    ) -> Result<ExistingLinks, EngineError> {
        let urls: Vec<String> =
            links.iter().map(|link| accept_url(&link_without_sign_in(link)).map(String::from).unwrap_or_default()).collect();
        let mut registrations: HashMap<UniqueId, Registration> = HashMap::new();
        let mut files = Vec::new();
        for found in self.shared.store.known(&urls).await? {
            let registration = match registrations.get(&found.unique_id) {
                Some(registration) => registration.clone(),
                None => {
                    let Some(registration) = self.shared.view(found.unique_id).await? else { continue };
                    registrations.insert(found.unique_id, registration.clone());
                    registration
                }
            };
            files.push(KnownFile { link: found.link, is_same: found.is_same, index: found.index, registration });
        }
        let parsed = urls.iter().filter_map(|url| url.parse().ok());
        let category = file_kind::of_most(parsed.map(|url: Url| file_kind::expected(&url, name.as_deref())));
        let usual = self.shared.settings().folder_of(category);
        let is_name_taken = match &name {
            Some(name) => {
                let path = folder.unwrap_or_else(|| usual.clone()).join(name);
                disk::within(FOLDER_WAITS, move || path.symlink_metadata().is_ok()).await.unwrap_or_default()
            }
            None => false,
        };
        Ok(ExistingLinks { files, category, folder: usual, is_name_taken, past_downloads: Vec::new() })
    }

    /// Replaces the link of the unfinished file at `index`, and retries failed requests.
    ///
    /// Received bytes are kept, and compared with data from the new link before the transfer resumes. `headers` replace
    /// the headers of the old link; `None` keeps them. If the file is being fetched, its transfer stops first and then
    /// continues with the new link.
    ///
    /// Fails with `Unknown`; with `WrongState` if the file is complete, is an upload, or its transfer does not stop; and
    /// with the errors of `create` for the link and its headers.
    pub async fn relink(
        &self,
        id: UniqueId,
        index: u32,
        link: &str,
        headers: Option<Vec<(String, String)>>,
    ) -> Result<(), EngineError> {
        let replaced = ReplacedParts { headers: headers.is_some(), mirrors: false };
        let request = NewRequest { url: link.to_owned(), headers: headers.unwrap_or_default(), ..NewRequest::default() };
        self.replace(id, index, request, replaced).await
    }

    /// Replaces the link of the unfinished file at `index` and all of its mirrors, as [`Engine::relink`] replaces the link.
    ///
    /// Fails with the errors of `relink`, and with those of `create` for the mirrors.
    pub async fn change_addresses(&self, id: UniqueId, index: u32, link: &str, mirrors: Vec<String>) -> Result<(), EngineError> {
        let request = NewRequest { url: link.to_owned(), mirrors, ..NewRequest::default() };
        self.replace(id, index, request, ReplacedParts { headers: false, mirrors: true }).await
    }

    /// Replaces the link of a file, and those of its other parts that `replaced` names, with the values of `request`.
    async fn replace(&self, id: UniqueId, index: u32, request: NewRequest, replaced: ReplacedParts) -> Result<(), EngineError> {
        let mut request = [request];
        let taken = link_credentials::taken_out_with_links(&mut request)?;
        let [request] = request;
        let AcceptedRequest { url, headers, expectation, .. } = accept_request(request)?;
        let mirrors = expectation.map(|known| known.mirrors).unwrap_or_default();
        let registration = self.show(id).await?;
        let halt = self.hold_back(id).await?;
        let running = {
            let live = self.shared.live.read().await;
            let is_of_file = |guid: &(Guid, &RunningTransfer)| guid.1.index == index && guid.1.body_size.is_none();
            live.transfers_of(id).find(is_of_file).map(|(guid, _)| guid)
        };
        self.stop_and_wait(&halt, running.as_slice()).await?;
        match registration.source.keeps_own_credentials(&registration.owner) {
            true => self.store_for_download(id, taken).await?,
            false => self.store_credentials(taken, true).await?,
        }
        let mut ledger = self.shared.store.begin().await?;
        ledger.relink(id, index, &url, replaced.headers.then_some(&headers[..])).await?;
        if replaced.mirrors {
            ledger.replace_mirrors(id, index, &mirrors).await?;
        }
        ledger.retry(id).await?;
        self.commit_and_wake(ledger, id).await?;
        self.shared.awaited_links.end(id);
        self.changed(id).await;
        Ok(())
    }
}

/// Parts of a request that a change of its link replaces too.
#[derive(Clone, Copy, Debug)]
struct ReplacedParts {
    headers: bool,
    mirrors: bool,
}
