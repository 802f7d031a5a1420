//! Faults of an origin. `answer` and `serve` implement them, and `named_vices` adds them to a route.

use std::time::Duration;

#[derive(Clone, Debug)]
pub(super) enum Vice {
    ResetAfter(u64),
    StallAfter(u64),
    EndAfter(u64),
    Trickle(usize, Duration),
    ClaimLength(u64),
    MisstateLength(i64),
    LargeHead,
    HangBeforeHead,
    CloseBeforeHead,
    IgnoreRange,
    ShiftRange(i64),
    MisplaceRange(i64),
    ShortenRange(u64),
    UnstatedRange,
    ClaimTotal(String),
    EncodeRange(String),
    RefuseRange(Option<String>),
    PartUnasked(u64),
    Status(u16, Option<String>),
    Spent(u32, u16),
    LoginPage,
    Gzipped(Vec<u8>, usize),
    FickleEtag,
    FickleDate,
    Redirect(u16, String),
    ResetUploadAfter(u64),
    AnswerBeforeUpload(u16),
}

impl Vice {
    /// Returns whether the fault affects only range requests.
    pub fn concerns_ranges(&self) -> bool {
        matches!(
            self,
            Self::IgnoreRange
                | Self::ShiftRange(_)
                | Self::MisplaceRange(_)
                | Self::ShortenRange(_)
                | Self::UnstatedRange
                | Self::ClaimTotal(_)
                | Self::EncodeRange(_)
                | Self::RefuseRange(_)
        )
    }
}
