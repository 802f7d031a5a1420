//! Probes a file before the user decides whether to download it. The probe is the first request of the download.
//!
//! The response of the probe is stored under a GUID. A later request with this GUID continues with the stored response.
//! Therefore a one-time link is used only once.

use ashore_messages::message;
use std::{path::PathBuf, sync::Arc};

use ashore_transfer::{ANSWER_PATIENCE, FailureKind, Guid, ProbeResult, ResponseSummary, TransferSpec};

use crate::{
    Engine, EngineError,
    context::probe_cache::{CachedProbe, ProbeKey},
    intake::{link_credentials, validate::accept_request},
    model::{NewRequest, ProbeReport, RequestSource, UniqueId, UserMessage, accepted::AcceptedRegistration, messages},
    platform::sync,
};

/// Maximum number of transfers that run in addition to the slots of the queue, because they must start at once.
///
/// Further downloads stay with the browser, because a page must not make Ashore run an unlimited number of transfers.
const MOST_BESIDE_SLOTS: u32 = 16;

impl Engine {
    /// Sends `request` (address and headers only) and reads the head of the response.
    ///
    /// The request reaches only the addresses that a download from `source` may reach. If a gate is closed, nothing is
    /// sent, and the report names the gate as its `trouble`. Fails with the errors of `create` for the request, and
    /// with `Invalid` if the request is an upload.
    pub async fn probe(&self, source: RequestSource, request: NewRequest) -> Result<ProbeReport, EngineError> {
        let mut request = [NewRequest { probe: None, ..request }];
        let taken = link_credentials::taken_out_with_links(&mut request)?;
        let [request] = request;
        let request = accept_request(request)?;
        if request.method != "GET" {
            return Err(EngineError::Invalid(message!("invalid.probe")));
        }
        let is_paused = self.shared.store.is_paused().await?;
        if let Some(gate) = self.shared.known.closed(&self.shared.env, &self.shared.settings(), is_paused) {
            return Ok(nothing(None, gate.message()));
        }
        let guid = Guid(self.shared.env.guid());
        // Keep the credentials only until this engine closes, because the user has not added the request yet.
        let keeps_cookies_apart = source.keeps_own_credentials("");
        match keeps_cookies_apart {
            true => self.shared.credentials.give_to_download(guid.0, taken.into_own()),
            false => self.store_credentials(taken, false).await?,
        }
        let asked = ProbeKey::for_request(&request);
        let spec = TransferSpec {
            method: request.method.parse().unwrap_or_default(),
            headers: request.headers,
            name: request.name,
            reach: self.shared.settings().reach_of(source),
            keeps_cookies_apart,
            ..TransferSpec::download(guid, request.url, PathBuf::new())
        };
        Ok(match self.shared.transfers.ask(spec).await {
            Ok(ProbeResult { head, may_resume, is_page }) => {
                let oldest = self.shared.probes.remember(guid, CachedProbe { asked, name: head.name.clone() });
                oldest.into_iter().for_each(|oldest| self.forget_probe(oldest));
                let page = || messages::of_failure(&ashore_transfer::TransferFailure::new(FailureKind::WebPage, "by its head"));
                self.forget_probe_later(guid);
                ProbeReport {
                    probe: Some(guid),
                    waits_seconds: ANSWER_PATIENCE.as_secs(),
                    status: Some(head.status),
                    size: head.total_size,
                    content_type: field(&head, "content-type"),
                    content_encoding: field(&head, "content-encoding"),
                    etag: field(&head, "etag"),
                    last_modified: field(&head, "last-modified"),
                    name: Some(head.name),
                    may_resume,
                    trouble: is_page.then(page),
                }
            }
            Err(failure) => {
                self.forget_probe(guid);
                nothing(failure.status, messages::of_failure(&failure))
            }
        })
    }

    /// Releases the response of a probe that is no longer wanted.
    pub fn release_probe(&self, probe: Guid) {
        self.shared.probes.forget(probe);
        self.forget_probe(probe);
        self.shared.transfers.release(probe);
    }

    /// Makes a registration of the browser start at once if it continues the response of a probe. The browser drops its own
    /// copy when the registration is written, so the response must not wait until a slot is free.
    ///
    /// Fails with `TooManyRunning` if too many transfers run beside the slots.
    pub(crate) async fn start_at_once(&self, accepted: &AcceptedRegistration) -> Result<(), EngineError> {
        let has_response = accepted.requests.iter().any(|request| request.guid.is_some());
        if accepted.source != RequestSource::Browser || !has_response {
            return Ok(());
        }
        self.reserve_start(accepted.unique_id).await.inspect_err(|_| self.shared.forget_own_credentials(accepted.unique_id))
    }

    /// Makes a registration start at once. Fails with `TooManyRunning` if too many transfers run beside the slots.
    pub(crate) async fn reserve_start(&self, id: UniqueId) -> Result<(), EngineError> {
        let uptime_us = (self.shared.env.uptime_us)();
        let waiting = self.shared.at_once.current(uptime_us).len();
        let running = self.shared.live.read().await.guids().len() + waiting;
        if u32::try_from(running).unwrap_or(u32::MAX) >= self.shared.parallel().saturating_add(MOST_BESIDE_SLOTS) {
            return Err(EngineError::TooManyRunning(running));
        }
        self.shared.at_once.add(id, uptime_us);
        Ok(())
    }

    /// Forgets the credentials and cookies of a probe when its response expires.
    pub(crate) fn forget_probe_later(&self, probe: Guid) {
        let (credentials, cookies) = (Arc::clone(&self.shared.credentials), self.shared.cookies.clone());
        tokio::spawn(async move {
            sync::asleep(ANSWER_PATIENCE).await;
            credentials.forget_download(probe.0);
            cookies.forget_download(probe.0);
        });
    }

    /// Forgets the credentials and cookies of a probe.
    pub(crate) fn forget_probe(&self, probe: Guid) {
        self.shared.credentials.forget_download(probe.0);
        self.shared.cookies.forget_download(probe.0);
    }
}

fn nothing(status: Option<u16>, trouble: UserMessage) -> ProbeReport {
    ProbeReport {
        probe: None,
        waits_seconds: 0,
        status,
        name: None,
        size: None,
        content_type: None,
        content_encoding: None,
        etag: None,
        last_modified: None,
        may_resume: None,
        trouble: Some(trouble),
    }
}

/// Returns the value of a header field. Joins the values of a repeated field (RFC 9110, section 5.2).
fn field(head: &ResponseSummary, name: &str) -> Option<String> {
    let fields = head.headers.iter().filter(|(other, _)| other.eq_ignore_ascii_case(name));
    let values: Vec<&str> = fields.map(|(_, value)| value.as_str()).collect();
    (!values.is_empty()).then(|| values.join(", "))
}
