//! Tracks the sources of one file: its own address and its mirrors. Records which sources are trusted.
//!
//! - A mirror's responses are compared only with earlier responses of the same mirror, because validators of different
//!   servers are not comparable.
//! - A mirror must state the same size as the other sources. Its first response is compared with bytes on disk. If the
//!   response promises a digest, this digest must not contradict the known one.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use url::Url;

use crate::model::{digest::FileDigest, validators::Validators};

/// Time for which a host without range support is remembered.
const REMEMBERED: Duration = Duration::from_secs(3600);
/// Maximum number of remembered hosts.
const MOST_HOSTS: usize = 1000;

/// Addresses of one file.
#[derive(Debug)]
pub(crate) struct MirrorSources {
    all: Mutex<Vec<State>>,
    /// Known digests of the file.
    pub digests: Vec<FileDigest>,
}

#[derive(Clone, Debug)]
struct State {
    url: Url,
    validators: Option<Validators>,
    asked: u64,
    is_refused: bool,
}

/// Address selected for the next request.
#[derive(Clone, Debug)]
pub(crate) struct MirrorSource {
    index: usize,
    /// URL to request.
    pub url: Url,
    /// Whether this address is a mirror, as opposed to the leading address.
    pub is_mirror: bool,
    /// True until the bytes from this address have been compared with the bytes on disk.
    pub is_new: bool,
}

impl MirrorSources {
    /// Creates the sources of a file with these digests.
    ///
    /// `validators` are those of the leading address.
    pub fn new(lead: Url, validators: Validators, others: impl IntoIterator<Item = Url>, digests: Vec<FileDigest>) -> Self {
        let lead = State { url: lead, validators: Some(validators), asked: 0, is_refused: false };
        let others = others.into_iter().filter(|url| *url != lead.url);
        let others: Vec<_> = others.map(|url| State { url, validators: None, asked: 0, is_refused: false }).collect();
        Self { all: Mutex::new(std::iter::once(lead).chain(others).collect()), digests }
    }

    /// Returns the leading address.
    pub fn first(&self) -> Url {
        self.lock()[0].url.clone()
    }

    /// Selects the address with the fewest requests so far.
    ///
    /// Selects untrusted addresses only if `may_compare` is true.
    pub fn pick(&self, may_compare: bool) -> MirrorSource {
        let mut all = self.lock();
        let usable = |state: &State| !state.is_refused && (may_compare || state.validators.is_some());
        let usable = all.iter().enumerate().filter(|(index, state)| *index == 0 || usable(state));
        let index = usable.min_by_key(|(_, state)| state.asked).map_or(0, |(index, _)| index);
        let state = &mut all[index];
        state.asked += 1;
        let is_new = state.validators.is_none();
        MirrorSource { index, url: state.url.clone(), is_mirror: index > 0, is_new }
    }

    /// Returns the validators of a source.
    ///
    /// Empty for a mirror without any earlier response.
    pub fn known(&self, source: &MirrorSource) -> Validators {
        self.lock()[source.index].validators.clone().unwrap_or_default()
    }

    /// Marks a source as trusted, with these validators.
    pub fn trust(&self, source: &MirrorSource, validators: Validators) {
        self.lock()[source.index].validators.get_or_insert(validators);
    }

    /// Whether received bytes of the file may come from more than one address.
    pub fn are_mixed(&self) -> bool {
        self.lock().iter().skip(1).any(|state| state.validators.is_some())
    }

    /// Excludes a source from further requests.
    pub fn refuse(&self, source: &MirrorSource) {
        self.lock()[source.index].is_refused = true;
    }

    fn lock(&self) -> MutexGuard<'_, Vec<State>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Hosts without range support. Each is remembered for an hour.
#[derive(Debug, Default)]
pub(crate) struct MirrorHosts(Mutex<HashMap<String, Instant>>);

impl MirrorHosts {
    /// Records that the host of `url` does not support ranges.
    pub fn without_ranges(&self, url: Url) {
        let mut hosts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if hosts.len() >= MOST_HOSTS {
            hosts.clear();
        }
        hosts.insert(key(&url), Instant::now());
    }

    /// Whether the host of `url` may support ranges, as far as is known.
    pub fn may_do_ranges(&self, url: &Url) -> bool {
        let hosts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        hosts.get(&key(url)).is_none_or(|since| since.elapsed() > REMEMBERED)
    }
}

fn key(url: &Url) -> String {
    format!("{}:{}", url.host_str().unwrap_or_default(), url.port_or_known_default().unwrap_or_default())
}
