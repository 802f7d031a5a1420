//! Defines the refusals of the protocol: a status, and a number that is the whole body. [pure]

/// Refusal of a request because of its content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProtocolRefusal {
    /// HTTP status.
    pub status: u16,
    /// Number in the body.
    pub code: u8,
}

impl ProtocolRefusal {
    /// Invalid query, header or batch.
    pub const BAD_REQUEST: Self = Self { status: 400, code: 0 };
    /// A header announces an invalid count, or a batch total in a request without a batch.
    pub const BAD_COUNT: Self = Self { status: 400, code: 1 };
    /// Body that is not the expected list of objects, or not the expected object.
    pub const BAD_BODY: Self = Self { status: 400, code: 8 };
    /// The caller is not authenticated.
    pub const UNAUTHORIZED: Self = Self { status: 401, code: 0 };
    /// The write exceeds the quota of the user.
    pub const OVER_QUOTA: Self = Self { status: 403, code: 14 };
    /// The object or the address does not exist.
    pub const NOT_FOUND: Self = Self { status: 404, code: 0 };
    /// The address does not support the method.
    pub const BAD_METHOD: Self = Self { status: 405, code: 0 };
    /// The client accepts none of the formats.
    pub const NOT_ACCEPTABLE: Self = Self { status: 406, code: 0 };
    /// The body did not arrive in time.
    pub const TOO_SLOW: Self = Self { status: 408, code: 0 };
    /// The request or a payload exceeds its maximum length.
    pub const TOO_LARGE: Self = Self { status: 413, code: 17 };
    /// The format of the body is not supported.
    pub const UNSUPPORTED: Self = Self { status: 415, code: 0 };
    /// A count exceeds a limit of the protocol.
    pub const OVER_LIMIT: Self = Self { status: 400, code: 17 };
    /// Too many requests.
    pub const TOO_MANY: Self = Self { status: 429, code: 0 };
    /// Bug, or unknown error of the database.
    pub const DEFECT: Self = Self { status: 500, code: 0 };
    /// The database cannot be reached or is busy for too long.
    pub const UNAVAILABLE: Self = Self { status: 503, code: 0 };
}
