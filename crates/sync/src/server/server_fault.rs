//! Defines the faults of a request to the sync server, as data. [pure]
//!
//! Returned by both implementations of `SyncServer`. Other modules convert the faults to status texts.

/// Answer of the server, with the hints of its headers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerAnswer<T> {
    /// Content of the answer.
    pub value: T,
    /// Hints in the headers.
    pub hints: ServerHints,
}

/// Failed request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerFailure {
    /// Reason why the request failed.
    pub fault: ServerFault,
    /// Hints in the headers. All are `None` if there was no answer.
    pub hints: ServerHints,
}

/// Result of a request.
pub type ServerResult<T> = Result<ServerAnswer<T>, ServerFailure>;

/// Hints that any answer can carry, successful or not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ServerHints {
    /// Wait in seconds that `Retry-After` requests.
    pub retry_after_s: Option<u64>,
    /// Wait in seconds that `X-Weave-Backoff` requests.
    pub backoff_s: Option<u64>,
    /// Remaining quota in KB that `X-Weave-Quota-Remaining` states.
    pub quota_remaining_kb: Option<i64>,
    /// Time in milliseconds that `X-Weave-Timestamp` states.
    pub server_time_ms: Option<i64>,
}

/// Reason why a request failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ServerFault {
    /// No answer, because there is no connection to the server or the connection ended.
    Unreachable(UnreachableCause),
    /// The certificate of the server does not match the pin. Nothing was sent.
    CertificateChanged,
    /// The answer did not arrive in time.
    TimedOut,
    /// 401: the device was removed, or its token is wrong.
    Unauthorized,
    /// 412: the target was modified after the time that the request states.
    Conflict,
    /// 403 with code 14: the write exceeds the quota.
    Full,
    /// 413, or the batch exceeds the limits of the server.
    TooLarge,
    /// 429 or 503.
    Busy {
        /// Wait in seconds that `Retry-After` requests.
        retry_after_s: Option<u64>,
    },
    /// The answer does not come from a sync server, or violates the protocol.
    NotSyncServer(UnexpectedAnswer),
    /// The server refused the request for another reason.
    Refused {
        /// HTTP status. 400 also means that the client refused to send the request.
        status: u16,
        /// Error code in the body of the answer.
        code: Option<u32>,
    },
}

/// Reason why there was no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnreachableCause {
    /// The name of the server was not found.
    NameNotFound,
    /// The server machine accepts no connection on this port.
    ConnectionRefused,
    /// The connection failed for another reason, such as a missing network.
    NoConnection,
    /// The TLS handshake failed for a reason other than the certificate.
    TlsFailed,
    /// The certificate failed the ordinary check, which applies if there is no pin.
    CertificateNotTrusted,
    /// The connection ended before the answer was complete.
    ConnectionLost,
    /// A proxy in front of the server reported that the server does not respond (502, 504).
    Gateway,
}

/// Way in which an answer violates the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnexpectedAnswer {
    /// 3xx except 304.
    Redirect,
    /// The body is encoded, or has another content type, such as HTML.
    ContentType,
    /// The body exceeds its limit. A request for a page may succeed with a smaller `limit`.
    TooLong,
    /// The body is not the expected JSON.
    Malformed,
    /// `X-Weave-Timestamp` or `X-Last-Modified` is missing or not valid.
    MissingTime,
    /// A page has an id that is not valid, objects in the wrong order, or an object that was not requested.
    WrongPage,
    /// The protocol does not define this status as an answer to this request.
    Status,
}

impl ServerFault {
    /// Whether the server may have committed a write although the request failed.
    pub fn leaves_write_unknown(self) -> bool {
        match self {
            Self::TimedOut | Self::NotSyncServer(_) | Self::Busy { .. } => true,
            Self::Unreachable(cause) => matches!(cause, UnreachableCause::ConnectionLost | UnreachableCause::Gateway),
            Self::Refused { status, .. } => status >= 500,
            Self::CertificateChanged | Self::Unauthorized | Self::Conflict | Self::Full | Self::TooLarge => false,
        }
    }
}

impl ServerHints {
    /// Returns the hints of several answers. For each hint, the newest value counts.
    pub fn followed_by(self, newer: Self) -> Self {
        Self {
            retry_after_s: newer.retry_after_s.or(self.retry_after_s),
            backoff_s: newer.backoff_s.or(self.backoff_s),
            quota_remaining_kb: newer.quota_remaining_kb.or(self.quota_remaining_kb),
            server_time_ms: newer.server_time_ms.or(self.server_time_ms),
        }
    }
}

impl ServerFailure {
    /// Returns the failure of a request that got no answer.
    pub fn without_answer(fault: ServerFault) -> Self {
        Self { fault, hints: ServerHints::default() }
    }
}

impl<T> ServerAnswer<T> {
    /// Converts the content of the answer.
    pub fn map<U>(self, convert: impl FnOnce(T) -> U) -> ServerAnswer<U> {
        ServerAnswer { value: convert(self.value), hints: self.hints }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refused_write_counts_as_certainly_not_committed() {
        for known in [ServerFault::Conflict, ServerFault::Full, ServerFault::Refused { status: 400, code: Some(8) }] {
            assert!(!known.leaves_write_unknown(), "{known:?}");
        }
        for unknown in [
            ServerFault::TimedOut,
            ServerFault::Unreachable(UnreachableCause::ConnectionLost),
            ServerFault::Busy { retry_after_s: None },
            ServerFault::Refused { status: 500, code: Some(0) },
        ] {
            assert!(unknown.leaves_write_unknown(), "{unknown:?}");
        }
    }
}
