//! Decodes response bodies that a server encoded without being asked to.
//!
//! - Bytes are decoded before they are written. They are never joined to bytes of another response.
//! - A file in a compressed format is not decoded.

use std::{
    io,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use async_compression::tokio::bufread::{BrotliDecoder, DeflateDecoder, GzipDecoder, ZlibDecoder, ZstdDecoder};
use bytes::{Bytes, BytesMut};
use futures_util::{Stream, StreamExt, TryStreamExt, stream};
use http::{
    Version,
    header::{CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, HeaderMap, TRANSFER_ENCODING},
};
use tokio::io::{AsyncBufRead, AsyncRead};
use tokio_util::io::{ReaderStream, StreamReader};

use crate::{
    http::{WatchedStream, failure_of},
    model::{failure::TransferFailure, failure_kind::FailureKind},
    rate_limit::{RateGate, paced},
};

/// Maximum number of bytes read from a decoder in one call.
const READ: usize = 64 << 10;
/// Maximum number of codings applied to one body.
const MOST_CODINGS: usize = 4;
/// Number of decoded bytes after which the expansion ratio is checked.
const FREE: u64 = 64 << 20;
/// Maximum ratio of decoded to received bytes, checked after the first `FREE` bytes.
///
/// Log files reach a ratio of 60. Only pure repetition reaches 1,000, which could fill the disk with a short transfer.
const MOST_FOR_ONE: u64 = 100;

/// Response body, slowed down to the speed limits.
pub(crate) struct BodyDecoder {
    pieces: Pieces,
    gate: Arc<RateGate>,
    watched: Option<WatchedStream>,
    /// Whether bytes arrive without encryption, encoding or HTTP/2 framing.
    pub is_plain: bool,
    /// Whether the message itself states where the body ends (RFC 9112, section 6.3).
    ///
    /// If so, a cut body is an error.
    pub is_framed: bool,
}

impl BodyDecoder {
    /// Returns the next piece, or `None` after the last. Cancelling a call loses no data.
    pub async fn next(&mut self) -> Option<Result<Bytes, TransferFailure>> {
        self.pieces.next().await
    }

    /// Returns whether the length of the body is unverified.
    ///
    /// The result is final only after the last piece.
    pub fn is_unverified(&self) -> bool {
        self.watched.as_ref().is_some_and(WatchedStream::is_unverified)
    }

    /// Returns how long speed limits have held back all bytes since the previous call.
    pub fn take_wait(&self) -> Duration {
        self.gate.take_wait()
    }
}

type Pieces = Pin<Box<dyn Stream<Item = Result<Bytes, TransferFailure>> + Send>>;

/// Content coding of a body (RFC 9110, section 8.4.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ContentCoding {
    Gzip,
    Deflate,
    Brotli,
    Zstd,
}

/// Returns the codings of the body of the file `name`, in the order in which they must be removed.
///
/// The first element is the coding that the server applied last. The list is empty in three cases: the body has no
/// coding, the coding is unknown, or the file itself is compressed.
pub(crate) fn codings(headers: &HeaderMap, name: &str) -> Vec<ContentCoding> {
    let all: Vec<String> = headers
        .get_all(CONTENT_ENCODING)
        .iter()
        .flat_map(|value| String::from_utf8_lossy(value.as_bytes()).split(',').map(str::to_owned).collect::<Vec<_>>())
        .map(|coding| coding.trim().to_ascii_lowercase())
        .filter(|coding| !coding.is_empty() && coding != "identity")
        .collect();
    let known = all.iter().rev().map(|coding| match coding.as_str() {
        "gzip" | "x-gzip" => Some(ContentCoding::Gzip),
        "deflate" => Some(ContentCoding::Deflate),
        "br" => Some(ContentCoding::Brotli),
        "zstd" => Some(ContentCoding::Zstd),
        _ => None,
    });
    let known: Option<Vec<_>> = known.collect();
    known.filter(|codings| codings.len() <= MOST_CODINGS && !is_compressed_file(headers, name)).unwrap_or_default()
}

/// Returns whether the file itself is compressed.
///
/// Needed because some servers state the format of a compressed archive as its coding.
fn is_compressed_file(headers: &HeaderMap, name: &str) -> bool {
    let kind = headers.get(CONTENT_TYPE).map(|value| String::from_utf8_lossy(value.as_bytes()).to_ascii_lowercase());
    let kind = kind.as_deref().and_then(|kind| kind.split(';').next()).unwrap_or_default().trim();
    let name = name.to_ascii_lowercase();
    let kinds = ["application/gzip", "application/x-gzip", "application/x-tgz", "application/zstd"];
    let endings = [".gz", ".tgz", ".br", ".zst", ".svgz"];
    kinds.contains(&kind) || endings.iter().any(|ending| name.ends_with(ending))
}

/// Returns the body of `response` without its `codings`, at the pace of `gate`.
pub(crate) fn body(response: reqwest::Response, codings: &[ContentCoding], gate: RateGate) -> BodyDecoder {
    let gate = Arc::new(gate);
    let watched = response.extensions().get::<WatchedStream>().cloned();
    let is_plain = codings.is_empty() && response.url().scheme() == "http";
    let is_open = is_framed_by_connection(&response);
    let plain = paced(response.bytes_stream(), gate.clone()).map_err(|error| failure_of(&error));
    // Many servers end a body only by closing the connection, and omit the closing message of TLS. Accept this, as
    // browsers do. If nothing else marks the end of the body, the length of the file is reported as unknown anyway.
    let plain = plain.take_while(move |piece| {
        let is_end = is_open && matches!(piece, Err(TransferFailure { kind: FailureKind::Truncated, .. }));
        std::future::ready(!is_end)
    });
    if codings.is_empty() {
        return BodyDecoder { pieces: Box::pin(plain), gate, watched, is_plain, is_framed: !is_open };
    }
    let came = Arc::new(AtomicU64::new(0));
    let counter = came.clone();
    let counted: Pieces = Box::pin(plain.inspect_ok(move |piece| {
        counter.fetch_add(piece.len() as u64, Ordering::Relaxed);
    }));
    let decoded = codings.iter().fold(counted, |pieces, coding| decoded(pieces, *coding));
    BodyDecoder { pieces: bounded(decoded, came), gate, watched, is_plain, is_framed: !is_open }
}

/// Returns whether the body ends only where the connection closes (RFC 9112, section 6.3).
fn is_framed_by_connection(response: &reqwest::Response) -> bool {
    let headers = response.headers();
    response.version() < Version::HTTP_2 && !headers.contains_key(CONTENT_LENGTH) && !headers.contains_key(TRANSFER_ENCODING)
}

/// Fails if the decoded body is far larger than the received bytes.
fn bounded(decoded: Pieces, came: Arc<AtomicU64>) -> Pieces {
    let mut total = 0;
    Box::pin(decoded.map(move |piece| {
        let piece = piece?;
        total += piece.len() as u64;
        if total > FREE && total / MOST_FOR_ONE > came.load(Ordering::Relaxed) {
            let text = format!("the encoded body swells to more than {MOST_FOR_ONE} times of what came");
            return Err(TransferFailure::new(FailureKind::Protocol, text));
        }
        Ok(piece)
    }))
}

fn decoded(body: Pieces, coding: ContentCoding) -> Pieces {
    match coding {
        ContentCoding::Gzip => Box::pin(stream::once(unzipped(body)).flatten()),
        ContentCoding::Deflate => Box::pin(stream::once(deflated(body)).flatten()),
        ContentCoding::Brotli => pieces(BrotliDecoder::new(reader(body))),
        ContentCoding::Zstd => pieces(ZstdDecoder::new(reader(body))),
    }
}

/// Removes the gzip coding.
///
/// Some servers state the coding, but send the file unencoded. Such a body does not begin with the magic bytes of gzip
/// (RFC 1952, section 2.3.1), and stays unchanged.
async fn unzipped(body: Pieces) -> Pieces {
    let (first, body) = begun(body).await;
    if first.len() == 2 && first != [0x1f, 0x8b] {
        return body;
    }
    let mut decoder = GzipDecoder::new(reader(body));
    // A gzip file may consist of several members (RFC 1952, section 2.2).
    decoder.multiple_members(true);
    pieces(decoder)
}

/// Removes the deflate coding.
///
/// In HTTP, deflate means the zlib format (RFC 9110, section 8.4.1.2), but some servers send a raw deflate stream.
async fn deflated(body: Pieces) -> Pieces {
    let (first, body) = begun(body).await;
    let reader = reader(body);
    if is_bare_deflate(&first) { pieces(DeflateDecoder::new(reader)) } else { pieces(ZlibDecoder::new(reader)) }
}

/// Returns the first two bytes of `body`, and a stream of the whole body.
///
/// If the body is shorter, returns fewer bytes.
async fn begun(mut body: Pieces) -> (Vec<u8>, Pieces) {
    let mut first = BytesMut::new();
    let mut broken = None;
    while first.len() < 2 && broken.is_none() {
        match body.next().await {
            Some(Ok(piece)) => first.extend_from_slice(&piece),
            Some(Err(failure)) => broken = Some(Err(failure)),
            None => break,
        }
    }
    let two = first[..first.len().min(2)].to_vec();
    let begun = stream::iter(std::iter::once(Ok(first.freeze())).chain(broken));
    (two, Box::pin(begun.chain(body)))
}

/// Returns whether a body cannot be in zlib format.
///
/// A zlib header states method 8 and a window of at most 32 KiB, and is divisible by 31 (RFC 1950, section 2.2). In a
/// raw stream, the same two bytes would be a stored block with padding bits that no encoder sets (RFC 1951, section
/// 3.2.4).
fn is_bare_deflate(first: &[u8]) -> bool {
    let Some(method) = first.first() else { return false };
    let is_wrapped = |flags: &u8| u16::from_be_bytes([*method, *flags]).is_multiple_of(31);
    method & 0x0f != 8 || method >> 4 > 7 || !first.get(1).is_none_or(is_wrapped)
}

fn reader(body: Pieces) -> impl AsyncBufRead + Send + 'static {
    StreamReader::new(body.map_err(DecoderCarry))
}

fn pieces(decoder: impl AsyncRead + Send + 'static) -> Pieces {
    Box::pin(ReaderStream::with_capacity(decoder, READ).map(|piece| piece.map_err(failure)))
}

/// Failure of the transfer, wrapped as an I/O error to pass through a decoder.
#[derive(Debug, thiserror::Error)]
#[error("{}", .0.detail)]
struct DecoderCarry(TransferFailure);

impl From<DecoderCarry> for io::Error {
    fn from(carried: DecoderCarry) -> Self {
        Self::other(carried)
    }
}

fn failure(error: io::Error) -> TransferFailure {
    let kind = match error.kind() {
        io::ErrorKind::UnexpectedEof => FailureKind::Truncated,
        _ => FailureKind::Protocol,
    };
    let text = format!("decoding the body: {error}");
    match error.into_inner().map(|inner| inner.downcast::<DecoderCarry>()) {
        Some(Ok(carried)) => carried.0,
        _ => TransferFailure::new(kind, text),
    }
}

#[cfg(test)]
mod tests {
    use async_compression::tokio::bufread::{DeflateEncoder, ZlibEncoder};
    use http::HeaderValue;
    use tokio::io::AsyncReadExt as _;

    use super::*;

    fn from_response(coding: &'static str, kind: &'static str, name: &str) -> Vec<ContentCoding> {
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_ENCODING, HeaderValue::from_static(coding));
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
        codings(&headers, name)
    }

    #[test]
    fn known_codings_are_removed_in_reverse_order() {
        assert_eq!(from_response("gzip", "text/html", "a.html"), [ContentCoding::Gzip]);
        assert_eq!(from_response("deflate, BR", "text/html", "a.html"), [ContentCoding::Brotli, ContentCoding::Deflate]);
        assert_eq!(from_response("zstd,", "text/plain", "a"), [ContentCoding::Zstd]);
        assert_eq!(from_response("identity", "text/plain", "a"), []);
        assert_eq!(from_response("gzip, sdch", "text/plain", "a"), [], "an unknown coding cannot be removed");
        assert_eq!(from_response("gzip,gzip,gzip,gzip,gzip", "text/plain", "a"), []);
    }

    /// Decodes `body` as deflate, one byte at a time.
    async fn inflated(body: &[u8]) -> Result<Vec<u8>, FailureKind> {
        let bytes: Vec<_> = body.iter().map(|byte| Ok(Bytes::copy_from_slice(&[*byte]))).collect();
        let plain: Result<Vec<Bytes>, TransferFailure> =
            decoded(Box::pin(stream::iter(bytes)), ContentCoding::Deflate).try_collect().await;
        plain.map(|pieces| pieces.concat()).map_err(|failure| failure.kind)
    }

    async fn encoded(mut encoder: impl AsyncRead + Unpin) -> Vec<u8> {
        let mut bytes = Vec::new();
        encoder.read_to_end(&mut bytes).await.unwrap();
        bytes
    }

    #[tokio::test]
    async fn deflate_is_decoded_with_and_without_zlib_wrapper() {
        use async_compression::Level;
        let long = b"again and again, ".repeat(999);
        for plain in [&b""[..], b"a", b"hello", &long] {
            for level in [Level::Fastest, Level::Default, Level::Best, Level::Precise(0)] {
                let wrapped = encoded(ZlibEncoder::with_quality(plain, level)).await;
                let bare = encoded(DeflateEncoder::with_quality(plain, level)).await;
                assert!(is_bare_deflate(&bare) && !is_bare_deflate(&wrapped), "{level:?} {bare:?}");
                assert_eq!(inflated(&wrapped).await.unwrap(), plain);
                assert_eq!(inflated(&bare).await.unwrap(), plain);
            }
        }
    }

    #[tokio::test]
    async fn unencoded_body_is_forwarded_unchanged_despite_gzip_header() {
        for sent in [&b"plain text"[..], b"\x1f\x8c", b"PK\x03\x04"] {
            let body: Pieces = Box::pin(stream::iter(sent.chunks(1).map(|piece| Ok(Bytes::copy_from_slice(piece)))));
            let came: Vec<Bytes> = decoded(body, ContentCoding::Gzip).try_collect().await.unwrap();
            assert_eq!(came.concat(), sent);
        }
        let cut: Pieces = Box::pin(stream::iter([Ok(Bytes::from_static(b"\x1f\x8b\x08"))]));
        assert!(decoded(cut, ContentCoding::Gzip).try_collect::<Vec<_>>().await.is_err());
    }

    #[tokio::test]
    async fn truncated_or_invalid_deflate_fails() {
        let bare = encoded(DeflateEncoder::new(&b"again and again and again"[..])).await;
        for cut in 1..bare.len() {
            assert!(inflated(&bare[..cut]).await.is_err(), "{cut}");
        }
        assert_eq!(inflated(b"\xff\xff\xff").await, Err(FailureKind::Protocol));
        let cut = TransferFailure::new(FailureKind::Reset, "cut");
        let body = stream::iter([Ok(Bytes::from_static(b"\x78")), Err(cut.clone())]);
        let ended = decoded(Box::pin(body), ContentCoding::Deflate).next().await;
        assert_eq!(ended.unwrap().unwrap_err(), cut, "the failure of the transfer is reported, not that of the decoder");
    }

    #[test]
    fn compressed_file_is_not_decoded_despite_encoding_header() {
        assert_eq!(from_response("x-gzip", "application/x-gzip", "a"), []);
        assert_eq!(from_response("gzip", "application/octet-stream", "linux.TAR.GZ"), []);
        assert_eq!(from_response("gzip", "application/gzip; q=1", "a"), []);
    }
}
