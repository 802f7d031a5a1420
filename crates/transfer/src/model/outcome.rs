//! How a transfer ended, and whether trying again could mend it. [pure]

use std::{io, path::PathBuf, time::Duration};

use rustix::io::Errno;
use serde::{Deserialize, Serialize};
use url::Url;

use crate::model::digest::FileDigest;

/// How one run of a transfer ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TransferOutcome {
    /// The file is durable under its final name (or the answer had no body to keep).
    Completed(CompletedTransfer),
    /// It ended with an error; `bytes` that are durable in the partial are kept for another try.
    Failed {
        /// What happened.
        failure: TransferFailure,
        /// Durable body bytes kept.
        bytes: u64,
    },
    /// It was told to stop; `bytes` that are durable in the partial are kept.
    Stopped {
        /// Durable body bytes kept.
        bytes: u64,
        /// Body bytes of an upload that had already left; such a request is not sent again by itself.
        sent: u64,
    },
}

/// What a finished transfer leaves behind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompletedTransfer {
    /// Where the file is; none when an upload was answered without a body.
    pub path: Option<PathBuf>,
    /// Bytes in it.
    pub size: u64,
    /// How it was checked.
    pub verified: Verification,
    /// The digest that was checked, where one was expected.
    pub digest: Option<FileDigest>,
    /// The digest that [`Expected::compute`](crate::Expected) asked for.
    pub computed: Option<FileDigest>,
    /// Guarantees that the folder's file system could not give for the file.
    pub missing: Vec<MissingGuarantee>,
}

/// A promise of every published file that a file system cannot keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MissingGuarantee {
    /// The file has the permissions that the file system gives, and not those that were asked for.
    Permissions,
    /// Its bytes may be lost in a power cut, although it was reported as complete.
    Sync,
    /// Its name may be lost in a power cut, although it was reported as complete.
    FolderSync,
    /// A file that another program gave the same name in the same moment could have been replaced.
    ExclusiveName,
    /// It was copied under its final name, so that the name stood for an unfinished file meanwhile.
    AtOnce,
}

/// How far a file's content was checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verification {
    /// It ended in order, and nobody said how long it is; nothing vouches for the bytes.
    SizeUnknown,
    /// Its length is right; nothing vouches for the bytes, but for the places that were compared where it was resumed.
    No,
    /// Its length is right, and at each resume the server named the same strong validator, and the overlap was the same.
    OnResume,
    /// It has the digest that was expected.
    ByDigest,
}

/// A file came again from its first byte, though some of it had come. What had come is kept aside until it is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TransferRestart {
    /// Why.
    pub why: RestartReason,
    /// Body bytes that had come before.
    pub bytes: u64,
}

/// Why a file was begun anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RestartReason {
    /// The file on the server is another one now.
    Changed,
    /// The server does not go on in the middle of a file, or not as it was asked.
    NoRanges,
    /// The server does not say that it is another file, and gives other bytes than those that had come.
    Differs,
    /// What had come was moved or deleted while it was written; nothing is kept.
    Gone,
}

/// An error with what a scheduler needs to decide about another try.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TransferFailure {
    /// What kind.
    pub kind: FailureKind,
    /// The HTTP status, where the server answered with a refusal.
    pub status: Option<u16>,
    /// The fault of the answer, where it does not follow HTTP and the fault is known.
    pub fault: Option<FailureCause>,
    /// How long the server asked us to stay away (RFC 9110, section 10.2.3).
    pub retry_after: Option<Duration>,
    /// What was seen, for the activity log; never shown alone.
    pub detail: String,
    /// Body bytes of an upload that had left when it failed.
    pub sent: u64,
    /// The server may have done what a request asked for that is no plain reading, such as POST: only a person knows whether
    /// it may be done twice (RFC 9110, section 9.2.1).
    pub may_be_done: bool,
    /// Bytes that must be free for another try to get anywhere, where the disk was too small for it and that is known.
    pub needs_free: Option<u64>,
    /// Every address on the way, the last one failed; empty where it was not sent on.
    pub via: Vec<Url>,
}

/// The fault of an answer that does not follow HTTP, or of a secure connection that could not be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FailureCause {
    /// It does not begin as an answer in HTTP does.
    NotHttp,
    /// Its head cannot be read.
    Head,
    /// Its head is larger than any that is meant.
    LargeHead,
    /// The chunks of its body cannot be told apart.
    Chunks,
    /// It is a part of the file that was not requested.
    Part,
    /// The server speaks TLS where the link says http.
    NeedsTls,
    /// The server speaks no TLS where the link says https.
    NotTls,
    /// The server speaks no version of TLS that is safe: none from 1.2 on.
    OldTls,
    /// The server ended the handshake: no cipher in common, or a certificate of the client is missing.
    Handshake,
    /// The server wants a certificate of the client.
    ClientCertificate,
    /// The server's certificate is not valid yet.
    NotValidYet,
}

impl FailureCause {
    /// Whether the fault stays until the server is configured differently.
    fn is_of_the_server_s_making(self) -> bool {
        matches!(self, Self::NeedsTls | Self::NotTls | Self::OldTls | Self::Handshake | Self::ClientCertificate)
    }
}

/// Every way a transfer can fail. The code of each is stable: programs branch on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FailureKind {
    /// There is no server of that name.
    Dns,
    /// Nobody could say whether there is one: the network's name server failed, or took too long.
    NameServer,
    /// The server could not be reached.
    Connect,
    /// The server did not take the connection in time.
    ConnectTimeout,
    /// The proxy could not be reached, or would not connect to the server.
    Proxy,
    /// The proxy asks for a sign-in.
    ProxySignIn,
    /// The secure connection was cut short while it was being made.
    TlsHandshake,
    /// The server's certificate is not valid, for a reason that has no kind of its own.
    Certificate,
    /// It has expired, or is not valid yet.
    CertificateExpired,
    /// It is signed by itself, or by somebody this machine does not know.
    CertificateUntrusted,
    /// It is another server's.
    CertificateName,
    /// Nothing arrived for too long.
    Timeout,
    /// The whole took longer than it may.
    TotalTimeout,
    /// The connection was cut in mid-body.
    Reset,
    /// The body ended before its declared end.
    Truncated,
    /// The answer does not follow HTTP.
    Protocol,
    /// The server refused with a status.
    BadStatus,
    /// More than ten redirects.
    TooManyRedirects,
    /// A redirect to somewhere Ashore does not go.
    RefusedRedirect,
    /// A program asked for something that is not on the public internet, or was led there.
    PrivateAddress,
    /// The file on the server is not the one that was begun, and starting over did not settle it.
    ChangedOnServer,
    /// A web page came where a file was promised; nothing of it was kept.
    WebPage,
    /// The link worked until some of the file had come, and now is refused; what came is kept for a new link.
    LinkExpired,
    /// The file that is offered has another size than was expected.
    WrongSize,
    /// The server contradicts itself about the length of the file: what it announces never comes, or differs under one
    /// strong validator.
    UntrueLength,
    /// The finished file does not have the expected digest.
    DigestMismatch,
    /// The disk is full.
    DiskFull,
    /// The user's quota of the disk is used up.
    DiskQuota,
    /// The file is larger than the file system, or a limit of this login, allows a file to be.
    FileTooLarge,
    /// The disk, or the share of the network, is not there for the moment.
    DiskAway,
    /// The target folder is gone, read-only or not a folder.
    Target,
    /// Somebody else moved, replaced, deleted or changed the partial while it was written, and that again.
    PartialChanged,
    /// Reading or writing the disk failed otherwise.
    Disk,
    /// The process, or the whole machine, may open nothing more for the moment.
    TooManyOpen,
    /// More came than the group declared.
    DownloadTotalExceeded,
    /// A quota has no room for more; what came is kept.
    QuotaReached,
    /// An upload was cut after bytes had left; it is not sent again by itself.
    UploadInterrupted,
    /// The file to upload is gone or unreadable, or changed size.
    UploadSource,
    /// A defect of Ashore; the transfer ended, the rest goes on.
    Internal,
}

impl FailureKind {
    /// The stable word for programs, such as `bad-status`.
    pub fn code(self) -> &'static str {
        match self {
            Self::Dns => "dns",
            Self::NameServer => "name-server",
            Self::Connect => "connect",
            Self::ConnectTimeout => "connect-timeout",
            Self::Proxy => "proxy",
            Self::ProxySignIn => "proxy-sign-in",
            Self::TlsHandshake => "tls-handshake",
            Self::Certificate => "certificate",
            Self::CertificateExpired => "certificate-expired",
            Self::CertificateUntrusted => "certificate-untrusted",
            Self::CertificateName => "certificate-name",
            Self::Timeout => "timeout",
            Self::TotalTimeout => "total-timeout",
            Self::Reset => "reset",
            Self::Truncated => "truncated",
            Self::Protocol => "protocol",
            Self::BadStatus => "bad-status",
            Self::TooManyRedirects => "too-many-redirects",
            Self::RefusedRedirect => "refused-redirect",
            Self::PrivateAddress => "private-address",
            Self::ChangedOnServer => "changed-on-server",
            Self::WebPage => "web-page",
            Self::LinkExpired => "link-expired",
            Self::WrongSize => "wrong-size",
            Self::UntrueLength => "untrue-length",
            Self::DigestMismatch => "digest-mismatch",
            Self::DiskFull => "disk-full",
            Self::DiskQuota => "disk-quota",
            Self::FileTooLarge => "file-too-large",
            Self::DiskAway => "disk-away",
            Self::Target => "target",
            Self::PartialChanged => "partial-changed",
            Self::Disk => "disk",
            Self::TooManyOpen => "too-many-open",
            Self::DownloadTotalExceeded => "download-total-exceeded",
            Self::QuotaReached => "quota-reached",
            Self::UploadInterrupted => "upload-interrupted",
            Self::UploadSource => "upload-source",
            Self::Internal => "internal",
        }
    }
}

impl FailureKind {
    /// No other connection could do better: there is no budget for one byte more.
    pub(crate) fn ends_all(self) -> bool {
        matches!(self, Self::DownloadTotalExceeded | Self::QuotaReached)
    }

    /// Whether no connection was made, for a reason that may pass by itself. Wrong certificates are another matter: they stay
    /// until a person acts.
    pub(crate) fn is_of_connecting(self) -> bool {
        use FailureKind::{Connect, ConnectTimeout, Dns, NameServer, Proxy, TlsHandshake};
        matches!(self, Dns | NameServer | Connect | ConnectTimeout | Proxy | TlsHandshake)
    }
}

impl TransferFailure {
    /// A failure of `kind`, with what was seen.
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

    /// The server refused with `status`, and `asks` for a sign-in or not. Where `held` bytes had come from it before, it is the
    /// link that has run out: signed ones are refused with any of these. Who wants a sign-in asks for it (RFC 9110, section
    /// 15.5.2).
    pub(crate) fn of_status(status: u16, asks: bool, held: u64, retry_after: Option<Duration>) -> Self {
        let kind = match status {
            400 | 403 | 404 | 410 if held > 0 => FailureKind::LinkExpired,
            401 if held > 0 && !asks => FailureKind::LinkExpired,
            _ => FailureKind::BadStatus,
        };
        Self { status: Some(status), retry_after, ..Self::new(kind, format!("the server answered {status}")) }
    }

    /// A failure of writing or reading a file that was open; `what` was being done.
    pub(crate) fn of_disk(error: &io::Error, what: &str) -> Self {
        let kind = kind_of_volume(error).unwrap_or_else(|| match error.kind() {
            io::ErrorKind::ReadOnlyFilesystem | io::ErrorKind::PermissionDenied => FailureKind::Target,
            // Only what was written is ever read.
            io::ErrorKind::UnexpectedEof => FailureKind::PartialChanged,
            _ => FailureKind::Disk,
        });
        Self::new(kind, format!("{what}: {error}"))
    }

    /// A failure of making, opening or naming a file in the target folder; `what` was being done.
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

    /// The same, of a request that went along these addresses.
    pub(crate) fn by_way_of(self, chain: &[Url]) -> Self {
        Self { via: if chain.len() > 1 { chain.to_vec() } else { Vec::new() }, ..self }
    }

    /// Whether the refusal of a range may be about the range alone, so that a plain request is worth making. A sign-in that
    /// is missing and a limit on requests concern the plain request as well, and a server that states a wait gets it.
    pub(crate) fn may_be_about_ranges(&self) -> bool {
        match (self.kind, self.status) {
            _ if self.retry_after.is_some() && self.is_transient() => false,
            (FailureKind::BadStatus | FailureKind::LinkExpired, Some(status)) => !matches!(status, 401 | 407 | 408 | 425 | 429),
            (FailureKind::Reset | FailureKind::Truncated | FailureKind::Protocol, _) => true,
            _ => false,
        }
    }

    /// Whether no server can have done anything for it that must not be done twice.
    pub fn may_be_repeated(&self) -> bool {
        self.sent == 0 && !self.may_be_done
    }

    /// May the same request succeed later without anybody changing it?
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
            // A disk that fails for a moment (a cable, a controller that starts anew) goes on from what was durable.
            | FailureKind::Disk
            | FailureKind::TooManyOpen => true,
            FailureKind::BadStatus | FailureKind::LinkExpired if self.states_a_wait() => true,
            FailureKind::BadStatus => matches!(self.status, Some(202 | 408 | 425 | 429 | 500 | 502 | 503 | 504)),
            _ => false,
        }
    }

    /// Whether a refusal says when to ask again (RFC 9110, section 10.2.3), as limits on requests do under 403 as well. What
    /// is gone or forbidden for good, and what takes a sign-in, does not change with time.
    fn states_a_wait(&self) -> bool {
        let is_refusal = matches!(self.status, Some(400..=499)) && !matches!(self.status, Some(401 | 407 | 410 | 451));
        self.retry_after.is_some() && is_refusal
    }
}

/// The kind of failures that say the same whatever was being done; none for the others.
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

/// Whether the disk or the share is not there for the moment, as the file systems of networks, FUSE and drives that were pulled
/// out say it. EIO is none of them: it says that bytes are wrong.
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

/// Whether this process, or the whole machine, has as much open as it may.
pub(crate) fn is_out_of_descriptors(error: &io::Error) -> bool {
    matches!(Errno::from_io_error(error), Some(Errno::MFILE | Errno::NFILE))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_time_can_mend_is_transient_and_what_it_cannot_is_not() {
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
    fn a_status_is_transient_where_the_server_may_change_its_mind() {
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
    fn a_link_that_gave_bytes_and_is_refused_now_has_run_out() {
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
    fn refusal_that_states_a_wait_is_transient() {
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
    fn refusal_of_range_may_be_about_ranges_alone() {
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
    fn nothing_is_tried_again_once_an_upload_has_left() {
        let failure = TransferFailure { sent: 1, ..TransferFailure::new(FailureKind::Reset, "") };
        assert!(!failure.is_transient());
    }

    #[test]
    fn disk_that_is_away_too_small_or_over_quota_is_named_whatever_was_done() {
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
    fn a_full_disk_a_bad_folder_and_a_broken_disk_are_told_apart() {
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
        // Its disk is sound: who may write there has changed.
        assert_eq!(TransferFailure::of_disk(&io::ErrorKind::PermissionDenied.into(), "x").kind, FailureKind::Target);
    }
}
