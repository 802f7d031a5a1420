//! Where the bytes of one file may come from: its own address and its mirrors, and what each is trusted with.
//!
//! A mirror's answers are held against its own earlier ones, since validators are not comparable between servers. Equal
//! size is always asked for, a first answer is compared with bytes that are there, and no digest that it promises may be
//! another than the one that is known.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use url::Url;

use crate::model::{digest::FileDigest, validators::Validators};

/// How long a host is remembered for what it cannot do.
const REMEMBERED: Duration = Duration::from_secs(3600);
/// Hosts remembered at most.
const MOST_HOSTS: usize = 1000;

/// The addresses of one file.
#[derive(Debug)]
pub(crate) struct MirrorSources {
    all: Mutex<Vec<State>>,
    /// The digests that the file is known to have.
    pub digests: Vec<FileDigest>,
}

#[derive(Clone, Debug)]
struct State {
    url: Url,
    validators: Option<Validators>,
    asked: u64,
    is_refused: bool,
}

/// One of them, to ask now.
#[derive(Clone, Debug)]
pub(crate) struct MirrorSource {
    index: usize,
    /// Where.
    pub url: Url,
    /// Not the address that leads.
    pub is_mirror: bool,
    /// Its bytes have not been compared with any that are there.
    pub is_new: bool,
}

impl MirrorSources {
    /// The address that leads with the validators it gave, and the others, of a file with these digests.
    pub fn new(lead: Url, validators: Validators, others: impl IntoIterator<Item = Url>, digests: Vec<FileDigest>) -> Self {
        let lead = State { url: lead, validators: Some(validators), asked: 0, is_refused: false };
        let others = others.into_iter().filter(|url| *url != lead.url);
        let others: Vec<_> = others.map(|url| State { url, validators: None, asked: 0, is_refused: false }).collect();
        Self { all: Mutex::new(std::iter::once(lead).chain(others).collect()), digests }
    }

    /// The address that leads.
    pub fn first(&self) -> Url {
        self.lock()[0].url.clone()
    }

    /// The one that was asked least; of those that are not trusted yet only where `may_compare`.
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

    /// What it said about identity; nothing yet for a mirror that was not asked.
    pub fn known(&self, source: &MirrorSource) -> Validators {
        self.lock()[source.index].validators.clone().unwrap_or_default()
    }

    /// It answered as it should, with these validators.
    pub fn trust(&self, source: &MirrorSource, validators: Validators) {
        self.lock()[source.index].validators.get_or_insert(validators);
    }

    /// Whether bytes of more than one address may have come.
    pub fn are_mixed(&self) -> bool {
        self.lock().iter().skip(1).any(|state| state.validators.is_some())
    }

    /// It is not asked again.
    pub fn refuse(&self, source: &MirrorSource) {
        self.lock()[source.index].is_refused = true;
    }

    fn lock(&self) -> MutexGuard<'_, Vec<State>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What is remembered of hosts, for an hour.
#[derive(Debug, Default)]
pub(crate) struct MirrorHosts(Mutex<HashMap<String, Instant>>);

impl MirrorHosts {
    /// The host of this address does not do ranges.
    pub fn without_ranges(&self, url: Url) {
        let mut hosts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if hosts.len() >= MOST_HOSTS {
            hosts.clear();
        }
        hosts.insert(key(&url), Instant::now());
    }

    /// Whether it is worth asking it for ranges.
    pub fn may_do_ranges(&self, url: &Url) -> bool {
        let hosts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        hosts.get(&key(url)).is_none_or(|since| since.elapsed() > REMEMBERED)
    }
}

fn key(url: &Url) -> String {
    format!("{}:{}", url.host_str().unwrap_or_default(), url.port_or_known_default().unwrap_or_default())
}
