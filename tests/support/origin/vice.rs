//! Every vice an origin can have, by its name. `answer` and `serve` act them out.

use std::time::Duration;

use super::Route;

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
    /// Whether it is about ranged requests alone.
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

/// What is wrong with it.
impl Route {
    /// The vice named last holds only for the next `count` requests it applies to.
    pub fn times(self, count: u32) -> Self {
        self.change(|settings| {
            if let Some(last) = settings.vices.last_mut() {
                last.1 = Some(count);
            }
        })
    }

    /// Resets the connection after `count` body bytes of the answer.
    pub fn reset_after(self, count: u64) -> Self {
        self.vice(Vice::ResetAfter(count))
    }

    /// Sends nothing more after `count` body bytes of the answer, and keeps the connection.
    pub fn stall_after(self, count: u64) -> Self {
        self.vice(Vice::StallAfter(count))
    }

    /// Closes the connection in order after `count` body bytes of the answer: shorter than declared.
    pub fn end_after(self, count: u64) -> Self {
        self.vice(Vice::EndAfter(count))
    }

    /// `count` bytes, a pause of `every`, and so on.
    pub fn trickle(self, count: usize, every: Duration) -> Self {
        self.vice(Vice::Trickle(count, every))
    }

    /// Declares `length` whatever it sends: too little, or absurdly much.
    pub fn claim_length(self, length: u64) -> Self {
        self.vice(Vice::ClaimLength(length))
    }

    /// Declares `by` bytes more (or fewer, below zero) than it sends, whether the whole file is asked for or a part.
    pub fn misstate_length(self, by: i64) -> Self {
        self.vice(Vice::MisstateLength(by))
    }

    /// In chunks, and closes the connection in order after `count` body bytes: without the last chunk.
    pub fn truncated_chunks(self, count: u64) -> Self {
        self.chunked().end_after(count)
    }

    /// One byte at a time, with a pause of `every`.
    pub fn one_byte_every(self, every: Duration) -> Self {
        self.trickle(1, every)
    }

    /// A mebibyte of headers before the body.
    pub fn large_head(self) -> Self {
        self.vice(Vice::LargeHead)
    }

    /// Takes the request and never answers.
    pub fn hang(self) -> Self {
        self.vice(Vice::HangBeforeHead)
    }

    /// Takes the request and closes the connection.
    pub fn close_before_head(self) -> Self {
        self.vice(Vice::CloseBeforeHead)
    }

    /// 200 and the whole file to a range.
    pub fn ignore_ranges(self) -> Self {
        self.vice(Vice::IgnoreRange)
    }

    /// 206 from elsewhere than asked, and says so.
    pub fn shift_ranges(self, by: i64) -> Self {
        self.vice(Vice::ShiftRange(by))
    }

    /// 206 from elsewhere than asked, which says that it is from where it was asked.
    pub fn misplace_ranges(self, by: i64) -> Self {
        self.vice(Vice::MisplaceRange(by))
    }

    /// 206 with at most `count` bytes.
    pub fn shorten_ranges(self, count: u64) -> Self {
        self.vice(Vice::ShortenRange(count))
    }

    /// 206 without `Content-Range`.
    pub fn unstated_ranges(self) -> Self {
        self.vice(Vice::UnstatedRange)
    }

    /// 206 with this complete length in its `Content-Range`: a number, `*`, or junk.
    pub fn claim_total(self, total: &str) -> Self {
        self.vice(Vice::ClaimTotal(total.to_owned()))
    }

    /// 206 that says it is encoded.
    pub fn encode_ranges(self, coding: &str) -> Self {
        self.vice(Vice::EncodeRange(coding.to_owned()))
    }

    /// 416 to a range, with this `Content-Range` (such as `bytes */1000`) or none.
    pub fn refuse_ranges(self, content_range: Option<&str>) -> Self {
        self.vice(Vice::RefuseRange(content_range.map(str::to_owned)))
    }

    /// 206 with the first `count` bytes to a request that asked for no range.
    pub fn part_unasked(self, count: u64) -> Self {
        self.vice(Vice::PartUnasked(count))
    }

    /// This status and a small error page.
    pub fn status(self, status: u16) -> Self {
        self.vice(Vice::Status(status, None))
    }

    /// The same, with this `Retry-After`: seconds, a date, or junk.
    pub fn status_until(self, status: u16, retry_after: &str) -> Self {
        self.vice(Vice::Status(status, Some(retry_after.to_owned())))
    }

    /// A link for one use: whoever asks a second time gets this status.
    pub fn one_shot(self, status: u16) -> Self {
        self.runs_out_after(1, status)
    }

    /// A link that runs out: from here on, everybody gets this status.
    pub fn runs_out(self, status: u16) -> Self {
        self.runs_out_after(0, status)
    }

    /// A link for so many uses, counted from the first request ever.
    pub fn runs_out_after(self, uses: u32, status: u16) -> Self {
        self.vice(Vice::Spent(uses, status))
    }

    /// 200 and a page to sign in on, in place of the file.
    pub fn login_page(self) -> Self {
        self.vice(Vice::LoginPage)
    }

    /// 200 and these bytes, said to be the whole file in gzip and so many of it, whatever was asked for.
    pub fn gzipped(self, packed: Vec<u8>, claimed: usize) -> Self {
        self.vice(Vice::Gzipped(packed, claimed))
    }

    /// Another strong `ETag` with every answer.
    pub fn fickle_etag(self) -> Self {
        self.vice(Vice::FickleEtag)
    }

    /// Another `Last-Modified` with every answer, and no `ETag`.
    pub fn fickle_date(self) -> Self {
        self.vice(Vice::FickleDate)
    }

    /// This redirect.
    pub fn redirect(self, status: u16, location: &str) -> Self {
        self.vice(Vice::Redirect(status, location.to_owned()))
    }

    /// Resets the connection after `count` bytes of an upload were read.
    pub fn reset_upload_after(self, count: u64) -> Self {
        self.vice(Vice::ResetUploadAfter(count))
    }

    /// Answers an upload with `status` before reading its body.
    pub fn answer_before_upload(self, status: u16) -> Self {
        self.vice(Vice::AnswerBeforeUpload(status))
    }

    fn vice(self, vice: Vice) -> Self {
        self.change(|settings| settings.vices.push((vice, None)))
    }
}
