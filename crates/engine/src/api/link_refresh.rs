//! Engine methods that give an expired download its new link by a click in the browser.
//!
//! 1. The user asks for a new link: `await_link` lets the download wait, and returns the page with the link.
//! 2. The browser hands the clicked file over: `take_link` gives its link to the download that it continues.
//! 3. If the click is another file, `create` adds it, and the downloads that wait show that.

use ashore_messages::message;
use url::Url;

use crate::{
    Engine, EngineError,
    intake::{
        link_credentials::{self, TakenOut},
        link_match::{self, LinkedFile},
        validate::{accept_page, accept_request},
    },
    model::{
        BROWSER, NewRegistration, Registration, RegistrationResult, RegistrationState, UniqueId,
        accepted::{AcceptedRegistration, AcceptedRequest},
    },
    store::LinkOrigin,
};

impl Engine {
    /// Lets a download wait for a new link from the browser, and returns the address of its page.
    ///
    /// For 15 minutes, or until this engine closes, a click on the same file in the browser continues the download. Fails with
    /// `Unknown`, and with `WrongState` if the file is being fetched, is complete, or was not handed over by a browser that
    /// knew the page.
    pub async fn await_link(&self, id: UniqueId) -> Result<String, EngineError> {
        let registration = self.show(id).await?;
        let refuse = |message| Err(EngineError::WrongState(message));
        if registration.state == RegistrationState::Running {
            return refuse(message!("wrong-state"));
        }
        if registration.result == RegistrationResult::Success {
            return refuse(message!("wrong-state.there"));
        }
        let is_of_browser = registration.owner == BROWSER && registration.requests == 1;
        let Some(page) = registration.page.filter(|_| is_of_browser) else { return refuse(message!("wrong-state.page")) };
        self.shared.awaited_links.begin(id, self.shared.env.now());
        self.changed(id).await;
        Ok(page)
    }

    /// Gives the link of `new` to the unfinished download that its file continues. Returns that download, or `None` if there
    /// is none; then nothing has changed, and `create` may be called.
    ///
    /// The download gets the link, the headers and the credentials of `new`, and continues as after `relink`. A second call
    /// with the same `developer_id` returns the same download while it has not failed again. Fails with the errors of
    /// `create` for the link and its headers.
    pub async fn take_link(&self, mut new: NewRegistration) -> Result<Option<Registration>, EngineError> {
        let Some(click_id) = new.developer_id.take().filter(|_| new.requests.len() == 1) else { return Ok(None) };
        let taken = link_credentials::taken_out_with_links(&mut new.requests)?;
        let Some(request) = new.requests.pop().map(accept_request).transpose()? else { return Ok(None) };
        let origin = LinkOrigin {
            page: new.page.as_deref().and_then(accept_page),
            first_url: new.first_url.as_deref().and_then(accept_page),
            click_id,
            source: new.source,
        };
        let _one_at_a_time = self.shared.awaited_links.matching.lock().await;
        if let Some(earlier) = self.of_click(&new.owner, &origin.click_id).await?
            && (earlier.state != RegistrationState::Settled || earlier.result == RegistrationResult::Success)
        {
            return Ok(Some(earlier));
        }
        let awaited = self.shared.awaited_links.ids(self.shared.env.now());
        let candidates = self.shared.store.link_candidates(&new.owner, |id| awaited.contains(&id)).await?;
        let Some(id) = link_match::continued(&candidates, &clicked_file(&request, &origin)) else { return Ok(None) };
        match self.replace_link(id, &request, taken, &origin).await {
            Ok(()) => self.show(id).await.map(Some),
            // The download was removed or retried meanwhile.
            Err(EngineError::WrongState(_) | EngineError::Unknown(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    async fn replace_link(
        &self,
        id: UniqueId,
        request: &AcceptedRequest,
        taken: TakenOut,
        origin: &LinkOrigin,
    ) -> Result<(), EngineError> {
        // The old credentials belong to a session that has ended.
        match taken.sign_ins.is_empty() && taken.cookies.is_empty() {
            true => self.shared.forget_own_credentials(id),
            false => self.store_for_download(id, taken).await?,
        }
        let mut ledger = self.shared.store.begin().await?;
        // Checked while the ledger is locked: `withdraw` adds the name before it waits for this lock.
        if self.shared.withdrawn.contains(BROWSER, &origin.click_id, (self.shared.env.uptime_us)()) {
            return Err(EngineError::Withdrawn(origin.click_id.clone()));
        }
        ledger.relink(id, 0, &request.url, Some(&request.headers)).await?;
        ledger.set_link_origin(id, origin).await?;
        ledger.retry(id).await?;
        ledger.set_paused(Some(id), false, self.shared.env.now()).await?;
        self.commit_and_wake(ledger, id).await?;
        self.shared.awaited_links.end(id);
        self.changed(id).await;
        Ok(())
    }

    /// Returns the registration whose present link came from the click with this `developer_id`.
    pub(crate) async fn of_click(&self, owner: &str, click_id: &str) -> Result<Option<Registration>, EngineError> {
        match self.shared.store.of_click(owner, click_id).await? {
            Some(id) => self.shared.view(id).await,
            None => Ok(None),
        }
    }

    /// Shows in the downloads that wait for a link that a click was another file.
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
    let first = origin.first_url.as_deref().and_then(|first| Url::parse(first).ok());
    LinkedFile {
        addresses: [request.url.clone()].into_iter().chain(first).collect(),
        names: request.name.iter().cloned().collect(),
        size: request.expectation.as_ref().and_then(|expectation| expectation.size),
    }
}
