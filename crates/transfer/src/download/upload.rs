//! Sends a request with any method except GET, and keeps the response.
//!
//! The request is sent once, with or without a body. Only HEAD may be retried automatically.

use std::sync::atomic::Ordering;

use crate::{
    download::{
        finish::FinishedRun,
        load_partial::LoadedPartial,
        run::{TransferEnd, TransferRun, blocking},
        segment::{self, SegmentEnd},
    },
    failpoint,
    http::{exchange::Response, upload_body::UploadSource},
    model::{failure::TransferFailure, failure_kind::FailureKind, outcome::CompletedTransfer},
    partial::part,
};

impl TransferRun {
    pub(super) async fn upload(&mut self) -> Result<CompletedTransfer, TransferEnd> {
        match self.on_disk().await? {
            LoadedPartial::Placed(completed) => return Ok(completed),
            LoadedPartial::Stopped => return Err(TransferEnd::Stopped),
            LoadedPartial::Nothing => {}
            LoadedPartial::Partial(held) => {
                let path = held.part.path().to_owned();
                blocking(move || part::remove(&path)).await?.map_err(|error| TransferFailure::of_target(&error, "tidying up"))?;
            }
        }
        let source = match &self.spec.body {
            Some(path) => {
                let gate = self.meter.gate(std::slice::from_ref(&self.spec.url));
                Some(UploadSource::open(path, self.counters.clone(), gate).await?)
            }
            None => None,
        };
        failpoint::hit("transfer.upload-begun");
        let (is_repeatable, is_counted) = (self.spec.method.is_safe(), source.is_some());
        // A stopped request may still have reached the server. For a request with a body, the number of sent bytes
        // shows whether it did. For a request without a body, report the stop as a failure.
        let stopped = |end| match end {
            TransferEnd::Stopped if !is_repeatable && !is_counted => TransferEnd::Failed(TransferFailure {
                may_be_done: true,
                ..TransferFailure::new(FailureKind::UploadInterrupted, "stopped")
            }),
            end => end,
        };
        let answered = self.ask(&self.spec.url, None, source.as_ref()).await.map_err(stopped)?;
        failpoint::hit("transfer.upload-answered");
        let result = self.keep_answer(answered).await;
        result.map_err(|end| match end {
            TransferEnd::Failed(failure) if is_repeatable => TransferEnd::Failed(failure),
            TransferEnd::Failed(failure) => {
                let sent = self.counters.uploaded.load(Ordering::Acquire);
                TransferEnd::Failed(TransferFailure { sent, may_be_done: true, ..failure })
            }
            end => stopped(end),
        })
    }

    async fn keep_answer(&mut self, answered: Response) -> Result<CompletedTransfer, TransferEnd> {
        let url = self.spec.url.clone();
        let (writer, lead) = self.begin(None, answered, &url, None).await?;
        let (mut held, ended, _) = self.stream_into(writer, lead).await?;
        match ended {
            SegmentEnd::Cleanly => {
                held.record.is_unmeasured = held.record.total.is_none();
                held.record.total = Some(held.have.end());
                match self.finish(held).await? {
                    FinishedRun::Completed(completed) => Ok(completed),
                    // The response is wrong, but do not repeat the upload.
                    FinishedRun::Wrong(held, _) | FinishedRun::Torn(held) => {
                        let why = TransferFailure::new(FailureKind::DigestMismatch, "the answer is not the one expected");
                        self.give_up_on(held, why).await
                    }
                    FinishedRun::Vanished => {
                        Err(TransferFailure::new(FailureKind::PartialChanged, "the partial was moved or deleted").into())
                    }
                }
            }
            SegmentEnd::Failed(failure) => Err(failure.into()),
            SegmentEnd::Short => Err(segment::short().into()),
            SegmentEnd::Vanished => {
                Err(TransferFailure::new(FailureKind::PartialChanged, "the partial was moved or deleted").into())
            }
            SegmentEnd::Differs | SegmentEnd::Stopped | SegmentEnd::WriterGone => Err(TransferEnd::Stopped),
        }
    }
}
