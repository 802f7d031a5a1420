//! Random draws: files, servers, server faults, file changes, and moments of power cuts.

use std::{sync::OnceLock, time::Duration};

use ashore_transfer::TransferConfig;
use rand::{Rng, rngs::StdRng, seq::IndexedRandom};

use crate::servers::origin::{Body, Route, content};

/// Number of bytes that are compared before a resume appends new bytes.
pub(super) const OVERLAP: u64 = 64 << 10;
/// Size of the largest file in bytes.
const LARGEST: u64 = 2 << 20;

/// Returns content from a pool of bytes. Contents from different offsets differ at every position.
pub(super) fn body(random: &mut StdRng, length: u64) -> Body {
    static POOL: OnceLock<Vec<u8>> = OnceLock::new();
    let pool = POOL.get_or_init(|| content(1, 4 * LARGEST));
    let length = usize::try_from(length).unwrap_or_default();
    let at = random.random_range(0..pool.len() - length);
    Body::bytes(&pool[at..at + length])
}

/// Draws a size at random: zero, tiny, close to `OVERLAP`, or anything up to 2 MiB.
pub(super) fn size(random: &mut StdRng) -> u64 {
    match random.random_range(0..20) {
        0 => 0,
        1 => random.random_range(1..16),
        2 => OVERLAP + random.random_range(0..3) - 1,
        3 => 2 * OVERLAP + random.random_range(0..3) - 1,
        4..=7 => random.random_range(1..OVERLAP),
        8..=16 => random.random_range(OVERLAP..600_000),
        _ => random.random_range(600_000..=LARGEST),
    }
}

/// Draws a configuration at random, with short timeouts, which a slow server may exceed.
pub(super) fn hasty(random: &mut StdRng) -> TransferConfig {
    TransferConfig { connect_timeout: Duration::from_millis(150), stall_timeout: Duration::from_millis(100), ..patient(random) }
}

/// Draws a configuration at random, with timeouts that a correct server never exceeds.
pub(super) fn patient(random: &mut StdRng) -> TransferConfig {
    TransferConfig {
        checkpoint_bytes: *[1, 20_000, 150_000, 1 << 20].choose(random).unwrap_or(&1),
        checkpoint_interval: Duration::from_millis(random.random_range(1..40)),
        stall_timeout: Duration::from_secs(20),
        connections: *[1, 1, 2, 3, 8].choose(random).unwrap_or(&1),
        least_shared: *[1, 100_000, 500_000].choose(random).unwrap_or(&1),
        least_split: *[4096, 16_384, 100_000].choose(random).unwrap_or(&4096),
        held_in_memory: *[0, 64 << 10, 1 << 20].choose(random).unwrap_or(&0),
        ..TransferConfig::default()
    }
}

/// Constant properties of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    framing: u8,
    validators: u8,
}

impl Shape {
    /// Draws a shape at random. Shapes of correct servers are the most likely.
    pub fn draw(random: &mut StdRng) -> Self {
        Self { framing: random.random_range(0..10), validators: random.random_range(0..8) }
    }

    /// Returns whether a whole-file answer ends without any mark except the closed connection.
    pub fn ends_by_closing(self) -> bool {
        matches!(self.framing, 2 | 3)
    }

    /// Gives `route` this shape and returns the route.
    pub fn apply(self, route: Route) -> Route {
        let route = match self.framing {
            0 | 1 => route.chunked(),
            2 => route.until_close(),
            3 => route.http10(),
            _ => route,
        };
        match self.validators {
            0 => route.weak_etag(),
            1 => route.no_etag(),
            2 => route.no_validators(),
            _ => route,
        }
    }
}

impl Shape {
    /// Returns whether answers have a strong validator (RFC 9110, section 8.8.1).
    pub(super) fn has_strong_validator(self) -> bool {
        !matches!(self.validators, 0..=2)
    }
}

/// Invariants that a server fault suspends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Harm {
    /// Whether a restart from zero is permitted, because range answers cannot be appended to earlier bytes.
    pub breaks_ranges: bool,
    /// Whether the server states a wrong length or validator, so that later correct answers contradict it.
    pub lies: bool,
    /// Number of bytes by which the stated length of the whole file is too small.
    pub states_less: u64,
    /// Whether the server states a wrong length of the whole file.
    pub misstates_length: bool,
    /// Number of bytes after which the server closes the connection cleanly. Without a stated length, the client must
    /// treat this position as the end of the file.
    pub ends_at: Option<u64>,
}

const HARMLESS: Harm = Harm { breaks_ranges: false, lies: false, states_less: 0, misstates_length: false, ends_at: None };
const BREAKS_RANGES: Harm = Harm { breaks_ranges: true, ..HARMLESS };
const LIES: Harm = Harm { breaks_ranges: true, lies: true, ..HARMLESS };
const MISSTATES_LENGTH: Harm = Harm { misstates_length: true, ..LIES };

/// Adds a fault to the route for its next few requests. Returns the route, the name of the fault, and the invariants
/// that the fault suspends.
pub(super) fn vice(random: &mut StdRng, route: Route, length: u64) -> (Route, String, Harm) {
    let at = random.random_range(0..=length.max(1));
    let by = i64::try_from(random.random_range(1..=100_000_u64)).unwrap_or(1);
    let by = if random.random_bool(0.5) { by } else { -by };
    let refusals = [400, 401, 403, 404, 408, 410, 425, 429, 451, 500, 502, 503, 504, 599];
    let status = *refusals.choose(random).unwrap_or(&500);
    let (route, what, harm) = match random.random_range(0..40) {
        0..=6 => (route.reset_after(at), format!("reset after {at}"), HARMLESS),
        7..=11 => {
            let harm = Harm { ends_at: Some(at), ..HARMLESS };
            (route.end_after(at), format!("end after {at}"), harm)
        }
        12 => (route.stall_after(at), format!("stall after {at}"), HARMLESS),
        13 => (route.hang(), "hang".to_owned(), HARMLESS),
        14 | 15 => (route.close_before_head(), "close before the head".to_owned(), HARMLESS),
        16 => {
            let every = Duration::from_millis(random.random_range(1..4));
            (route.trickle(16_384, every), "trickle".to_owned(), HARMLESS)
        }
        17 => (route.misstate_length(by.abs()), format!("length {} too large", by.abs()), MISSTATES_LENGTH),
        18 => {
            // Record the whole difference, even if it exceeds the file's length: the next version of the file may be
            // longer.
            let less = by.unsigned_abs();
            let harm = Harm { states_less: less, ..MISSTATES_LENGTH };
            (route.misstate_length(-by.abs()), format!("length {less} too small"), harm)
        }
        19 | 20 => (route.ignore_ranges(), "ignore the range".to_owned(), BREAKS_RANGES),
        21 => (route.shift_ranges(by), format!("shift the range by {by}"), BREAKS_RANGES),
        // With several connections, a misplaced range is noticed only when the neighbouring ranges arrive. Until then,
        // bytes on disk may be wrong.
        22 | 23 => (route.misplace_ranges(by), format!("misplace the range by {by}"), LIES),
        24..=26 => {
            let count = random.random_range(1..200_000);
            (route.shorten_ranges(count), format!("shorten the range to {count}"), BREAKS_RANGES)
        }
        27 => (route.unstated_ranges(), "no Content-Range".to_owned(), BREAKS_RANGES),
        28 => (route.claim_total(&at.to_string()), format!("claim a total of {at}"), MISSTATES_LENGTH),
        29 => (route.encode_ranges("gzip"), "encode the range".to_owned(), BREAKS_RANGES),
        30 => (route.refuse_ranges(None), "416".to_owned(), BREAKS_RANGES),
        31 => {
            let range = format!("bytes */{}", length + 1);
            (route.refuse_ranges(Some(&range)), format!("416 {range}"), BREAKS_RANGES)
        }
        32 | 33 => (route.status(status), format!("status {status}"), HARMLESS),
        34 => (route.status_until(status, "1"), format!("status {status} with Retry-After"), HARMLESS),
        35 => (route.redirect(302, "ftp://127.0.0.1/f.bin"), "redirect to ftp".to_owned(), HARMLESS),
        36 => (route.runs_out(status), format!("run out with {status}"), HARMLESS),
        37 => (route.login_page(), "login page".to_owned(), HARMLESS),
        38 => (route.fickle_etag(), "fickle etag".to_owned(), LIES),
        _ => (route.large_head(), "large head".to_owned(), HARMLESS),
    };
    let times = random.random_range(1..4);
    (route.times(times), format!("{what}, {times} times"), harm)
}

/// Returns the next version of a file, and whether the server gives it a new validator.
pub(super) fn change(random: &mut StdRng, route: Route, now: &Body) -> (Route, Body, bool) {
    let length = now.length();
    let other = match random.random_range(0..4) {
        0 => size(random),
        1 => length + 1,
        _ => length,
    };
    let new = if other == length && random.random_bool(0.3) {
        // Change only one region of the file.
        let old = now.slice(0, length);
        let fresh = body(random, length).slice(0, length);
        let from = usize::try_from(random.random_range(0..=length)).unwrap_or_default();
        let to = usize::try_from(random.random_range(from as u64..=length)).unwrap_or_default();
        Body::bytes([&old[..from], &fresh[from..to], &old[to..]].concat())
    } else {
        body(random, other)
    };
    let is_open = random.random_bool(0.5);
    let route = if is_open { route.content(new.clone()) } else { route.content_with_same_validators(new.clone()) };
    (route, new, is_open)
}

/// Moment at which a try is interrupted, if at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cut {
    Never,
    /// Power cut when the response head has arrived.
    AtHead,
    /// Power cut after the server has sent this many more bytes.
    AfterBytes(u64),
    /// Power cut after this time.
    After(Duration),
    /// Power cut when the transfer is complete, before the ledger records the completion.
    AtTheEnd,
    /// No power cut: the transfer is stopped after the server has sent this many more bytes.
    Stop(u64),
    /// No power cut, but the response head cannot be stored.
    HeadRefused,
}

impl Cut {
    /// Draws at random when a try for a file of `length` bytes is interrupted.
    pub fn draw(random: &mut StdRng, length: u64) -> Self {
        let bytes = random.random_range(0..=length);
        match random.random_range(0..20) {
            0..=5 => Self::Never,
            6 => Self::AtHead,
            7..=12 => Self::AfterBytes(bytes),
            13..=15 => Self::After(Duration::from_micros(random.random_range(0..30_000))),
            16 | 17 => Self::AtTheEnd,
            18 => Self::Stop(bytes),
            _ => Self::HeadRefused,
        }
    }
}
