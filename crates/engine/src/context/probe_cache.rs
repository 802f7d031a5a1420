//! Caches probes, so that their responses can be used when the user adds the download.

use std::{
    collections::VecDeque,
    sync::{Mutex, MutexGuard, PoisonError},
};

use ashore_transfer::Guid;

use crate::model::accepted::AcceptedRequest;

/// The probes whose response may still be used for a download, each with its request.
#[derive(Debug, Default)]
pub(crate) struct ProbeCache(Mutex<VecDeque<(Guid, CachedProbe)>>);

/// Identity of a probed request: its address and the headers that were sent.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ProbeKey {
    url: String,
    headers: Vec<(String, String)>,
}

/// Request of a probe, and the file name that the server returned.
#[derive(Debug)]
pub(crate) struct CachedProbe {
    pub(crate) asked: ProbeKey,
    pub(crate) name: String,
}

impl ProbeCache {
    /// Remembers a probe. Returns the oldest one if it had to be forgotten.
    pub(crate) fn remember(&self, guid: Guid, probe: CachedProbe) -> Option<Guid> {
        let mut probes = self.probes();
        let oldest = if probes.len() == MOST { probes.pop_front() } else { None };
        probes.push_back((guid, probe));
        oldest.map(|(oldest, _)| oldest)
    }

    /// Returns the file name that the server gave to the probe with this GUID.
    pub(crate) fn name(&self, guid: Guid) -> Option<String> {
        self.probes().iter().find(|(other, _)| *other == guid).map(|(_, probe)| probe.name.clone())
    }

    pub(crate) fn forget(&self, guid: Guid) -> Option<ProbeKey> {
        let mut probes = self.probes();
        let place = probes.iter().position(|(other, _)| *other == guid)?;
        probes.remove(place).map(|(_, probe)| probe.asked)
    }

    /// Decides for each request whether it keeps the GUID of its probe. The GUID is cleared if the request differs from
    /// the request of the probe, if the probe was redeemed before, or if the GUID is unknown.
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

/// Maximum number of remembered probes; the responses themselves expire sooner.
const MOST: usize = 64;
