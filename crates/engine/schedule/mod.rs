//! The loop: hand out what may run, write down what the transfers tell, sleep until something is due.
//!
//! One task owns all of it, so that an order to stop can never overtake the start it is meant for. Every decision is made
//! elsewhere: the order by the ledger's index, the room by `pick`, another try by `backoff`. What cannot be written down
//! (a full disk) is held and tried again; nothing is told to anyone before its commit.

mod backoff;
mod entry;
mod pick;
mod vouch;

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
    time::{Duration, Instant},
};

use ashore_transfer::{Allowance, Event as News, Expected, Failure, FailureKind, Guid, NotADigest, Spec};
use tokio::{
    sync::{mpsc, oneshot},
    time::MissedTickBehavior,
};

use self::{
    backoff::Rules,
    entry::Entry,
    pick::Load,
    vouch::Judged,
};
use crate::{
    Error, Event, crashpoint,
    live::Transfer,
    model::{FailureReason, Totals, UniqueId},
    shared::Shared,
    store::{Activated, FailedResponse, Touched, Writing},
};

/// Starts in one transaction at most; the rest after a breath.
const STARTS_AT_ONCE: usize = 8;
/// Progress is told so often.
const PROGRESS_EVERY: Duration = Duration::from_millis(250);
/// The executor's row is renewed, and waiting requests looked for, at least this often.
const TICK: Duration = Duration::from_secs(60);
/// Before a write that failed is tried again.
const LEDGER_RETRY: Duration = Duration::from_secs(1);

/// What the façade tells the loop, after its commit.
#[derive(Debug)]
pub(crate) enum Order {
    /// Something may be startable now.
    Nudge,
    /// A person wants these hosts asked again now, however long they wished to be left alone.
    Wake(Vec<i64>),
    /// These are to stop; uploads under way only when `uploads`, because they cannot be set aside.
    Stop { guids: Vec<Guid>, uploads: bool },
    /// Partials of an aborted registration are to go, where nothing runs any more.
    Discard(UniqueId),
    /// Rows, partials and files of a doomed registration are to go as soon as nothing of it runs.
    Delete(UniqueId),
    /// Everything stops with its bytes durable; answered when it has.
    Close(oneshot::Sender<()>),
}

/// The loop's own memory. All of it can be rebuilt from the ledger.
pub(crate) struct Loop {
    shared: Arc<Shared>,
    news: mpsc::UnboundedReceiver<News>,
    orders: mpsc::UnboundedReceiver<Order>,
    load: Load,
    allowances: HashMap<UniqueId, Arc<Allowance>>,
    dirty: HashSet<UniqueId>,
    deleting: HashSet<UniqueId>,
    closing: Option<oneshot::Sender<()>>,
    is_closing: bool,
    /// Something may be startable: looked for once, then not again before something happens.
    may_start: bool,
    /// The ledger refused a write; it is tried again soon.
    is_refused: bool,
    totals: Totals,
    beaten: Instant,
}

impl Loop {
    pub(crate) fn new(
        shared: Arc<Shared>,
        news: mpsc::UnboundedReceiver<News>,
        orders: mpsc::UnboundedReceiver<Order>,
    ) -> Self {
        Self {
            shared,
            news,
            orders,
            load: Load::default(),
            allowances: HashMap::new(),
            dirty: HashSet::new(),
            deleting: HashSet::new(),
            closing: None,
            is_closing: false,
            may_start: true,
            is_refused: false,
            totals: Totals::default(),
            beaten: Instant::now(),
        }
    }

    /// Goes on with `running`, then works until it is told to close.
    pub(crate) async fn run(mut self, running: Vec<Activated>) {
        self.start(running).await;
        let mut progress = tokio::time::interval(PROGRESS_EVERY);
        progress.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut batch = Vec::new();
        loop {
            while self.may_start && !self.is_closing {
                self.fill().await;
                tokio::task::yield_now().await;
            }
            let is_resting = self.shared.live.read().await.is_empty();
            if self.is_closing && is_resting {
                break;
            }
            let is_moving = !is_resting || !self.dirty.is_empty();
            let due = self.next_due().await;
            tokio::select! {
                order = self.orders.recv(), if !self.is_closing => {
                    // Nobody is left who could give any: that is an order to close.
                    self.obey(order.unwrap_or_else(|| Order::Close(oneshot::channel().0))).await;
                }
                count = self.news.recv_many(&mut batch, 256) => {
                    if count > 0 {
                        self.take_in(&mut batch).await;
                    }
                }
                _ = progress.tick(), if is_moving => self.tell_progress().await,
                () = tokio::time::sleep(due) => self.wake_due().await,
            }
        }
        if let Some(done) = self.closing.take() {
            // Nobody waiting for the answer is not an error.
            let _ = done.send(());
        }
    }

    async fn obey(&mut self, order: Order) {
        match order {
            Order::Nudge => {
                self.may_start = true;
                self.tell_totals().await;
            }
            Order::Wake(hosts) => {
                self.load.wake(&hosts);
                self.may_start = true;
            }
            Order::Stop { guids, uploads } => {
                let live = self.shared.live.read().await;
                for guid in guids {
                    if uploads || live.transfer(guid).is_none_or(|transfer| transfer.body_size.is_none()) {
                        self.shared.transfers.stop(guid);
                    }
                }
            }
            Order::Discard(id) => {
                if let Err(error) = self.shared.discard_partials(id).await {
                    tracing::warn!(%id, %error, "partials of an aborted download stay until the next start");
                }
            }
            Order::Delete(id) => {
                self.deleting.insert(id);
                self.delete_what_rests().await;
            }
            Order::Close(done) => {
                self.is_closing = true;
                self.closing = Some(done);
                for guid in self.shared.live.read().await.guids() {
                    self.shared.transfers.stop(guid);
                }
            }
        }
    }

    /// Hands out as much as there is room for, a handful in one transaction.
    async fn fill(&mut self) {
        let mut picked = Vec::new();
        match self.pick(&mut picked).await {
            Ok(()) => {
                self.may_start = picked.len() == STARTS_AT_ONCE;
                self.launch(picked).await;
            }
            Err(error) => {
                for request in picked {
                    self.load.ended(request.host);
                }
                self.may_start = false;
                self.refused(&error, "hand out the next request");
            }
        }
    }

    /// Op 4, as often as there is room.
    async fn pick(&mut self, picked: &mut Vec<Activated>) -> Result<(), Error> {
        let shared = Arc::clone(&self.shared);
        if !self.load.has_room(shared.settings.parallel) {
            return Ok(());
        }
        let now = shared.env.now();
        let mut ledger = shared.store.begin().await?;
        while picked.len() < STARTS_AT_ONCE && self.load.has_room(shared.settings.parallel) {
            let closed = self.load.closed_hosts(shared.settings.parallel_per_host, now);
            let fresh = Guid(shared.env.guid());
            let Some(request) = ledger.next_pending_request_and_mark_it_active(fresh, &closed).await? else { break };
            self.load.started(request.host);
            picked.push(request);
        }
        if picked.is_empty() {
            return Ok(());
        }
        crashpoint::hit("engine.activated-before-commit");
        ledger.commit().await?;
        crashpoint::hit("engine.activated");
        Ok(())
    }

    /// Starts requests that were active when the last engine ended.
    async fn start(&mut self, running: Vec<Activated>) {
        for request in &running {
            self.load.started(request.host);
        }
        self.launch(running).await;
    }

    /// The ledger has their GUIDs; only now is the transfer told.
    async fn launch(&mut self, requests: Vec<Activated>) {
        for request in requests {
            self.dirty.insert(request.unique_id);
            let spec = self.spec(&request);
            self.shared.live.write().await.insert(request.guid, Transfer::new(&request));
            match spec {
                Ok(spec) => self.shared.transfers.start(spec),
                Err(failure) => {
                    let bytes = request.kept;
                    let outcome = ashore_transfer::Outcome::Failed { failure, bytes };
                    self.take_in(&mut vec![News::Done { guid: request.guid, outcome }]).await;
                }
            }
            crashpoint::hit("engine.started");
        }
    }

    fn spec(&mut self, request: &Activated) -> Result<Spec, Failure> {
        let unreadable = |what: &str| Failure::new(FailureKind::Internal, format!("unreadable {what} in the ledger"));
        let allowance = (request.download_total > 0).then(|| {
            let left = request.download_total.saturating_sub(request.completed_bytes);
            let shared = self.allowances.entry(request.unique_id).or_insert_with(|| Arc::new(Allowance::new(left)));
            Arc::clone(shared)
        });
        Ok(Spec {
            guid: request.guid,
            method: request.method.parse().map_err(|_| unreadable("method"))?,
            url: request.url.parse().map_err(|_| unreadable("address"))?,
            headers: request.headers.clone(),
            body: request.body.as_ref().map(|(path, _)| path.clone()),
            folder: request.folder.clone(),
            name: request.name.clone(),
            mirrors: request.expectation.as_ref().map(|known| known.mirrors.clone()).unwrap_or_default(),
            expected: expected(request).map_err(|_| unreadable("checksum"))?,
            allowance,
        })
    }

    /// Writes down what the transfers told, in one transaction, however often that takes; then answers them.
    async fn take_in(&mut self, batch: &mut Vec<News>) {
        let mut entries = Vec::with_capacity(batch.len());
        {
            let live = self.shared.live.read().await;
            let rules = Rules { base: self.shared.settings.retry_base(), attempts: self.shared.settings.attempts };
            for news in batch.drain(..) {
                entries.push(Entry::decide(news, &live, &rules, &self.shared.env));
            }
        }
        vouch::read(&mut entries).await;
        for entry in &entries {
            if let Some((host, until_us)) = entry.rest() {
                self.load.rest(host, until_us);
            }
        }
        let written = loop {
            match self.write(&entries).await {
                Ok(written) => break written,
                Err(error) => self.refused(&error, "write down what the transfers told"),
            }
            if self.is_closing {
                // What was not written is found on disk at the next start.
                return self.let_go(&entries).await;
            }
            if let Ok(Some(order)) = tokio::time::timeout(LEDGER_RETRY, self.orders.recv()).await {
                self.obey(order).await;
            }
        };
        if written.has_wrong {
            crashpoint::hit("engine.wrong-written");
        }
        if (written.has_wrong || entries.iter().any(Entry::lets_body_go))
            && let Err(error) = self.shared.collect_files().await
        {
            tracing::warn!(%error, "a file of no further use is removed at the next start");
        }
        for (entry, told) in entries.into_iter().zip(&written.told) {
            entry.answer(told.is_some(), &self.shared).await;
        }
        self.dirty.extend(written.told.iter().flatten());
        for guid in written.stop {
            self.shared.transfers.stop(guid);
        }
        self.may_start |= !written.ended.is_empty();
        for (host, id) in written.ended {
            self.load.ended(host);
            if !self.shared.live.read().await.is_running(id) {
                self.allowances.remove(&id);
            }
        }
        for id in written.settled {
            crashpoint::hit("engine.settled");
            self.dirty.remove(&id);
            self.shared.tell_changed(id).await;
            self.shared.tell_owed(id).await;
            crashpoint::hit("engine.owed-told");
        }
        if self.shared.live.read().await.is_empty() {
            // Nothing moves any more, so nothing else would say so.
            self.tell_totals().await;
        }
        self.delete_what_rests().await;
    }

    async fn let_go(&self, entries: &[Entry]) {
        let mut live = self.shared.live.write().await;
        for guid in entries.iter().filter_map(Entry::ended) {
            live.remove(guid);
        }
    }

    async fn write(&mut self, entries: &[Entry]) -> Result<Written, Error> {
        let now = self.shared.env.now();
        let mut written = Written::default();
        let mut ledger = self.shared.store.begin().await?;
        let verdicts = vouch::judge(&mut ledger, entries, now).await?;
        written.has_wrong = verdicts.has_wrong;
        for (index, entry) in entries.iter().enumerate() {
            let told = Self::write_one(&mut ledger, entry, verdicts.of(index), now, &mut written).await?;
            written.told.push(told);
        }
        crashpoint::hit("engine.news-before-commit");
        let mut live = self.shared.live.write().await;
        ledger.commit().await?;
        for guid in entries.iter().filter_map(Entry::started_over) {
            live.start_over(guid);
        }
        for guid in entries.iter().filter_map(Entry::ended) {
            if let Some(transfer) = live.remove(guid) {
                written.ended.push((transfer.host, transfer.unique_id));
            }
        }
        drop(live);
        crashpoint::hit("engine.news-written");
        Ok(written)
    }

    async fn write_one(
        ledger: &mut Writing<'_>,
        entry: &Entry,
        judged: Option<&Judged>,
        now: i64,
        written: &mut Written,
    ) -> Result<Option<UniqueId>, Error> {
        match entry {
            Entry::Head { guid, head, .. } => {
                crashpoint::hit("engine.head-before-write");
                ledger.write_active_download_metadata(*guid, head).await
            }
            Entry::Completed { guid, response, identity, .. } => {
                crashpoint::hit("engine.completed-before-write");
                let touched = match judged {
                    None => ledger.write_completed_download_response(*guid, response, *identity, now).await?,
                    Some(Judged::Right(response)) => {
                        ledger.write_completed_download_response(*guid, response, *identity, now).await?
                    }
                    Some(Judged::Wrong(response)) => ledger.write_failed_download_response(*guid, response, now).await?,
                };
                Ok(touched.map(|touched| written.touch(touched)))
            }
            Entry::Dead { guid, response, .. } => {
                crashpoint::hit("engine.failed-before-write");
                let touched = ledger.write_failed_download_response(*guid, response, now).await?;
                let Some(id) = touched.map(|touched| written.touch(touched)) else { return Ok(None) };
                if response.reason == FailureReason::DownloadTotalExceeded {
                    Self::end_exceeded(ledger, id, response, now, written).await?;
                }
                Ok(Some(id))
            }
            Entry::Back { guid, bytes, how, .. } => {
                crashpoint::hit("engine.back-before-write");
                ledger.put_back(*guid, *bytes, how, now).await
            }
        }
    }

    /// More came than was declared: that is the end of all requests of the registration at once.
    async fn end_exceeded(
        ledger: &mut Writing<'_>,
        id: UniqueId,
        response: &FailedResponse,
        now: i64,
        written: &mut Written,
    ) -> Result<(), Error> {
        let ended = ledger.mark_registration_for_deletion(id, response.reason, &response.trouble, now).await?;
        if let Some(guids) = ended {
            written.stop.extend(guids);
            written.settled.push(id);
        }
        Ok(())
    }

    async fn wake_due(&mut self) {
        self.may_start = true;
        self.is_refused = false;
        if self.beaten.elapsed() >= TICK {
            self.beaten = Instant::now();
            if let Err(error) = self.beat().await {
                self.refused(&error, "say that this engine lives");
            }
        }
        match self.wake().await {
            Ok(woken) => self.dirty.extend(woken),
            Err(error) => self.refused(&error, "wake what is due"),
        }
    }

    async fn wake(&self) -> Result<Vec<UniqueId>, Error> {
        let now = self.shared.env.now();
        if self.shared.store.next_due().await?.is_none_or(|due| due > now) {
            return Ok(Vec::new());
        }
        let mut ledger = self.shared.store.begin().await?;
        let woken = ledger.wake_due(now, 1000).await?;
        crashpoint::hit("engine.woken-before-commit");
        ledger.commit().await?;
        Ok(woken)
    }

    async fn beat(&self) -> Result<(), Error> {
        let mut ledger = self.shared.store.begin().await?;
        ledger.beat(&self.shared.holder, self.shared.env.now()).await?;
        ledger.commit().await
    }

    /// Until the next waiting request, resting host, refused write or tick is due.
    async fn next_due(&self) -> Duration {
        let tick = if self.is_refused { LEDGER_RETRY } else { TICK.saturating_sub(self.beaten.elapsed()) };
        let waiting = self.shared.store.next_due().await.ok().flatten();
        let now = self.shared.env.now();
        let Some(until) = waiting.into_iter().chain(self.load.next_wake(now)).min() else { return tick };
        // A millisecond at least: what is due but cannot start is no reason to spin.
        let left = until.saturating_sub(now).max(1000);
        Duration::from_micros(left.unsigned_abs()).min(tick)
    }

    async fn tell_progress(&mut self) {
        let moved = self.shared.live.write().await.update(self.shared.transfers.progress(), Instant::now());
        for id in std::mem::take(&mut self.dirty) {
            self.shared.tell_changed(id).await;
        }
        for id in moved {
            self.shared.tell_progress(id).await;
        }
        self.tell_totals().await;
    }

    async fn tell_totals(&mut self) {
        if let Ok(totals) = self.shared.totals().await
            && totals != self.totals
        {
            self.totals = totals;
            self.shared.speaker.say(Event::Totals { totals });
        }
    }

    async fn delete_what_rests(&mut self) {
        for id in self.deleting.clone() {
            if self.shared.live.read().await.is_running(id) {
                continue;
            }
            self.deleting.remove(&id);
            if let Err(error) = self.shared.delete(id).await {
                tracing::warn!(%id, %error, "a removed registration is finished at the next start");
            }
        }
    }

    /// Says what could not be done; it is tried again after a breath, so that a full disk is not hammered.
    fn refused(&mut self, error: &Error, what: &str) {
        self.is_refused = true;
        tracing::error!(%error, "could not {what}; trying again");
    }
}

/// What the file must be.
fn expected(request: &Activated) -> Result<Expected, NotADigest> {
    let mut digests = request.digest.iter().map(|text| text.parse()).collect::<Result<Vec<_>, _>>()?;
    digests.extend(request.said.iter().cloned());
    let expected = Expected { digests, compute: request.compute, ..Expected::default() };
    let Some(known) = &request.expectation else { return Ok(expected) };
    let digests = [expected.digests, known.digests.clone()].concat();
    Ok(Expected { size: known.size, pieces: known.pieces.clone(), digests, ..expected })
}

/// What one transaction changed.
#[derive(Default)]
struct Written {
    /// For each entry, whose it was; none when the row had moved on.
    told: Vec<Option<UniqueId>>,
    settled: Vec<UniqueId>,
    ended: Vec<(i64, UniqueId)>,
    stop: Vec<Guid>,
    /// A file that is none that was asked for waits to be removed.
    has_wrong: bool,
}

impl Written {
    fn touch(&mut self, touched: Touched) -> UniqueId {
        if touched.settled {
            self.settled.push(touched.unique_id);
        }
        touched.unique_id
    }
}
