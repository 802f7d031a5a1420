//! Streams the body of an upload from a file, at the pace of the speed limits.
//!
//! - Bytes count as sent when the connection accepts them.
//! - An upload is never repeated automatically.

use std::{
    fs::File,
    io,
    os::unix::fs::FileExt,
    path::Path,
    sync::{Arc, OnceLock, atomic::Ordering},
    time::Duration,
};

use bytes::Bytes;
use futures_util::{Stream, StreamExt, stream};

use crate::{
    disk::{self, DiskFile, joined},
    model::{failure::TransferFailure, failure_kind::FailureKind},
    plan::progress::ByteCounters,
    rate_limit::{RateGate, paced},
};

/// Number of bytes that one call reads from the file.
const PIECE: u64 = 256 << 10;

/// File to send.
#[derive(Debug)]
pub(crate) struct UploadSource {
    file: Arc<DiskFile>,
    length: u64,
    counters: Arc<ByteCounters>,
    gate: Arc<RateGate>,
    /// Reason why the file could not be read, or had fewer bytes than announced. Empty without a failure.
    failed: Arc<OnceLock<FailureKind>>,
}

impl UploadSource {
    /// Opens `path` before anything is sent. Fails if the path is not a readable regular file.
    pub async fn open(path: &Path, counters: Arc<ByteCounters>, gate: RateGate) -> Result<Self, TransferFailure> {
        let path = path.to_owned();
        let (file, length) = joined(disk::spawn(move || open(&path))).await??;
        Ok(Self { file: Arc::new(file), length, counters, gate: Arc::new(gate), failed: Arc::default() })
    }

    /// Returns the number of bytes to send.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// Returns the number of bytes that the connection has accepted.
    pub fn sent(&self) -> u64 {
        self.counters.uploaded.load(Ordering::Acquire)
    }

    /// Returns how long speed limits have held back all bytes since the previous call.
    pub fn take_wait(&self) -> Duration {
        self.gate.take_wait()
    }

    /// Returns the body. It yields exactly the announced number of bytes, or an error.
    pub fn body(&self) -> reqwest::Body {
        let length = self.length;
        let counters = self.counters.clone();
        let failed = self.failed.clone();
        let pieces = Box::pin(pieces(self.file.clone(), length));
        let pieces = paced(pieces, self.gate.clone()).map(move |piece| {
            let piece = piece.inspect_err(|error| {
                failed.get_or_init(|| of_source(error, "reading the file to send").kind);
            })?;
            counters.uploaded.fetch_add(piece.len() as u64, Ordering::AcqRel);
            Ok(piece)
        });
        let (counters, failed) = (self.counters.clone(), self.failed.clone());
        // If the file was truncated in the meantime, report this as an error.
        let end = stream::once(async move {
            let sent = counters.uploaded.load(Ordering::Acquire);
            if sent < length {
                failed.get_or_init(|| FailureKind::UploadSource);
                return Err(io::Error::from(io::ErrorKind::UnexpectedEof));
            }
            Ok(Bytes::new())
        })
        .filter(|end| std::future::ready(end.is_err()));
        reqwest::Body::wrap_stream(pieces.chain(end))
    }

    /// Adds the number of sent bytes to `failure`.
    ///
    /// If the body may have arrived, changes the failure to a kind that is not retried automatically.
    pub fn cut(&self, failure: TransferFailure) -> TransferFailure {
        let sent = if never_arrived(failure.kind) { 0 } else { self.sent() };
        let failure = interrupted(failure, false);
        let kind = self.failed.get().copied().unwrap_or(failure.kind);
        TransferFailure { kind, sent, ..failure }
    }
}

/// Opens the regular file at `path`, and returns the file and its length in bytes.
fn open(path: &Path) -> Result<(DiskFile, u64), TransferFailure> {
    let file = File::open(path).map_err(|error| of_source(&error, "opening the file to send"))?;
    let metadata = file.metadata().map_err(|error| of_source(&error, "looking at the file to send"))?;
    if !metadata.is_file() {
        return Err(TransferFailure::new(FailureKind::UploadSource, "the file to send is no regular file"));
    }
    Ok((DiskFile::new(file), metadata.len()))
}

/// Returns the first `length` bytes of `file`, or fewer if the file ends earlier.
fn pieces(file: Arc<DiskFile>, length: u64) -> impl Stream<Item = io::Result<Bytes>> + Send {
    stream::try_unfold((file, 0), move |(file, at)| async move {
        let read = disk::spawn(move || {
            let mut piece = vec![0; usize::try_from(PIECE.min(length - at)).unwrap_or_default()];
            let count = file.read_at(&mut piece, at)?;
            piece.truncate(count);
            Ok::<_, io::Error>((file, Bytes::from(piece)))
        });
        let (file, piece) = read.await.map_err(io::Error::other)??;
        let next = at + piece.len() as u64;
        Ok((next > at).then_some((piece, (file, next))))
    })
}

/// Marks in `failure` whether the server may have acted on the request.
///
/// Used for requests that may change data on the server. A request that may have arrived is not retried automatically.
/// `was_sent_on` means that a server received the request and redirected it.
pub(crate) fn interrupted(failure: TransferFailure, was_sent_on: bool) -> TransferFailure {
    if never_arrived(failure.kind) {
        return TransferFailure { may_be_done: was_sent_on, ..failure };
    }
    let kind = match failure.kind {
        FailureKind::Reset | FailureKind::Truncated | FailureKind::Timeout | FailureKind::Protocol => {
            FailureKind::UploadInterrupted
        }
        other => other,
    };
    TransferFailure { kind, may_be_done: true, ..failure }
}

/// Returns whether a failure of this kind means that no server received the request.
fn never_arrived(kind: FailureKind) -> bool {
    kind.is_of_connecting()
        || matches!(
            kind,
            FailureKind::Certificate
                | FailureKind::CertificateExpired
                | FailureKind::CertificateUntrusted
                | FailureKind::CertificateName
        )
}

/// Returns the failure for an error while opening, inspecting or reading the file to send.
///
/// `what` names the operation. A missing or unreadable file gives `UploadSource`. All other errors are disk errors,
/// after which a retry may succeed.
fn of_source(error: &io::Error, what: &str) -> TransferFailure {
    let is_about_the_file = matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::PermissionDenied | io::ErrorKind::NotADirectory | io::ErrorKind::IsADirectory
    );
    match is_about_the_file {
        true => TransferFailure::new(FailureKind::UploadSource, format!("{what}: {error}")),
        false => TransferFailure::of_disk(error, what),
    }
}

#[cfg(test)]
mod tests {
    use http_body_util::BodyExt as _;
    use rustix::io::Errno;
    use url::Url;

    use super::*;
    use crate::rate_limit::RateLimiter;

    fn gate() -> RateGate {
        let throttle = RateLimiter::start(&tokio::runtime::Handle::current());
        let url = Url::parse("http://a.test/").unwrap();
        Arc::new(throttle.meter(&url, None)).gate(std::slice::from_ref(&url))
    }

    async fn source(path: &Path) -> UploadSource {
        UploadSource::open(path, Arc::default(), gate()).await.unwrap()
    }

    #[test]
    fn missing_source_and_disk_error_give_different_failures() {
        let kind = |errno: Errno| of_source(&errno.into(), "").kind;
        for errno in [Errno::NOENT, Errno::ACCESS, Errno::PERM, Errno::NOTDIR, Errno::ISDIR] {
            assert_eq!(kind(errno), FailureKind::UploadSource, "{errno}");
        }
        assert_eq!([Errno::IO, Errno::STALE].map(kind), [FailureKind::Disk, FailureKind::DiskAway]);
        assert_eq!([Errno::MFILE, Errno::NFILE].map(kind), [FailureKind::TooManyOpen; 2]);
    }

    #[tokio::test]
    async fn disk_error_during_upload_is_reported_as_disk_failure() {
        // A process has no memory at address 0, so reading there fails with EIO.
        let file = File::open("/proc/self/mem").unwrap();
        let source = UploadSource {
            file: Arc::new(DiskFile::new(file)),
            length: 9,
            counters: Arc::default(),
            gate: Arc::new(gate()),
            failed: Arc::default(),
        };
        assert!(source.body().collect().await.is_err());
        assert_eq!(source.cut(TransferFailure::new(FailureKind::Reset, "")).kind, FailureKind::Disk);
    }

    #[tokio::test]
    async fn file_truncated_during_upload_is_reported_as_source_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("thesis.pdf");
        std::fs::write(&path, "nine here").unwrap();
        let source = source(&path).await;
        assert_eq!(source.body().collect().await.unwrap().to_bytes(), "nine here");
        let cut = |kind| source.cut(TransferFailure::new(kind, "")).kind;
        assert_eq!((cut(FailureKind::Reset), cut(FailureKind::Connect)), (FailureKind::UploadInterrupted, FailureKind::Connect));

        source.counters.uploaded.store(0, Ordering::Release);
        std::fs::write(&path, "five").unwrap();
        assert!(source.body().collect().await.is_err(), "fewer bytes than were announced");
        assert_eq!(source.cut(TransferFailure::new(FailureKind::Reset, "")).kind, FailureKind::UploadSource);
    }
}
