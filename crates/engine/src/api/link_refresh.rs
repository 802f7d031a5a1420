//! Engine methods for a download whose link has expired: a click in the browser gives the download a new link.
//!
//! 1. The user asks for a new link: `await_link` makes the download wait, and returns the page with the link.
//! 2. The browser hands the clicked file over: `take_link` gives the link of this file to the matching unfinished
//!    download.
//! 3. If the click is on another file, `create` adds that file, and the waiting downloads show this.

use std::slice;

use ashore_messages::message;
use ashore_transfer::DownloadCredentials;
use url::Url;

use crate::{
    Engine, EngineError,
    api::declared_size,
    intake::{
        link_credentials::{self, TakenOut},
        link_match::{self, LinkCandidate, LinkedFile},
        validate::{accept_page, accept_request},
    },
    model::{
        BROWSER, FailureReason, NewRegistration, Registration, RegistrationResult, RegistrationState, RequestSource, UniqueId,
        accepted::{AcceptedRegistration, AcceptedRequest},
    },
    store::{LinkOrigin, ledger::LedgerWriter},
};

impl Engine {
    /// Makes a download wait for a new link from the browser, and returns the address of the download's page.
    ///
    /// For 15 minutes, or until this engine closes, a click on the same file in the browser continues the download.
    /// Fails with `Unknown`. Fails with `WrongState` if the file is being fetched, is complete or was cancelled, or if
    /// no browser handed the file over together with its page.
    pub async fn await_link(&self, id: UniqueId) -> Result<String, EngineError> {
        let registration = self.show(id).await?;
        let refuse = |message| Err(EngineError::WrongState(message));
        if registration.state == RegistrationState::Running {
            return refuse(message!("wrong-state"));
        }
        if registration.result == RegistrationResult::Success {
            return refuse(message!("wrong-state.there"));
        }
        if registration.failure_reason == FailureReason::Aborted {
            return refuse(message!("wrong-state.cancelled"));
        }
        let is_of_browser = registration.owner == BROWSER && registration.requests == 1;
        let Some(page) = registration.page.filter(|_| is_of_browser) else { return refuse(message!("wrong-state.page")) };
        self.shared.awaited_links.begin(id, self.shared.env.now());
        self.changed(id).await;
        Ok(page)
    }

    /// Gives the link of `new` to an unfinished download of the same file, and returns that download.
    ///
    /// Returns `None` if there is no such download. In this case, nothing has changed, and the caller may call
    /// `create`.
    ///
    /// The download gets the link, the headers and the credentials of `new`, and continues as after `relink`. If the
    /// call comes from the browser, the download starts at once, as in `create`. A second call with the same
    /// `developer_id` returns the same download while it has not failed again. Fails with `Withdrawn`, with
    /// `TooManyRunning`, with `BelowFloor` if the rest of a file of the browser does not fit on its disk, and with the
    /// errors of `create` for the link and its headers.
    pub async fn take_link(&self, mut new: NewRegistration) -> Result<Option<Registration>, EngineError> {
        let Some(click_id) = new.developer_id.take().filter(|_| new.requests.len() == 1) else { return Ok(None) };
        if self.is_withdrawn(&new.owner, &click_id) {
            return Err(EngineError::Withdrawn(click_id));
        }
        let taken = link_credentials::taken_out_with_links(&mut new.requests)?;
        let Some(request) = new.requests.pop().map(accept_request).transpose()? else { return Ok(None) };
        let mut origin = LinkOrigin {
            page: new.page.as_deref().and_then(accept_page),
            first_url: new.first_url.as_deref().and_then(accept_page),
            click_id,
            source: new.source,
        };
        let clicked = clicked_file(&request, &origin);
        // Most clicks continue no download, and such a click does not wait for the lock. If another call for the same
        // click replaces a link meanwhile, `held_by_click` still finds that download, because `held_by_click` runs
        // last.
        if self.continued_by(&new.owner, &clicked).await?.is_none() {
            return self.held_by_click(&new.owner, &origin.click_id).await;
        }
        let _one_at_a_time = self.shared.awaited_links.matching.lock().await;
        if let Some(earlier) = self.held_by_click(&new.owner, &origin.click_id).await? {
            return Ok(Some(earlier));
        }
        let Some(continued) = self.continued_by(&new.owner, &clicked).await? else { return Ok(None) };
        // A page that only repeats the address of the download must not become the page that the user opens next.
        if continued.file.page.is_some() && !link_match::have_same_page_host(&continued.file, &clicked) {
            origin.page = None;
        }
        let id = continued.unique_id;
        self.look_at_rest(id, origin.source, clicked.size).await?;
        match self.replace_link(id, &new.owner, request, taken, &origin).await {
            Ok(()) => self.show(id).await.map(Some),
            // The download was removed or retried in the meantime.
            Err(EngineError::WrongState(_) | EngineError::Unknown(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Returns the unfinished download of `owner` that can continue with the file `clicked`.
    async fn continued_by(&self, owner: &str, clicked: &LinkedFile) -> Result<Option<LinkCandidate>, EngineError> {
        let awaited = self.shared.awaited_links.ids(self.shared.env.now());
        let candidates = self.shared.store.link_candidates(owner, |id| awaited.contains(&id)).await?;
        Ok(link_match::continued(&candidates, clicked).cloned())
    }

    /// Refuses a click if the rest of the download, whose file has `size` bytes, does not fit on its disk.
    async fn look_at_rest(&self, id: UniqueId, source: RequestSource, size: Option<u64>) -> Result<(), EngineError> {
        if source != RequestSource::Browser {
            return Ok(());
        }
        let Some(folder) = self.shared.store.folder_of(id).await? else { return Ok(()) };
        let received = self.shared.view(id).await?.map_or(0, |shown| shown.downloaded);
        let rest = size.map_or(1, |size| size.saturating_sub(received));
        declared_size::look_at_free_bytes(&self.shared, source, &folder, rest).await
    }

    /// Returns the registration to which an earlier call gave the link of this click, unless it has failed again.
    async fn held_by_click(&self, owner: &str, click_id: &str) -> Result<Option<Registration>, EngineError> {
        let is_held =
            |earlier: &Registration| earlier.state != RegistrationState::Settled || earlier.result == RegistrationResult::Success;
        Ok(self.of_click(owner, click_id).await?.filter(is_held))
    }

    async fn replace_link(
        &self,
        id: UniqueId,
        owner: &str,
        mut request: AcceptedRequest,
        taken: TakenOut,
        origin: &LinkOrigin,
    ) -> Result<(), EngineError> {
        // Check before the credentials change. Do not keep the ledger locked meanwhile, because the keychain may wait
        // for the user.
        let mut check = self.shared.store.begin().await?;
        self.write_link(&mut check, id, owner, &request, origin).await?;
        drop(check);
        let before = self.shared.credentials.all_of_download(id.0).await;
        let own = taken.into_own();
        let is_kept = !own.is_empty();
        self.exchange_own_credentials(id, own, is_kept).await?;
        let written = async {
            let mut ledger = self.shared.store.begin().await?;
            self.write_link(&mut ledger, id, owner, &request, origin).await?;
            // Reserve the start while the ledger is locked, because the scheduler must not start the old link.
            if origin.source == RequestSource::Browser {
                self.reserve_start(id).await?;
            }
            // Cookies that a server set for the old link belong to a session that has ended. The cookies of the probe
            // are new.
            self.shared.cookies.forget_download(id.0);
            self.shared.probes.redeem(slice::from_mut(&mut request));
            if let Some(probe) = request.guid {
                self.shared.cookies.give_to_download(probe.0, id.0);
            }
            self.commit_and_wake(ledger, id).await
        };
        if let Err(error) = written.await {
            self.shared.at_once.remove(id);
            match before {
                Some(before) => self.exchange_own_credentials(id, before, is_kept).await?,
                None => self.shared.forget_own_secrets(id),
            }
            return Err(error);
        }
        if !is_kept {
            self.shared.forget_own_secrets_in_keychain(id);
        }
        self.shared.awaited_links.end(id);
        self.changed(id).await;
        Ok(())
    }

    /// Writes the new link of a download. Fails without any other effect if the name of the click was withdrawn, or if
    /// the download cannot get a new link.
    async fn write_link(
        &self,
        ledger: &mut LedgerWriter<'_>,
        id: UniqueId,
        owner: &str,
        request: &AcceptedRequest,
        origin: &LinkOrigin,
    ) -> Result<(), EngineError> {
        // Check while the ledger is locked, because `withdraw` adds the name before it waits for this lock.
        if self.is_withdrawn(owner, &origin.click_id) {
            return Err(EngineError::Withdrawn(origin.click_id.clone()));
        }
        ledger.relink(id, 0, &request.url, Some(&request.headers)).await?;
        ledger.set_link_origin(id, origin).await?;
        ledger.retry(id).await?;
        ledger.set_paused(Some(id), false, self.shared.env.now()).await
    }

    /// Replaces the credentials that only this download uses. Writes them to the keychain only if `is_kept` is true.
    async fn exchange_own_credentials(&self, id: UniqueId, own: DownloadCredentials, is_kept: bool) -> Result<(), EngineError> {
        if is_kept {
            self.shared.keychain.keep_for_download(id.0, &own).await?;
        }
        // Empty credentials in memory take precedence over those in the keychain.
        self.shared.credentials.give_to_download(id.0, own);
        Ok(())
    }

    pub(crate) fn is_withdrawn(&self, owner: &str, developer_id: &str) -> bool {
        self.shared.withdrawn.contains(owner, developer_id, (self.shared.env.uptime_us)())
    }

    /// Returns the registration whose current link came from the click with this `developer_id`.
    pub(crate) async fn of_click(&self, owner: &str, click_id: &str) -> Result<Option<Registration>, EngineError> {
        match self.shared.store.of_click(owner, click_id).await? {
            Some(id) => self.shared.view(id).await,
            None => Ok(None),
        }
    }

    /// Records that another file was clicked, so that each download that waits for a link can show this.
    pub(crate) async fn note_other_click(&self, accepted: &AcceptedRegistration) {
        if accepted.owner != BROWSER {
            return;
        }
        for id in self.shared.awaited_links.note_other(&accepted.title, self.shared.env.now()) {
            self.changed(id).await;
        }
    }
}

/// Returns the facts about the file of a click. [pure]
fn clicked_file(request: &AcceptedRequest, origin: &LinkOrigin) -> LinkedFile {
    let parsed = |address: &Option<String>| address.as_deref().and_then(|address| Url::parse(address).ok());
    LinkedFile {
        addresses: [request.url.clone()].into_iter().chain(parsed(&origin.first_url)).collect(),
        page: parsed(&origin.page),
        names: request.name.iter().cloned().collect(),
        size: request.expectation.as_ref().and_then(|expectation| expectation.size),
    }
}
