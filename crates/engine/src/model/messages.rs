//! Converts failures of transfers to reasons for the ledger and messages for users. [pure]

use ashore_messages::{UserMessage, message};
use ashore_transfer::{FailureCause, FailureKind, TransferFailure};

use crate::model::FailureReason;

/// Returns the failure reason as the Background Fetch specification names it.
pub(crate) fn reason(kind: FailureKind) -> FailureReason {
    match kind {
        FailureKind::BadStatus | FailureKind::LinkExpired => FailureReason::BadStatus,
        FailureKind::DiskFull | FailureKind::DiskQuota | FailureKind::QuotaReached => FailureReason::QuotaExceeded,
        FailureKind::DownloadTotalExceeded => FailureReason::DownloadTotalExceeded,
        _ => FailureReason::FetchError,
    }
}

/// Returns the message of a failed transfer.
pub(crate) fn of_failure(failure: &TransferFailure) -> UserMessage {
    let code = failure.kind.code();
    match (failure.kind, variant(failure)) {
        (FailureKind::BadStatus, Some("status")) => message!("bad-status.status", status = failure.status.unwrap_or_default()),
        (_, Some(variant)) => UserMessage::new(&format!("{code}.{variant}"), []),
        (_, None) => UserMessage::new(code, []),
    }
}

/// Returns the message of an aborted registration.
pub(crate) fn aborted() -> UserMessage {
    message!("aborted")
}

/// Returns the variant of the message, if its code has several variants.
fn variant(failure: &TransferFailure) -> Option<&'static str> {
    use FailureCause as Cause;
    Some(match (failure.kind, failure.fault) {
        (FailureKind::BadStatus, _) => return variant_of_status(failure.status?),
        (FailureKind::CertificateExpired, Some(Cause::NotValidYet)) => "not-yet",
        (FailureKind::TlsHandshake, Some(Cause::NotTls)) => "not-tls",
        (FailureKind::TlsHandshake, Some(Cause::OldTls)) => "old-tls",
        (FailureKind::TlsHandshake, Some(Cause::Handshake)) => "refused",
        (FailureKind::TlsHandshake, Some(Cause::ClientCertificate)) => "client-certificate",
        (FailureKind::Protocol, Some(Cause::NotHttp)) => "not-http",
        (FailureKind::Protocol, Some(Cause::Head)) => "head",
        (FailureKind::Protocol, Some(Cause::LargeHead)) => "large-head",
        (FailureKind::Protocol, Some(Cause::Chunks)) => "chunks",
        (FailureKind::Protocol, Some(Cause::Part)) => "part",
        (FailureKind::Protocol, Some(Cause::NeedsTls)) => "needs-tls",
        _ => return None,
    })
}

fn variant_of_status(status: u16) -> Option<&'static str> {
    Some(match status {
        202 => "preparing",
        204 | 205 => "empty",
        207 | 208 => "listing",
        300..=399 => "nowhere",
        401 => "sign-in",
        407 => "proxy",
        403 => "forbidden",
        404 | 410 => "gone",
        408 | 425 | 429 | 503 => "busy",
        451 => "legal",
        500 | 502 | 504 => "broken",
        _ => "status",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_http_status_has_own_sentence_and_unknown_one_appears_as_number() {
        let refused = |status| TransferFailure { status: Some(status), ..TransferFailure::new(FailureKind::BadStatus, "") };
        assert_eq!(of_failure(&refused(404)).text, "File not found on the server. Try a new link.");
        assert!(of_failure(&refused(418)).text.contains("418"));
        assert_eq!(of_failure(&refused(404)).code, "bad-status");
    }

    #[test]
    fn remedy_is_stated_in_messages_about_web_page_and_expired_link() {
        let page = of_failure(&TransferFailure::new(FailureKind::WebPage, ""));
        assert_eq!(page.code, "web-page");
        assert!(page.text.contains("a web page") && page.text.contains("sign in"), "{}", page.text);
        let expired = of_failure(&TransferFailure { status: Some(403), ..TransferFailure::new(FailureKind::LinkExpired, "") });
        assert_eq!(expired.code, "link-expired");
        assert!(expired.text.contains("resume") && expired.text.contains("new link"), "{}", expired.text);
    }

    #[test]
    fn failure_reasons_are_those_of_the_specification() {
        assert_eq!(reason(FailureKind::DiskFull), FailureReason::QuotaExceeded);
        assert_eq!(reason(FailureKind::Reset), FailureReason::FetchError);
        assert_eq!(reason(FailureKind::LinkExpired), FailureReason::BadStatus);
        assert_eq!(reason(FailureKind::WebPage), FailureReason::FetchError);
    }
}
