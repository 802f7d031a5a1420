//! Caches probes, so that a download can use the response of its probe.

use std::{
    collections::VecDeque,
    sync::{Mutex, MutexGuard, PoisonError},
};

use ashore_transfer::Guid;

use crate::model::accepted::AcceptedRequest;

/// Probes with a usable response, each with its request.
#[derive(Debug, Default)]
pub(crate) struct ProbeCache(Mutex<VecDeque<(Guid, CachedProbe)>>);

/// Identity of a probed request: its address and its headers.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ProbeKey {
    url: String,
    headers: Vec<(String, String)>,
}

/// Request of a probe, and the file name from the server.
#[derive(Debug)]
pub(crate) struct CachedProbe {
    pub(crate) asked: ProbeKey,
    pub(crate) name: String,
}

impl ProbeCache {
    /// Adds a probe. If the cache is full, drops and returns the oldest probe.
    pub(crate) fn remember(&self, guid: Guid, probe: CachedProbe) -> Option<Guid> {
        let mut probes = self.probes();
        let oldest = if probes.len() == MOST { probes.pop_front() } else { None };
        probes.push_back((guid, probe));
        oldest.map(|(oldest, _)| oldest)
    }

    /// Returns the file name that the server sent for the probe with this GUID.
    pub(crate) fn name(&self, guid: Guid) -> Option<String> {
        self.probes().iter().find(|(other, _)| *other == guid).map(|(_, probe)| probe.name.clone())
    }

    pub(crate) fn forget(&self, guid: Guid) -> Option<ProbeKey> {
        let mut probes = self.probes();
        let place = probes.iter().position(|(other, _)| *other == guid)?;
        probes.remove(place).map(|(_, probe)| probe.asked)
    }

    /// Removes the probes of `requests`. Clears the GUID of a request whose probe is missing or had a different
    /// request.
    pub(crate) fn redeem(&self, requests: &mut [AcceptedRequest]) {
        for request in requests {
            if let Some(guid) = request.guid {
                request.guid = self.forget(guid).is_some_and(|asked| asked == ProbeKey::for_request(request)).then_some(guid);
            }
        }
    }

    fn probes(&self) -> MutexGuard<'_, VecDeque<(Guid, CachedProbe)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ProbeKey {
    pub(crate) fn for_request(request: &AcceptedRequest) -> Self {
        Self { url: request.url.to_string(), headers: request.headers.clone() }
    }
}

/// Maximum number of cached probes. The responses themselves expire sooner.
const MOST: usize = 64;
