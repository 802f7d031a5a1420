//! Model of the reports that a client may give for a kind of server, based on the true bytes. [pure]

use super::{
    kind::{Change, Encoding, Framing, Kind, Length, Status, Validators},
    reply::Versions,
};

/// Report of a client and the file on disk.
#[derive(Clone, Debug)]
pub(super) struct Reported {
    /// Whether the download is reported as complete.
    pub is_complete: bool,
    /// Whether the size is reported as unknown, or a stronger warning is given.
    pub is_size_unknown: bool,
    /// Content of the file under its final name.
    pub bytes: Option<Vec<u8>>,
    /// Text of the failure, for the readers of the finding.
    pub failure: String,
}

/// Returns whether a plain request fetches the whole file, if it is repeated while the server is busy.
pub(super) fn is_fetched_whole(kind: Kind) -> bool {
    let has_file = match kind.status {
        Status::Ok | Status::NonAuthoritative | Status::PartialWhole | Status::AcceptedOnce | Status::UnavailableOnce => true,
        Status::PartialHalf
        | Status::Accepted
        | Status::NoContent
        | Status::ResetContent
        | Status::RedirectNowhere
        | Status::ErrorPage => false,
    };
    let is_framed = match kind.framing {
        Framing::Length | Framing::LengthTwice | Framing::Surplus | Framing::Glued => kind.length == Length::Right,
        Framing::Chunked | Framing::UntilClose | Framing::OldUntilClose | Framing::LengthAndChunked => true,
        Framing::TwoLengths | Framing::ChunksUnended => false,
    };
    has_file && is_framed && !is_contradicted(kind) && kind.encoding != Encoding::GzipUnasked
}

/// Returns whether two versions of different sizes share one strong validator. The client has to report this as a
/// failure.
pub(super) fn is_contradicted(kind: Kind) -> bool {
    kind.validators == Validators::StrongTag && matches!(kind.change, Change::Longer | Change::Shorter)
}

/// Fails with an explanation if the report violates the model.
pub(super) fn judge(kind: Kind, versions: &Versions, reported: &Reported) -> Result<(), String> {
    if !reported.is_complete {
        if reported.bytes.is_some() {
            return Err("it is not complete, and there is a file under its final name".to_owned());
        }
        let missing =
            is_fetched_whole(kind).then(|| format!("one plain request fetches it whole, and it ended with {}", reported.failure));
        return missing.map_or(Ok(()), Err);
    }
    let Some(bytes) = &reported.bytes else { return Err("it is reported as complete, and there is no file".to_owned()) };
    if *bytes == *versions.old || *bytes == *versions.new || reported.is_size_unknown {
        return Ok(());
    }
    let first = bytes.iter().zip(versions.old.iter()).position(|(found, true_one)| found != true_one);
    let first = first.map_or_else(|| "none differs".to_owned(), |first| format!("the first that differs is {first}"));
    Err(format!("{} bytes are reported as complete, of a file of {}: {first}", bytes.len(), versions.old.len()))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn versions() -> Versions {
        Versions { old: Arc::new(b"old bytes".to_vec()), new: Arc::new(b"new bytes".to_vec()) }
    }

    fn complete(bytes: &[u8]) -> Reported {
        Reported { is_complete: true, is_size_unknown: false, bytes: Some(bytes.to_vec()), failure: String::new() }
    }

    #[test]
    fn mixed_or_missing_bytes_count_as_an_error_unless_file_size_is_reported_as_unknown() {
        let kind = Kind::USUAL;
        assert!(judge(kind, &versions(), &complete(b"old bytes")).is_ok());
        assert!(judge(kind, &versions(), &complete(b"new bytes")).is_ok());
        assert!(judge(kind, &versions(), &complete(b"old")).is_err());
        assert!(judge(kind, &versions(), &complete(b"new ytes!")).is_err());
        assert!(judge(kind, &versions(), &Reported { is_size_unknown: true, ..complete(b"old") }).is_ok());
        assert!(judge(kind, &versions(), &Reported { bytes: None, ..complete(b"") }).is_err());
    }

    #[test]
    fn missing_file_counts_as_an_error_if_a_plain_request_would_fetch_it() {
        let failed = Reported { is_complete: false, bytes: None, ..complete(b"") };
        assert!(judge(Kind::USUAL, &versions(), &failed).is_err());
        assert!(judge(Kind { status: Status::ErrorPage, ..Kind::USUAL }, &versions(), &failed).is_ok());
        let left = Reported { is_complete: false, ..complete(b"old") };
        assert!(judge(Kind { status: Status::ErrorPage, ..Kind::USUAL }, &versions(), &left).is_err());
    }
}
