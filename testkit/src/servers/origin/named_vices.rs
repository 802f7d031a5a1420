//! Functions that give a route a fault.

use std::time::Duration;

use super::{Route, vice::Vice};

/// Functions that add faults.
impl Route {
    /// Limits the most recently added fault to the next `count` requests to which it applies.
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

    /// Stops sending after `count` body bytes of the answer, and keeps the connection open.
    pub fn stall_after(self, count: u64) -> Self {
        self.vice(Vice::StallAfter(count))
    }

    /// Closes the connection cleanly after `count` body bytes of the answer, before the declared length.
    pub fn end_after(self, count: u64) -> Self {
        self.vice(Vice::EndAfter(count))
    }

    /// Sends `count` bytes and then pauses for `every`, again and again.
    pub fn trickle(self, count: usize, every: Duration) -> Self {
        self.vice(Vice::Trickle(count, every))
    }

    /// Declares `length` regardless of the actual length of the body. The value may be too small or absurdly large.
    pub fn claim_length(self, length: u64) -> Self {
        self.vice(Vice::ClaimLength(length))
    }

    /// Declares a length that is too large by `by` bytes, or too small if `by` is negative. Applies to answers with the
    /// whole file or with a part.
    pub fn misstate_length(self, by: i64) -> Self {
        self.vice(Vice::MisstateLength(by))
    }

    /// Sends chunks and closes the connection after `count` body bytes, without the final chunk.
    pub fn truncated_chunks(self, count: u64) -> Self {
        self.chunked().end_after(count)
    }

    /// Sends one byte at a time, with a pause of `every` between bytes.
    pub fn one_byte_every(self, every: Duration) -> Self {
        self.trickle(1, every)
    }

    /// Sends 1 MiB of header fields before the body.
    pub fn large_head(self) -> Self {
        self.vice(Vice::LargeHead)
    }

    /// Reads the request and never answers.
    pub fn hang(self) -> Self {
        self.vice(Vice::HangBeforeHead)
    }

    /// Reads the request and closes the connection.
    pub fn close_before_head(self) -> Self {
        self.vice(Vice::CloseBeforeHead)
    }

    /// Answers a range request with 200 and the whole file.
    pub fn ignore_ranges(self) -> Self {
        self.vice(Vice::IgnoreRange)
    }

    /// Answers 206 with a shifted range, and states the shifted range in `Content-Range`.
    pub fn shift_ranges(self, by: i64) -> Self {
        self.vice(Vice::ShiftRange(by))
    }

    /// Answers 206 with a shifted range, but states the requested range in `Content-Range`.
    pub fn misplace_ranges(self, by: i64) -> Self {
        self.vice(Vice::MisplaceRange(by))
    }

    /// Answers 206 with at most `count` bytes.
    pub fn shorten_ranges(self, count: u64) -> Self {
        self.vice(Vice::ShortenRange(count))
    }

    /// Answers 206 without `Content-Range`.
    pub fn unstated_ranges(self) -> Self {
        self.vice(Vice::UnstatedRange)
    }

    /// Answers 206 with this complete length in `Content-Range`: a number, `*`, or junk.
    pub fn claim_total(self, total: &str) -> Self {
        self.vice(Vice::ClaimTotal(total.to_owned()))
    }

    /// Answers 206 with the given `Content-Encoding`.
    pub fn encode_ranges(self, coding: &str) -> Self {
        self.vice(Vice::EncodeRange(coding.to_owned()))
    }

    /// Answers a range request with 416. If a `Content-Range` is given, such as `bytes */1000`, the answer contains it.
    pub fn refuse_ranges(self, content_range: Option<&str>) -> Self {
        self.vice(Vice::RefuseRange(content_range.map(str::to_owned)))
    }

    /// Answers a request without a range with 206 and the first `count` bytes.
    pub fn part_unasked(self, count: u64) -> Self {
        self.vice(Vice::PartUnasked(count))
    }

    /// Answers with this status and a small error page.
    pub fn status(self, status: u16) -> Self {
        self.vice(Vice::Status(status, None))
    }

    /// Answers with this status and with this value of `Retry-After`: seconds, a date, or junk.
    pub fn status_until(self, status: u16, retry_after: &str) -> Self {
        self.vice(Vice::Status(status, Some(retry_after.to_owned())))
    }

    /// Makes the link single-use: all requests after the first get this status.
    pub fn one_shot(self, status: u16) -> Self {
        self.runs_out_after(1, status)
    }

    /// Expires the link: every later request gets this status.
    pub fn runs_out(self, status: u16) -> Self {
        self.runs_out_after(0, status)
    }

    /// Makes the link expire after `uses` requests. All requests to the route since the first are counted.
    pub fn runs_out_after(self, uses: u32, status: u16) -> Self {
        self.vice(Vice::Spent(uses, status))
    }

    /// Answers 200 with a login page instead of the file.
    pub fn login_page(self) -> Self {
        self.vice(Vice::LoginPage)
    }

    /// Answers 200 with `packed`, which is the whole file already compressed with gzip. Declares the length `claimed`, and
    /// ignores ranges.
    pub fn gzipped(self, packed: Vec<u8>, claimed: usize) -> Self {
        self.vice(Vice::Gzipped(packed, claimed))
    }

    /// Sends a different strong `ETag` with every answer.
    pub fn fickle_etag(self) -> Self {
        self.vice(Vice::FickleEtag)
    }

    /// Sends a different `Last-Modified` with every answer, and no `ETag`.
    pub fn fickle_date(self) -> Self {
        self.vice(Vice::FickleDate)
    }

    /// Redirects to `location` with this status.
    pub fn redirect(self, status: u16, location: &str) -> Self {
        self.vice(Vice::Redirect(status, location.to_owned()))
    }

    /// Resets the connection after reading `count` bytes of an upload.
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
