//! Probes whose responses wait for the person to add the download.

use std::{
    collections::VecDeque,
    sync::{Mutex, MutexGuard, PoisonError},
};

use ashore_transfer::Guid;

use crate::model::accepted::AcceptedRequest;

/// Which probes somebody may still ask for, and what they asked.
#[derive(Debug, Default)]
pub(crate) struct ProbeCache(Mutex<VecDeque<(Guid, CachedProbe)>>);

/// Identifies the request of a response: its address and what was sent along.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ProbeKey {
    url: String,
    headers: Vec<(String, String)>,
}

/// The request, and the file name that the server gave.
#[derive(Debug)]
pub(crate) struct CachedProbe {
    pub(crate) asked: ProbeKey,
    pub(crate) name: String,
}

impl ProbeCache {
    pub(crate) fn remember(&self, guid: Guid, probe: CachedProbe) {
        let mut probes = self.probes();
        if probes.len() == MOST {
            probes.pop_front();
        }
        probes.push_back((guid, probe));
    }

    /// File name that the server gave to the probe with this GUID.
    pub(crate) fn name(&self, guid: Guid) -> Option<String> {
        self.probes().iter().find(|(other, _)| *other == guid).map(|(_, probe)| probe.name.clone())
    }

    pub(crate) fn forget(&self, guid: Guid) -> Option<ProbeKey> {
        let mut probes = self.probes();
        let place = probes.iter().position(|(other, _)| *other == guid)?;
        probes.remove(place).map(|(_, probe)| probe.asked)
    }

    /// Each request keeps the GUID of its probe, or has none: where it asks for something else than its probe did, where
    /// somebody had it before, or where nobody knows it.
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

/// Probes that are remembered; the answers themselves wait for a shorter time.
const MOST: usize = 64;
