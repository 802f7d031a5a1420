//! Any request but GET: sends it once, with or without a body, and keeps the answer. HEAD alone may be sent again by itself.

use std::sync::atomic::Ordering;

use crate::{
    download::{
        load_partial::OnDisk,
        run::{End, Finished, Run, blocking},
        segment::{self, Ended},
    },
    failpoint,
    http::{exchange::Answered, upload_body::Source},
    model::outcome::{Completed, Failure, FailureKind},
    partial::part,
};

impl Run {
    pub(super) async fn upload(&mut self) -> Result<Completed, End> {
        match self.on_disk().await? {
            OnDisk::Placed(completed) => return Ok(completed),
            OnDisk::Stopped => return Err(End::Stopped),
            OnDisk::Nothing => {}
            OnDisk::Partial(held) => {
                let path = held.part.path().to_owned();
                blocking(move || part::remove(&path)).await?.map_err(|error| Failure::of_target(&error, "tidying up"))?;
            }
        }
        let source = match &self.spec.body {
            Some(path) => {
                let gate = self.meter.gate(std::slice::from_ref(&self.spec.url));
                Some(Source::open(path, self.counters.clone(), gate).await?)
            }
            None => None,
        };
        failpoint::hit("transfer.upload-begun");
        let (is_repeatable, is_counted) = (self.spec.method.is_safe(), source.is_some());
        // Of a body it is counted how much had left; without one, a request that was begun may have arrived.
        let stopped = |end| match end {
            End::Stopped if !is_repeatable && !is_counted => {
                End::Failed(Failure { may_be_done: true, ..Failure::new(FailureKind::UploadInterrupted, "stopped") })
            }
            end => end,
        };
        let answered = self.ask(&self.spec.url, None, source.as_ref()).await.map_err(stopped)?;
        failpoint::hit("transfer.upload-answered");
        let result = self.keep_answer(answered).await;
        result.map_err(|end| match end {
            End::Failed(failure) if is_repeatable => End::Failed(failure),
            End::Failed(failure) => {
                let sent = self.counters.uploaded.load(Ordering::Acquire);
                End::Failed(Failure { sent, may_be_done: true, ..failure })
            }
            end => stopped(end),
        })
    }

    async fn keep_answer(&mut self, answered: Answered) -> Result<Completed, End> {
        let url = self.spec.url.clone();
        let (writer, lead) = self.begin(None, answered, &url, None).await?;
        let (mut held, ended, _) = self.pour(writer, lead).await?;
        match ended {
            Ended::Cleanly => {
                held.record.is_unmeasured = held.record.total.is_none();
                held.record.total = Some(held.have.end());
                match self.finish(held).await? {
                    Finished::Completed(completed) => Ok(completed),
                    // What was sent is not sent again for it.
                    Finished::Wrong(held, _) | Finished::Torn(held) => {
                        let why = Failure::new(FailureKind::DigestMismatch, "the answer is not the one expected");
                        self.give_up_on(held, why).await
                    }
                    Finished::Vanished => {
                        Err(Failure::new(FailureKind::PartialChanged, "the partial was moved or deleted").into())
                    }
                }
            }
            Ended::Failed(failure) => Err(failure.into()),
            Ended::Short => Err(segment::short().into()),
            Ended::Vanished => Err(Failure::new(FailureKind::PartialChanged, "the partial was moved or deleted").into()),
            Ended::Differs | Ended::Stopped | Ended::WriterGone => Err(End::Stopped),
        }
    }
}
