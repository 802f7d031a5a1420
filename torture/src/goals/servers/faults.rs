//! Named server faults, and the file contents that may be reported as complete.

use std::time::Duration;

use ashore_testkit::{
    origin::{Body, Route},
    packed::packed,
};

const MIB: u64 = 1 << 20;

/// Server fault.
#[derive(Debug)]
pub(super) struct ServerFault {
    /// Name of the fault and of its file.
    pub name: &'static str,
    /// Permanent behaviour, which the server shows even while the fault is not active.
    pub is: fn(Route) -> Route,
    /// Applies the fault to a file of this length.
    pub does: fn(Route, u64) -> Route,
    /// Changes the file in the middle of a transfer, if set.
    pub changes: Option<fn(Route, Body) -> Route>,
    /// Makes the server send a response derived from the file's bytes, if set.
    pub packs: Option<fn(Route, &[u8]) -> Route>,
    /// Whether the new file is longer than the old one.
    pub is_longer: bool,
    /// Whether the old and the new file have the same bytes in the part that a resume compares.
    pub begins_alike: bool,
    /// Whether the fault is permanent. If it is, the file need not arrive.
    pub stays: bool,
    /// File contents that may be reported as complete.
    pub right: FaultExpectation,
}

/// File contents that a program may report as complete.
#[derive(Clone, Copy, Debug)]
pub(super) enum FaultExpectation {
    /// Every byte of one version of the file.
    Whole,
    /// The whole file, or the part that the server declares.
    ///
    /// The function computes the length of this part from the file's length.
    First(fn(u64) -> u64),
    /// The whole file, or any number of its first bytes.
    ///
    /// The response does not state its length, and ends when the server closes the connection. If the server closes the
    /// connection too early, a program cannot notice that bytes are missing.
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

/// Returns a fault that the server shows only while the fault is active.
const fn does(name: &'static str, does: fn(Route, u64) -> Route) -> ServerFault {
    ServerFault { name, does, ..HONEST }
}

/// Returns a fault that the server shows at all times.
const fn is(name: &'static str, is: fn(Route) -> Route) -> ServerFault {
    ServerFault { name, is, ..HONEST }
}

/// Returns a fault that changes the file.
const fn changes(name: &'static str, is: fn(Route) -> Route, changes: fn(Route, Body) -> Route) -> ServerFault {
    ServerFault { name, is, changes: Some(changes), ..HONEST }
}

/// Returns a fault that sends data derived from the file.
const fn packs(name: &'static str, packs: fn(Route, &[u8]) -> Route) -> ServerFault {
    ServerFault { name, packs: Some(packs), ..HONEST }
}

/// All faults.
pub(super) const FAULTS: &[ServerFault] = &[
    // Faults of connections.
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
    // Faults in lengths.
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
    // Faults in ranges.
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
    // Faults in responses.
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
    // Faults in validators, and changes of the file.
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
    fn fault_table_has_at_least_sixty_unique_names() {
        assert!(FAULTS.len() >= 60, "{}", FAULTS.len());
        for fault in FAULTS {
            assert_eq!(FAULTS.iter().filter(|other| other.name == fault.name).count(), 1, "{}", fault.name);
        }
    }
}
