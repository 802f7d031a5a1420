//! Every fault of a server, by its name, and what is right to have of a file from it.

use std::time::Duration;

use ashore_tests::{
    origin::{Body, Route},
    packed::packed,
};

const MIB: u64 = 1 << 20;

/// A fault.
#[derive(Debug)]
pub(super) struct ServerFault {
    /// What it is called; its file is, too.
    pub name: &'static str,
    /// What the server is like, also while it is honest.
    pub is: fn(Route) -> Route,
    /// What it does, to a file of so many bytes.
    pub does: fn(Route, u64) -> Route,
    /// How the file changes in the middle, where it does.
    pub changes: Option<fn(Route, Body) -> Route>,
    /// What is sent instead of the file, where something is made of its bytes.
    pub packs: Option<fn(Route, &[u8]) -> Route>,
    /// The new file is longer than the old one.
    pub is_longer: bool,
    /// The new file begins as the old one does, for as long as a resume compares at its end.
    pub begins_alike: bool,
    /// It never ends: the file need not come.
    pub stays: bool,
    /// What may be called done.
    pub right: FaultExpectation,
}

/// What may be called done.
#[derive(Clone, Copy, Debug)]
pub(super) enum FaultExpectation {
    /// Every byte, of one version of the file.
    Whole,
    /// That, or what the server states: so many bytes of so many.
    First(fn(u64) -> u64),
    /// That, or all that came until the connection was closed in order, where that is all that tells the end.
    Any,
}

const HONEST: ServerFault = ServerFault {
    name: "",
    is: |route| route,
    does: |route, _| route,
    changes: None,
    packs: None,
    is_longer: false,
    begins_alike: false,
    stays: false,
    right: FaultExpectation::Whole,
};

/// It does this.
const fn does(name: &'static str, does: fn(Route, u64) -> Route) -> ServerFault {
    ServerFault { name, does, ..HONEST }
}

/// It is like this, and nothing else is wrong.
const fn is(name: &'static str, is: fn(Route) -> Route) -> ServerFault {
    ServerFault { name, is, ..HONEST }
}

/// The file changes like this.
const fn changes(name: &'static str, is: fn(Route) -> Route, changes: fn(Route, Body) -> Route) -> ServerFault {
    ServerFault { name, is, changes: Some(changes), ..HONEST }
}

/// What it sends is made of the file.
const fn packs(name: &'static str, packs: fn(Route, &[u8]) -> Route) -> ServerFault {
    ServerFault { name, packs: Some(packs), ..HONEST }
}

/// All of them.
pub(super) const FAULTS: &[ServerFault] = &[
    // Connections.
    does("reset-at-half", |route, length| route.reset_after(length / 2)),
    does("reset-at-half-once", |route, length| route.reset_after(length / 2).times(1)),
    does("reset-every-mebibyte", |route, _| route.reset_after(MIB)),
    does("reset-at-once-thrice", |route, _| route.reset_after(100).times(3)),
    does("closed-at-half", |route, length| route.end_after(length / 2)),
    does("closed-at-half-once", |route, length| route.end_after(length / 2).times(1)),
    does("closed-every-mebibyte", |route, _| route.end_after(MIB)),
    does("stalled-once", |route, length| route.stall_after(length / 2).times(1)),
    does("stalled", |route, length| route.stall_after(length / 2)),
    does("mute-once", |route, _| route.hang().times(1)),
    does("mute", |route, _| route.hang()),
    does("closed-before-the-head-twice", |route, _| route.close_before_head().times(2)),
    does("closed-before-the-head", |route, _| route.close_before_head()),
    does("one-byte-now-and-then", |route, _| route.one_byte_every(Duration::from_millis(100))),
    // Lengths.
    does("length-one-too-large", |route, _| route.misstate_length(1)),
    does("length-much-too-large", |route, _| route.misstate_length(1 << 20)),
    ServerFault {
        right: FaultExpectation::First(|length| length - 1),
        ..does("length-one-too-small", |route, _| route.misstate_length(-1))
    },
    ServerFault {
        right: FaultExpectation::First(|length| length - MIB),
        ..does("length-much-too-small", |route, _| route.misstate_length(-(1 << 20)))
    },
    ServerFault { right: FaultExpectation::First(|_| 0), ..does("length-zero", |route, _| route.claim_length(0)) },
    does("length-one-pebibyte", |route, _| route.claim_length(1 << 50)),
    does("length-beyond-all-numbers", |route, _| route.claim_length(u64::MAX)),
    ServerFault { stays: true, ..does("length-twice", |route, _| route.header("Content-Length", "5")) },
    ServerFault { stays: true, ..does("length-and-chunks", |route, _| route.header("Transfer-Encoding", "chunked")) },
    ServerFault { is: |route| route.chunked(), ..does("chunks-without-an-end", |route, length| route.end_after(length / 2)) },
    ServerFault { is: |route| route.chunked(), ..does("chunks-reset", |route, length| route.reset_after(length / 2).times(2)) },
    ServerFault {
        is: |route| route.until_close(),
        right: FaultExpectation::Any,
        ..does("no-length-closed-at-half", |route, length| route.end_after(length / 2))
    },
    ServerFault {
        is: |route| route.http10(),
        right: FaultExpectation::Any,
        ..does("old-and-closed-at-half", |route, length| route.end_after(length / 2))
    },
    ServerFault { is: |route| route.http10(), ..does("old-and-reset", |route, length| route.reset_after(length / 2).times(2)) },
    does("a-mebibyte-of-headers", |route, _| route.large_head()),
    // Ranges.
    does("ranges-ignored", |route, _| route.ignore_ranges()),
    does("ranges-ignored-after-a-reset", |route, length| route.ignore_ranges().reset_after(length / 2).times(1)),
    does("ranges-one-later", |route, _| route.shift_ranges(1)),
    does("ranges-one-earlier", |route, _| route.shift_ranges(-1)),
    does("ranges-much-later", |route, _| route.shift_ranges(64 << 10)),
    does("ranges-lie-by-one", |route, _| route.misplace_ranges(1)),
    does("ranges-lie-by-minus-one", |route, _| route.misplace_ranges(-1)),
    does("ranges-lie-by-a-mebibyte", |route, _| route.misplace_ranges(1 << 20)),
    does("ranges-lie-backwards", |route, _| route.misplace_ranges(-(1 << 20))),
    does("ranges-lie-after-a-reset", |route, length| route.misplace_ranges(70_000).reset_after(length / 2).times(1)),
    does("ranges-of-one-byte-ten-times", |route, _| route.shorten_ranges(1).times(10)),
    does("ranges-of-a-kilobyte", |route, _| route.shorten_ranges(1000)),
    does("ranges-of-a-mebibyte", |route, _| route.shorten_ranges(MIB)),
    does("ranges-unstated", |route, _| route.unstated_ranges()),
    does("total-too-small", |route, length| route.claim_total(&(length / 2).to_string())),
    does("total-too-large", |route, length| route.claim_total(&(length + 1).to_string())),
    does("total-unknown", |route, _| route.claim_total("*")),
    does("total-beyond-all-numbers", |route, _| route.claim_total("100000000000000000000000")),
    does("ranges-encoded", |route, _| route.encode_ranges("gzip")),
    does("no-such-range", |route, _| route.refuse_ranges(None)),
    does("no-such-range-of-the-same-length", |route, length| route.refuse_ranges(Some(&format!("bytes */{length}")))),
    does("no-such-range-of-another-length", |route, length| route.refuse_ranges(Some(&format!("bytes */{}", length - 1)))),
    does("a-part-unasked", |route, _| route.part_unasked(1000)),
    does("half-unasked", |route, length| route.part_unasked(length / 2)),
    // Answers.
    does("error-page-twice", |route, _| route.status(500).times(2)),
    does("missing", |route, _| route.status(404)),
    does("busy-for-a-second", |route, _| route.status_until(429, "1").times(1)),
    does("busy-until-soon", |route, _| route.status_until(503, "soon").times(2)),
    does("busy-for-years", |route, _| route.status_until(503, "99999999")),
    does("used-up", |route, _| route.runs_out_after(2, 410)),
    does("a-page-to-sign-in", |route, _| route.login_page()),
    does("a-page-to-sign-in-once", |route, _| route.login_page().times(1)),
    does("in-circles", |route, _| route.redirect(302, "in-circles.bin")),
    does("to-a-file-of-this-machine", |route, _| route.redirect(302, "file:///etc/passwd")),
    does("to-another-scheme", |route, _| route.redirect(302, "ftp://127.0.0.1/a")),
    is("encoded-as-it-says-and-is-not", |route| route.header("Content-Encoding", "identity")),
    packs("in-gzip-unasked", |route, bytes| {
        let packed = packed(bytes);
        let length = packed.len();
        route.gzipped(packed, length)
    }),
    packs("in-gzip-closed-at-half", |route, bytes| {
        let mut packed = packed(bytes);
        let length = packed.len();
        packed.truncate(length / 2);
        route.gzipped(packed, length)
    }),
    // Which file it is.
    does("another-tag-every-time", |route, _| route.fickle_etag()),
    ServerFault {
        is: |route| route.no_validators(),
        ..does("no-validators-reset", |route, length| route.reset_after(length / 2).times(2))
    },
    ServerFault {
        is: |route| route.weak_etag(),
        ..does("weak-tag-reset", |route, length| route.reset_after(length / 2).times(2))
    },
    changes("changed", |route| route, Route::content),
    changes("changed-and-says-nothing", |route| route, Route::content_with_same_validators),
    changes("changed-without-validators", |route| route.no_validators(), Route::content_with_same_validators),
    changes("changed-with-a-weak-tag", |route| route.weak_etag(), Route::content_with_same_validators),
    ServerFault {
        begins_alike: true,
        ..changes("changed-behind-its-beginning", |route| route, Route::content_with_same_validators)
    },
    ServerFault {
        begins_alike: true,
        ..changes(
            "changed-behind-its-beginning-without-validators",
            |route| route.no_validators(),
            Route::content_with_same_validators,
        )
    },
    ServerFault {
        begins_alike: true,
        ..changes("changed-behind-its-beginning-with-a-weak-tag", |route| route.weak_etag(), Route::content_with_same_validators)
    },
    ServerFault { begins_alike: true, ..changes("changed-behind-its-beginning-and-says-so", |route| route, Route::content) },
    ServerFault { is_longer: true, ..changes("changed-and-longer", |route| route, Route::content_with_same_validators) },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_more_than_sixty_each_with_a_name_of_its_own() {
        assert!(FAULTS.len() >= 60, "{}", FAULTS.len());
        for fault in FAULTS {
            assert_eq!(FAULTS.iter().filter(|other| other.name == fault.name).count(), 1, "{}", fault.name);
        }
    }
}
