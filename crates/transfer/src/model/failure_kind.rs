//! Kinds of failures, with their stable codes, and faults of responses and connections. [pure]

use serde::{Deserialize, Serialize};

/// Fault of a response that violates HTTP, or of a failed TLS connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FailureCause {
    /// The response does not begin like an HTTP response.
    NotHttp,
    /// The head of the response cannot be parsed.
    Head,
    /// The head is larger than the limit for legitimate heads.
    LargeHead,
    /// The chunks of the body cannot be parsed.
    Chunks,
    /// The response contains a different part of the file than requested.
    Part,
    /// The server uses TLS, but the link has the scheme http.
    NeedsTls,
    /// The server does not use TLS, but the link has the scheme https.
    NotTls,
    /// The server supports only TLS versions before 1.2, which are insecure.
    OldTls,
    /// The server ended the handshake, for example because there is no common cipher or no client certificate.
    Handshake,
    /// The server requires a client certificate.
    ClientCertificate,
    /// The server's certificate is not valid yet.
    NotValidYet,
}

impl FailureCause {
    /// Returns whether the fault remains until the server's configuration changes.
    pub(super) fn is_of_the_server_s_making(self) -> bool {
        matches!(self, Self::NeedsTls | Self::NotTls | Self::OldTls | Self::Handshake | Self::ClientCertificate)
    }
}

/// Every way in which a transfer can fail. The codes are stable, because programs branch on them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FailureKind {
    /// The server's name does not exist.
    Dns,
    /// The name could not be looked up: the network's name server failed or took too long.
    NameServer,
    /// The server could not be reached.
    Connect,
    /// The server did not accept the connection in time.
    ConnectTimeout,
    /// The proxy could not be reached, or did not connect to the server.
    Proxy,
    /// The proxy requires a sign-in.
    ProxySignIn,
    /// The TLS connection failed, or was cut during the handshake.
    TlsHandshake,
    /// The server's certificate is not valid, for a reason that no other kind describes.
    Certificate,
    /// The certificate has expired, or is not valid yet.
    CertificateExpired,
    /// The certificate is self-signed, or its issuer is unknown to this machine.
    CertificateUntrusted,
    /// The certificate belongs to another server.
    CertificateName,
    /// No data arrived for too long.
    Timeout,
    /// The run exceeded its time limit.
    TotalTimeout,
    /// The connection was cut before the response was complete.
    Reset,
    /// The body ended before its stated end.
    Truncated,
    /// The response violates HTTP.
    Protocol,
    /// The server refused the request with a status.
    BadStatus,
    /// The request was redirected more than ten times.
    TooManyRedirects,
    /// Ashore refuses the target of a redirect.
    RefusedRedirect,
    /// A program requested an address outside the public internet, or was redirected there.
    PrivateAddress,
    /// The file on the server differs from the partial file, and restarts did not help.
    ChangedOnServer,
    /// A web page arrived instead of a promised file. None of its bytes were kept.
    WebPage,
    /// The server now refuses the link, although it has already sent a part of the file.
    ///
    /// The partial file is kept for a new link.
    LinkExpired,
    /// The offered file does not have the expected size.
    WrongSize,
    /// The server contradicts itself about the length of the file.
    ///
    /// The announced bytes never arrive, or the length changes under the same strong validator.
    UntrueLength,
    /// The finished file does not have the expected digest.
    DigestMismatch,
    /// The disk is full.
    DiskFull,
    /// The user's disk quota is used up.
    DiskQuota,
    /// The file exceeds the maximum size of the file system or of this login session.
    FileTooLarge,
    /// The disk or the network share is temporarily unavailable.
    DiskAway,
    /// The target folder is missing, is read-only, or is not a folder.
    Target,
    /// Another program moved, replaced, deleted or changed the partial file during the transfer.
    ///
    /// A restart was not possible, or failed for the same reason.
    PartialChanged,
    /// Reading or writing the disk failed for another reason.
    Disk,
    /// The process or the whole machine is out of file descriptors.
    TooManyOpen,
    /// More bytes were announced or received than the group declared.
    DownloadTotalExceeded,
    /// A quota is used up. The received bytes are kept.
    QuotaReached,
    /// An upload was cut after bytes had been sent. It is not repeated automatically.
    UploadInterrupted,
    /// The file to upload is missing, is unreadable, or has changed its size.
    UploadSource,
    /// A defect of Ashore ended the transfer. Other transfers continue.
    Internal,
}

impl FailureKind {
    /// Returns the stable code for programs, such as `bad-status`.
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
    /// Returns whether the failure ends all connections of the file, because a byte budget is used up.
    pub(crate) fn ends_all(self) -> bool {
        matches!(self, Self::DownloadTotalExceeded | Self::QuotaReached)
    }

    /// Returns whether the connection failed for a reason that may be temporary.
    ///
    /// Certificate errors are excluded, because they remain until the user acts.
    pub(crate) fn is_of_connecting(self) -> bool {
        use FailureKind::{Connect, ConnectTimeout, Dns, NameServer, Proxy, TlsHandshake};
        matches!(self, Dns | NameServer | Connect | ConnectTimeout | Proxy | TlsHandshake)
    }
}
