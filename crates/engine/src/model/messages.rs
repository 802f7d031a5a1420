//! Translates failures of transfers into reasons for the ledger and sentences for users. [pure]

use ashore_transfer::{FailureCause, FailureKind, TransferFailure};

use crate::model::{FailureReason, UserMessage};

/// Failure reason of the Background Fetch specification.
pub(crate) fn reason(kind: FailureKind) -> FailureReason {
    match kind {
        FailureKind::BadStatus | FailureKind::LinkExpired => FailureReason::BadStatus,
        FailureKind::DiskFull | FailureKind::DiskQuota | FailureKind::QuotaReached => FailureReason::QuotaExceeded,
        FailureKind::DownloadTotalExceeded => FailureReason::DownloadTotalExceeded,
        _ => FailureReason::FetchError,
    }
}

/// Detailed code, and a sentence with the cure.
pub(crate) fn trouble(failure: &TransferFailure) -> UserMessage {
    UserMessage { code: failure.kind.code().to_owned(), text: text(failure).into() }
}

/// Trouble that does not come from a transfer.
pub(crate) fn named(code: &str, text: impl Into<String>) -> UserMessage {
    UserMessage { code: code.to_owned(), text: text.into() }
}

/// Trouble of a registration that was aborted on request.
pub(crate) fn aborted() -> UserMessage {
    named("aborted", "It was cancelled.")
}

fn text(failure: &TransferFailure) -> std::borrow::Cow<'static, str> {
    match failure.kind {
        FailureKind::Dns => "The server's name could not be found. Check the connection and the spelling of the link.",
        FailureKind::NameServer => {
            "The network's name server did not answer, so the server's address is not known. Check the connection, or try again later."
        }
        FailureKind::Connect => "The server could not be reached. Check the connection, or try again later.",
        FailureKind::ConnectTimeout => {
            "The server did not take the connection in time. Check the connection, or try again later."
        }
        FailureKind::Proxy => {
            "The proxy could not be reached, or would not connect to the server. Check the proxy in the settings or in the environment."
        }
        FailureKind::ProxySignIn => {
            "The proxy asks for a user and a password. Put them into its address: http://user:password@host:port."
        }
        FailureKind::TlsHandshake if failure.fault.is_some() => fault(failure.fault),
        FailureKind::TlsHandshake => "The secure connection was cut short during the TLS handshake. Try again later.",
        FailureKind::CertificateExpired if failure.fault == Some(FailureCause::NotValidYet) => {
            "The server's certificate is not valid yet, so it cannot prove who it is. Check this machine's clock; if that is right, do not trust files from there."
        }
        FailureKind::Certificate => {
            "The server could not prove who it is: its certificate is not valid. Check the link; do not trust files from it."
        }
        FailureKind::CertificateExpired => {
            "The server's certificate has expired, so it cannot prove who it is. Check this machine's date; if that is right, do not trust files from there."
        }
        FailureKind::CertificateUntrusted => {
            "The server's certificate is signed by itself or by somebody this machine does not know. If it is a server of your own, name its certificate in the settings; otherwise do not trust files from there."
        }
        FailureKind::CertificateName => {
            "The server showed the certificate of another one. Check the spelling of the link; do not trust files from there."
        }
        FailureKind::Timeout => "The server stopped answering. Try again later.",
        FailureKind::TotalTimeout => {
            "It took longer than the settings allow. What came is kept: retry it to go on, or allow more time."
        }
        FailureKind::Reset => "The connection was cut. Try again later.",
        FailureKind::Truncated => "The server ended the file too early. Try again later.",
        FailureKind::Protocol => fault(failure.fault),
        FailureKind::BadStatus => return refusal(failure.status),
        FailureKind::TooManyRedirects => "The link leads in circles. Use another link.",
        FailureKind::RefusedRedirect => {
            "The link leads to an address that Ashore does not follow, or to a connection that is not secure. Use another link."
        }
        FailureKind::PrivateAddress => {
            "A program asked for something that is not on the public internet, but on this machine or in a network around it. If you want it, add the link yourself; for programs that you trust, allow it in the settings."
        }
        FailureKind::ChangedOnServer => "The file on the server keeps changing while it is fetched. Try again later.",
        FailureKind::WebPage => {
            "This looks like a web page, not the file. The site may want you to sign in: open the link in a browser, and use the link it gives for the file."
        }
        FailureKind::LinkExpired => {
            "The link has expired, and what came before is kept. Get a new link to the same file."
        }
        FailureKind::WrongSize => {
            "The server offers a file of another size than expected, so it was not fetched. Check the size, or use another link."
        }
        FailureKind::UntrueLength => {
            "The server contradicts itself about the length of this file, so it cannot be known whether all of it is there. Use another link, or tell the owner of the server."
        }
        FailureKind::DigestMismatch => {
            "The file does not have the expected checksum, so it was not kept. Check the checksum, or use another link."
        }
        FailureKind::DiskFull => "There is not enough free space. Free some space and try again.",
        FailureKind::DiskQuota => "Your quota of the disk is used up. Remove files or ask for a larger quota, and try again.",
        FailureKind::FileTooLarge => {
            "The file is too large for the disk of this folder, or for a limit of this login (`ulimit -f`): FAT32 takes less than 4 GiB. Choose a folder on another disk, or raise the limit."
        }
        FailureKind::DiskAway => {
            "The disk or network folder does not answer. Connect it again; the download continues by itself, and what came is kept."
        }
        FailureKind::Target => "The folder cannot be written any more. Choose another folder.",
        FailureKind::PartialChanged => {
            "Another program moved, replaced or changed the unfinished file, whose name ends in .part. Keep it away from that file, or choose another folder, and try again."
        }
        FailureKind::Disk => "Reading or writing the disk failed. Check the disk and try again.",
        FailureKind::TooManyOpen => {
            "Too many files and connections are open at once. It goes on when some are closed; close other programs if it lasts."
        }
        FailureKind::DownloadTotalExceeded => "This is more than was declared, so it was stopped. Add it again with a larger total, or without one.",
        FailureKind::QuotaReached => {
            "A quota has no room for more, and what came is kept. Remove something from the list, or allow more."
        }
        FailureKind::UploadInterrupted => {
            "The upload was interrupted, and some of it may have arrived. Ashore does not send it twice by itself; retry it if the server can take it again."
        }
        FailureKind::UploadSource => "The file to upload is gone or has changed. Add the upload again.",
        FailureKind::Internal => "Something went wrong in Ashore itself. Try again, and report it if it comes back.",
    }
    .into()
}

fn fault(fault: Option<FailureCause>) -> &'static str {
    match fault {
        Some(FailureCause::NotHttp) => "The server does not answer in HTTP. Check the address of the link and its port.",
        Some(FailureCause::Head) => {
            "The head of the server's answer is damaged and cannot be read. Use another link, or tell the owner of the server."
        }
        Some(FailureCause::LargeHead) => {
            "The head of the server's answer is too large. Use another link, or tell the owner of the server."
        }
        Some(FailureCause::Chunks) => {
            "The server's answer is damaged: its chunks cannot be told apart. Try again later, or use another link."
        }
        Some(FailureCause::NeedsTls) => {
            "The server wants an encrypted connection (TLS) on this port. Use the link with https:// in place of http://."
        }
        Some(FailureCause::NotTls) => {
            "The server does not speak TLS on this port, so the connection cannot be encrypted. If you trust the network, use the link with http://."
        }
        Some(FailureCause::OldTls) => {
            "The server speaks only old versions of TLS, which are not safe; Ashore uses TLS 1.2 and 1.3. Look for another server, or ask its owner to update it."
        }
        Some(FailureCause::Handshake) => {
            "The server refused the TLS handshake: it has no cipher in common with Ashore, because it is too old, or it requires a client certificate. Ask the owner of the server."
        }
        Some(FailureCause::ClientCertificate) => {
            "The server requires a client certificate, which Ashore cannot show. Fetch the file with a browser that has yours."
        }
        Some(FailureCause::Part) => {
            "The server sent a part of the file that was not requested, and not its beginning. Use another link."
        }
        Some(FailureCause::NotValidYet) | None => "The server's answer makes no sense. Try again later, or use another link.",
    }
}

fn refusal(status: Option<u16>) -> std::borrow::Cow<'static, str> {
    match status {
        Some(202) => "The server is still preparing this file. Try again later.",
        Some(204 | 205) => "The server answered that it has no content for this link, so no file came. Check the link.",
        Some(207 | 208) => "The server sent a list of results instead of the file. Check the link.",
        Some(300..=399) => "The server redirects this link without a new address. Use another link.",
        Some(401) => "The server asks for a sign-in, and Ashore has none that it takes. Sign in, or use a link that carries its own permission.",
        Some(407) => "A proxy asks for a user and a password. Put them into its address in the settings or in the environment.",
        Some(403) => "The server does not allow this file to be fetched. The link may have expired; get a new one.",
        Some(404 | 410) => "The server no longer has this file. Look for a new link.",
        Some(408 | 425 | 429 | 503) => "The server is busy. Try again later.",
        Some(451) => "The server may not give out this file for legal reasons. Look for it elsewhere.",
        Some(500 | 502 | 504) => "The server is in trouble. Try again later.",
        Some(status) => return format!("The server refused with status {status}. Check the link.").into(),
        None => "The server refused. Check the link.",
    }
    .into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn status_message_uses_words_or_number() {
        let refused = |status| TransferFailure { status: Some(status), ..TransferFailure::new(FailureKind::BadStatus, "") };
        assert_eq!(trouble(&refused(404)).text, "The server no longer has this file. Look for a new link.");
        assert!(trouble(&refused(418)).text.contains("418"));
        assert_eq!(trouble(&refused(404)).code, "bad-status");
    }

    #[test]
    fn web_page_and_expired_link_messages_name_the_cure() {
        let page = trouble(&TransferFailure::new(FailureKind::WebPage, ""));
        assert_eq!(page.code, "web-page");
        assert!(page.text.contains("looks like a web page") && page.text.contains("sign in"), "{}", page.text);
        let expired = trouble(&TransferFailure { status: Some(403), ..TransferFailure::new(FailureKind::LinkExpired, "") });
        assert_eq!(expired.code, "link-expired");
        assert!(expired.text.contains("kept") && expired.text.contains("new link"), "{}", expired.text);
    }

    #[test]
    fn failure_reasons_are_those_of_the_specification() {
        assert_eq!(reason(FailureKind::DiskFull), FailureReason::QuotaExceeded);
        assert_eq!(reason(FailureKind::Reset), FailureReason::FetchError);
        assert_eq!(reason(FailureKind::LinkExpired), FailureReason::BadStatus);
        assert_eq!(reason(FailureKind::WebPage), FailureReason::FetchError);
    }
}
