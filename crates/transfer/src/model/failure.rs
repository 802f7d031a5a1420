//! Describes why a transfer failed, and whether a retry could succeed. [pure]

use std::{io, time::Duration};

use rustix::io::Errno;
use url::Url;

use crate::model::failure_kind::{FailureCause, FailureKind};

/// Error of a transfer, with the facts that a scheduler needs to decide about a retry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TransferFailure {
    /// Kind of the failure.
    pub kind: FailureKind,
    /// HTTP status, if the server refused the request.
    pub status: Option<u16>,
    /// Fault of the response or of the TLS connection, if known.
    pub fault: Option<FailureCause>,
    /// Delay before the next attempt, as the server requested it (RFC 9110, section 10.2.3).
    pub retry_after: Option<Duration>,
    /// Observed detail for the activity log. Never displayed without an explanation.
    pub detail: String,
    /// Number of body bytes that an upload sent before the failure.
    pub sent: u64,
    /// Whether the server may have carried out a request that changes data, such as POST.
    ///
    /// Only the user can decide to repeat such a request (RFC 9110, section 9.2.1).
    pub may_be_done: bool,
    /// Number of free bytes that a retry needs. Set only if the disk was too full.
    pub needs_free: Option<u64>,
    /// All requested URLs. The request to the last one failed. Empty if there was no redirect.
    pub via: Vec<Url>,
}

impl TransferFailure {
    /// Creates a failure of `kind` with this detail.
    pub fn new(kind: FailureKind, detail: impl Into<String>) -> Self {
        Self {
            kind,
            status: None,
            fault: None,
            retry_after: None,
            detail: detail.into(),
            sent: 0,
            may_be_done: false,
            needs_free: None,
            via: Vec::new(),
        }
    }

    /// Creates the failure for a refusal with `status`.
    ///
    /// `asks` is true if the server asks for a sign-in. `held` is the number of bytes that were received before the
    /// refusal.
    ///
    /// If `held` is not 0, a 400, 401, 403, 404 or 410 means that the link has expired. Servers use all of these for
    /// expired signed links. A 401 that asks for a sign-in is excluded (RFC 9110, section 15.5.2).
    pub(crate) fn of_status(status: u16, asks: bool, held: u64, retry_after: Option<Duration>) -> Self {
        let kind = match status {
            400 | 403 | 404 | 410 if held > 0 => FailureKind::LinkExpired,
            401 if held > 0 && !asks => FailureKind::LinkExpired,
            _ => FailureKind::BadStatus,
        };
        Self { status: Some(status), retry_after, ..Self::new(kind, format!("the server answered {status}")) }
    }

    /// Creates the failure for an error while writing or reading an open file. `what` names the operation.
    pub(crate) fn of_disk(error: &io::Error, what: &str) -> Self {
        let kind = kind_of_volume(error).unwrap_or_else(|| match error.kind() {
            io::ErrorKind::ReadOnlyFilesystem | io::ErrorKind::PermissionDenied => FailureKind::Target,
            // Ashore reads only bytes that it has written. Another program has therefore truncated the file.
            io::ErrorKind::UnexpectedEof => FailureKind::PartialChanged,
            _ => FailureKind::Disk,
        });
        Self::new(kind, format!("{what}: {error}"))
    }

    /// Creates the failure for an error while creating, opening or naming a file in the target folder. `what` names the
    /// operation.
    pub(crate) fn of_target(error: &io::Error, what: &str) -> Self {
        let kind = kind_of_volume(error).unwrap_or_else(|| match error.kind() {
            io::ErrorKind::NotFound
            | io::ErrorKind::PermissionDenied
            | io::ErrorKind::NotADirectory
            | io::ErrorKind::IsADirectory
            | io::ErrorKind::ReadOnlyFilesystem
            | io::ErrorKind::InvalidFilename
            | io::ErrorKind::InvalidInput
            | io::ErrorKind::AlreadyExists => FailureKind::Target,
            _ if error.raw_os_error() == Some(Errno::LOOP.raw_os_error()) => FailureKind::Target,
            _ => FailureKind::Disk,
        });
        Self::new(kind, format!("{what}: {error}"))
    }

    /// Adds all requested URLs to the failure, if there was a redirect.
    pub(crate) fn by_way_of(self, chain: &[Url]) -> Self {
        Self { via: if chain.len() > 1 { chain.to_vec() } else { Vec::new() }, ..self }
    }

    /// Returns whether a refusal may concern only the range. If so, a request without a range may succeed.
    ///
    /// A missing sign-in and a rate limit are excluded, because they also affect a request without a range. A refusal
    /// that states when to retry is also excluded, because the same request may succeed then.
    pub(crate) fn may_be_about_ranges(&self) -> bool {
        match (self.kind, self.status) {
            _ if self.retry_after.is_some() && self.is_transient() => false,
            (FailureKind::BadStatus | FailureKind::LinkExpired, Some(status)) => !matches!(status, 401 | 407 | 408 | 425 | 429),
            (FailureKind::Reset | FailureKind::Truncated | FailureKind::Protocol, _) => true,
            _ => false,
        }
    }

    /// Returns whether the request can be repeated safely.
    ///
    /// This is the case if no server can have carried out the request.
    pub fn may_be_repeated(&self) -> bool {
        self.sent == 0 && !self.may_be_done
    }

    /// Returns whether the same request may succeed later, without any change.
    pub fn is_transient(&self) -> bool {
        if !self.may_be_repeated() {
            return false;
        }
        if self.fault.is_some_and(FailureCause::is_of_the_server_s_making) {
            return false;
        }
        match self.kind {
            kind if kind.is_of_connecting() => true,
            FailureKind::Timeout
            | FailureKind::Reset
            | FailureKind::Truncated
            | FailureKind::Protocol
            | FailureKind::PartialChanged
            | FailureKind::DiskFull
            | FailureKind::DiskQuota
            | FailureKind::DiskAway
            // A disk error may be temporary (a cable, a controller that restarts). The transfer then resumes from the
            // durable bytes.
            | FailureKind::Disk
            | FailureKind::TooManyOpen => true,
            FailureKind::BadStatus | FailureKind::LinkExpired if self.states_a_wait() => true,
            FailureKind::BadStatus => matches!(self.status, Some(202 | 408 | 425 | 429 | 500 | 502 | 503 | 504)),
            _ => false,
        }
    }

    /// Returns whether a refusal states when to retry (RFC 9110, section 10.2.3).
    ///
    /// Servers with rate limits also do this with status 403. Other refusals do not change with time: the file does not
    /// exist, access is forbidden, or a sign-in is required.
    fn states_a_wait(&self) -> bool {
        let is_refusal = matches!(self.status, Some(400..=499)) && !matches!(self.status, Some(401 | 407 | 410 | 451));
        self.retry_after.is_some() && is_refusal
    }
}

/// Returns the failure kind of an error that means the same in every disk operation.
///
/// Returns `None` for other errors.
fn kind_of_volume(error: &io::Error) -> Option<FailureKind> {
    match error.kind() {
        io::ErrorKind::StorageFull => Some(FailureKind::DiskFull),
        io::ErrorKind::QuotaExceeded => Some(FailureKind::DiskQuota),
        io::ErrorKind::FileTooLarge => Some(FailureKind::FileTooLarge),
        _ if is_out_of_descriptors(error) => Some(FailureKind::TooManyOpen),
        _ if is_away(error) => Some(FailureKind::DiskAway),
        _ => None,
    }
}

/// Returns whether the disk or share is temporarily unavailable.
///
/// Checks for errors of network file systems, FUSE and unplugged drives. EIO is excluded, because it means that bytes
/// are wrong.
fn is_away(error: &io::Error) -> bool {
    matches!(
        Errno::from_io_error(error),
        Some(
            Errno::NOTCONN
                | Errno::HOSTDOWN
                | Errno::HOSTUNREACH
                | Errno::NETDOWN
                | Errno::NETUNREACH
                | Errno::CONNABORTED
                | Errno::CONNRESET
                | Errno::CONNREFUSED
                | Errno::SHUTDOWN
                | Errno::TIMEDOUT
                | Errno::STALE
                | Errno::NODEV
                | Errno::NXIO
                | Errno::NOMEDIUM
                | Errno::NOLINK
        )
    )
}

/// Returns whether the process or the whole machine has reached its limit of open files.
pub(crate) fn is_out_of_descriptors(error: &io::Error) -> bool {
    matches!(Errno::from_io_error(error), Some(Errno::MFILE | Errno::NFILE))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn temporary_failures_are_transient_and_others_are_not() {
        let transient = |kind| TransferFailure::new(kind, "").is_transient();
        use FailureKind as Kind;
        for kind in [Kind::Dns, Kind::NameServer, Kind::Timeout, Kind::Reset, Kind::Truncated, Kind::DiskFull, Kind::TooManyOpen]
        {
            assert!(transient(kind), "{kind:?}");
        }
        for kind in [Kind::Certificate, Kind::DigestMismatch, Kind::Target, Kind::UploadInterrupted] {
            assert!(!transient(kind), "{kind:?}");
        }
    }

    #[test]
    fn status_is_transient_only_if_server_may_recover() {
        let known = [
            (202, true),
            (204, false),
            (205, false),
            (207, false),
            (302, false),
            (404, false),
            (403, false),
            (410, false),
            (408, true),
            (429, true),
            (503, true),
            (501, false),
        ];
        for (status, transient) in known {
            let failure = TransferFailure { status: Some(status), ..TransferFailure::new(FailureKind::BadStatus, "") };
            assert_eq!(failure.is_transient(), transient, "{status}");
        }
    }

    #[test]
    fn refused_link_counts_as_expired_if_bytes_were_received() {
        let kind = |status, asks, held| TransferFailure::of_status(status, asks, held, None).kind;
        for status in [400, 401, 403, 404, 410] {
            assert_eq!(
                (kind(status, false, 1), kind(status, false, 0)),
                (FailureKind::LinkExpired, FailureKind::BadStatus),
                "{status}"
            );
        }
        for status in [429, 500, 503] {
            assert_eq!(kind(status, false, 1), FailureKind::BadStatus, "{status}");
        }
        assert_eq!((kind(401, true, 1), kind(403, true, 1)), (FailureKind::BadStatus, FailureKind::LinkExpired));
        assert!(!TransferFailure::of_status(403, false, 1, None).is_transient());
    }

    #[test]
    fn refusal_with_stated_wait_is_transient() {
        let refused = |status, retry_after: Option<u64>| TransferFailure {
            status: Some(status),
            retry_after: retry_after.map(Duration::from_secs),
            ..TransferFailure::new(FailureKind::BadStatus, "")
        };
        for status in [403, 404, 409, 423, 429] {
            assert!(refused(status, Some(2)).is_transient(), "{status}");
        }
        for status in [403, 404, 409, 423] {
            assert!(!refused(status, None).is_transient(), "{status}");
        }
        for status in [401, 407, 410, 451] {
            assert!(!refused(status, Some(2)).is_transient(), "{status}");
        }
    }

    #[test]
    fn refusal_of_range_is_distinguished_from_refusal_of_file() {
        let refused = |status| TransferFailure::of_status(status, false, 1, None).may_be_about_ranges();
        for status in [202, 204, 302, 400, 403, 404, 405, 410, 418, 500, 501, 502, 503] {
            assert!(refused(status), "{status}");
        }
        for status in [401, 407, 408, 425, 429] {
            assert!(!refused(status), "{status}");
        }
        assert!(!TransferFailure::of_status(503, false, 1, Some(Duration::ZERO)).may_be_about_ranges());
        let broken = |kind| TransferFailure::new(kind, "").may_be_about_ranges();
        assert!(broken(FailureKind::Reset) && broken(FailureKind::Protocol));
        assert!(!broken(FailureKind::Connect) && !broken(FailureKind::Dns) && !broken(FailureKind::Timeout));
    }

    #[test]
    fn failure_after_sending_upload_is_not_transient() {
        let failure = TransferFailure { sent: 1, ..TransferFailure::new(FailureKind::Reset, "") };
        assert!(!failure.is_transient());
    }

    #[test]
    fn error_of_a_volume_is_classified_alike_in_every_operation() {
        let both = |errno: Errno| [TransferFailure::of_target(&errno.into(), "x"), TransferFailure::of_disk(&errno.into(), "x")];
        for errno in [Errno::NOTCONN, Errno::HOSTDOWN, Errno::STALE, Errno::TIMEDOUT, Errno::NODEV, Errno::NOMEDIUM] {
            for failure in both(errno) {
                assert!(failure.kind == FailureKind::DiskAway && failure.is_transient(), "{errno:?}");
            }
        }
        for (errno, kind, is_transient) in [
            (Errno::DQUOT, FailureKind::DiskQuota, true),
            (Errno::FBIG, FailureKind::FileTooLarge, false),
            (Errno::NOSPC, FailureKind::DiskFull, true),
            (Errno::IO, FailureKind::Disk, true),
            (Errno::AGAIN, FailureKind::Disk, true),
        ] {
            for failure in both(errno) {
                assert_eq!((failure.kind, failure.is_transient()), (kind, is_transient), "{errno:?}");
            }
        }
    }

    #[test]
    fn full_disk_and_unusable_folder_and_broken_disk_are_distinguished() {
        let of = |kind: io::ErrorKind| TransferFailure::of_target(&kind.into(), "x").kind;
        assert_eq!(of(io::ErrorKind::StorageFull), FailureKind::DiskFull);
        assert_eq!(of(io::ErrorKind::QuotaExceeded), FailureKind::DiskQuota);
        assert_eq!(of(io::ErrorKind::NotFound), FailureKind::Target);
        assert_eq!(of(io::ErrorKind::ReadOnlyFilesystem), FailureKind::Target);
        assert_eq!(of(io::ErrorKind::Other), FailureKind::Disk);
        for errno in [Errno::MFILE, Errno::NFILE] {
            let both = [TransferFailure::of_target(&errno.into(), "x"), TransferFailure::of_disk(&errno.into(), "x")];
            assert_eq!(both.map(|failure| failure.kind), [FailureKind::TooManyOpen; 2]);
        }
        assert_eq!(TransferFailure::of_disk(&io::ErrorKind::StorageFull.into(), "x").kind, FailureKind::DiskFull);
        assert_eq!(TransferFailure::of_disk(&io::ErrorKind::NotFound.into(), "x").kind, FailureKind::Disk);
        let cut = TransferFailure::of_disk(&io::ErrorKind::UnexpectedEof.into(), "x");
        assert!(cut.kind == FailureKind::PartialChanged && cut.is_transient());
        // The disk works, but the permission to write there was removed.
        assert_eq!(TransferFailure::of_disk(&io::ErrorKind::PermissionDenied.into(), "x").kind, FailureKind::Target);
    }
}
