//! A look at a file while somebody still decides about it: the first request is the probe. Its answer waits at the server
//! under a GUID; what is added with that GUID has it from the ledger's first row on, so that its transfer goes on with this
//! very answer, and a link that works once is used once.

use std::path::PathBuf;

use ashore_transfer::{ANSWER_PATIENCE, FailureKind, Guid, ProbeResult, TransferSpec};

use crate::{
    Engine, EngineError,
    context::probe_cache::{CachedProbe, ProbeKey},
    intake::{link_credentials, validate::accept_request},
    model::{NewRequest, ProbeReport, UserMessage, messages},
};

impl Engine {
    /// Asks the server for `request`, of which only address and headers count, and reads the head of its answer. Where a
    /// gate is closed nobody is asked, and the gate is the trouble.
    ///
    /// Refused as `create` refuses the request; `Invalid` where it sends a file.
    pub async fn probe(&self, request: NewRequest) -> Result<ProbeReport, EngineError> {
        let mut request = [NewRequest { probe: None, ..request }];
        let taken = link_credentials::taken_out_with_links(&mut request)?;
        let [request] = request;
        let request = accept_request(request)?;
        if request.method != "GET" {
            return Err(EngineError::Invalid("Only what is downloaded can be looked at before.".to_owned()));
        }
        let is_paused = self.shared.store.is_paused().await?;
        if let Some(gate) = self.shared.known.closed(&self.shared.env, &self.shared.settings(), is_paused) {
            return Ok(nothing(None, UserMessage { code: gate.code.word().to_owned(), text: gate.text }));
        }
        // Nobody has decided yet that it is to be kept.
        self.store_credentials(taken, false).await?;
        let guid = Guid(self.shared.env.guid());
        let asked = ProbeKey::for_request(&request);
        let spec = TransferSpec {
            method: request.method.parse().unwrap_or_default(),
            headers: request.headers,
            name: request.name,
            ..TransferSpec::download(guid, request.url, PathBuf::new())
        };
        Ok(match self.shared.transfers.ask(spec).await {
            Ok(ProbeResult { head, may_resume, is_page }) => {
                self.shared.probes.remember(guid, CachedProbe { asked, name: head.name.clone() });
                let page = || messages::trouble(&ashore_transfer::TransferFailure::new(FailureKind::WebPage, "by its head"));
                ProbeReport {
                    probe: Some(guid),
                    waits_seconds: ANSWER_PATIENCE.as_secs(),
                    status: Some(head.status),
                    name: Some(head.name),
                    size: head.total_size,
                    may_resume,
                    trouble: is_page.then(page),
                }
            }
            Err(failure) => nothing(failure.status, messages::trouble(&failure)),
        })
    }

    /// Nobody wants what this probe found.
    pub fn release_probe(&self, probe: Guid) {
        self.shared.probes.forget(probe);
        self.shared.transfers.release(probe);
    }
}

fn nothing(status: Option<u16>, trouble: UserMessage) -> ProbeReport {
    ProbeReport { probe: None, waits_seconds: 0, status, name: None, size: None, may_resume: None, trouble: Some(trouble) }
}
