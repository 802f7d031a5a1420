//! Tests the store on files in a temporary folder. No test waits, because every point in time is an argument.

mod bounds;
mod delivery;
mod ending;
mod expiry;
mod knowledge;
mod model;
mod opening;
mod order;
mod owner_data;
mod plans;
mod reading;
mod saved;
mod statistics;
mod sync;
mod timings;
mod usage;
mod working;

use std::{
    cmp::Reverse,
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use ashore_transfer::{Guid, ResponseSummary};
use sqlx::{AssertSqlSafe, Connection, SqliteConnection};
use tempfile::TempDir;
use uuid::Uuid;

use crate::{
    EngineError,
    intake::validate::accept_request,
    model::{
        FailureReason, NewRequest, QueuePlace, RecordedVerification, Registration, RequestSource, UniqueId, UserMessage,
        accepted::{AcceptedRegistration, AcceptedRequest},
    },
    store::{
        CompletedResponse, ExpiryCandidate, FailedResponse, FileIdentity, OwnerFilter, PickedRequest, ResponseHeadRow, RunRow,
        SkipSet, StartableRequest, UpdatedRequest,
        ledger::{LedgerStore, LedgerWriter},
    },
};

/// A ledger in a temporary folder. Dropping the ledger deletes the folder.
struct Ledger {
    store: LedgerStore,
    folder: TempDir,
}

impl Ledger {
    async fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let store = LedgerStore::open(&folder.path().join("ledger.db"), false).await.unwrap();
        Self { store, folder }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("ledger.db")
    }

    async fn create(&self, new: &AcceptedRegistration) -> Result<(), EngineError> {
        let mut writing = self.store.begin().await?;
        writing.create_registration(new, 1_000_000).await?;
        writing.commit().await
    }

    async fn show(&self, id: UniqueId) -> Registration {
        self.store.registration(id).await.unwrap().unwrap()
    }

    /// Runs storage operation 4 and commits.
    async fn take(&self) -> Option<StartableRequest> {
        self.take_unless(&[]).await
    }

    async fn take_unless(&self, resting: &[i64]) -> Option<StartableRequest> {
        let mut writing = self.store.begin().await.unwrap();
        let taken = writing.next_pending_request_and_mark_it_active(fresh(), resting).await.unwrap();
        writing.commit().await.unwrap();
        taken
    }

    /// Runs storage operation 6 and commits. Returns true if this operation settled the registration.
    async fn complete(&self, guid: Guid) -> Option<bool> {
        let mut writing = self.store.begin().await.unwrap();
        let touched = writing.write_completed_download_response(guid, &completed(10), None, 5_000_000).await.unwrap();
        writing.commit().await.unwrap();
        touched.map(|touched| touched.settled)
    }

    async fn fail(&self, guid: Guid, response: &FailedResponse) -> Option<bool> {
        let mut writing = self.store.begin().await.unwrap();
        let touched = writing.write_failed_download_response(guid, response, None, 5_000_000).await.unwrap();
        writing.commit().await.unwrap();
        touched.map(|touched| touched.settled)
    }

    /// Runs storage operation 8 and commits.
    async fn abort(&self, id: UniqueId) -> Option<Vec<Guid>> {
        let mut writing = self.store.begin().await.unwrap();
        let marked =
            writing.mark_registration_for_deletion(id, FailureReason::Aborted, &trouble("aborted"), 6_000_000).await.unwrap();
        writing.commit().await.unwrap();
        marked
    }

    /// Opens a second connection, to inspect and to damage the ledger.
    async fn beside(&self) -> SqliteConnection {
        SqliteConnection::connect(&format!("sqlite://{}", self.path().display())).await.unwrap()
    }

    async fn count(&self, table: &str) -> i64 {
        let sql = format!("SELECT count(*) FROM {table}");
        sqlx::query_scalar(AssertSqlSafe(sql)).fetch_one(self.store.readers()).await.unwrap()
    }

    async fn audit(&self) -> Vec<String> {
        audit(&self.store).await
    }
}

/// Returns the contradictions in the ledger as text; empty if there are none.
pub(crate) async fn audit(store: &LedgerStore) -> Vec<String> {
    store.audit().await.unwrap().iter().map(|one| format!("{}: {:?}", one.name, one.kind)).collect()
}

/// Values of a registration that matter for the queue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    pub id: UniqueId,
    pub is_active: bool,
    pub is_paused: bool,
    /// Whether everything is paused.
    pub is_held: bool,
    pub priority: i64,
    pub rank: i64,
    pub result: i64,
    pub is_owed: bool,
    /// State, due time and number of failed attempts of each request. For a request that has ended, the number of
    /// attempts is 0.
    pub places: Vec<(i64, i64, i64)>,
}

/// Returns every registration in the list, ordered by rank.
pub(crate) async fn rows(store: &LedgerStore) -> Vec<Row> {
    read_rows(&mut store.readers().acquire().await.unwrap()).await
}

/// Returns every registration in the list of a ledger file that is not open, ordered by rank.
pub(crate) async fn rows_in(path: &Path) -> Vec<Row> {
    let mut connection = SqliteConnection::connect(&format!("sqlite://{}", path.display())).await.unwrap();
    let rows = read_rows(&mut connection).await;
    connection.close().await.unwrap();
    rows
}

async fn read_rows(connection: &mut SqliteConnection) -> Vec<Row> {
    type Columns = (Vec<u8>, bool, bool, bool, i64, i64, i64, bool, String);
    let rows: Vec<Columns> = sqlx::query_as(
        "SELECT r.unique_id, r.active, r.paused, (SELECT paused FROM wish), r.priority, r.lane_rank, r.result, r.event = 1,
           (SELECT json_group_array(json_array(state, not_before_us, CASE WHEN state IN (0, 1, 3) THEN attempt ELSE 0 END) ORDER BY idx)
            FROM req_state s WHERE s.reg_id = r.reg_id)
         FROM registration r WHERE r.doomed = 0 ORDER BY r.lane_rank, r.reg_id",
    )
    .fetch_all(connection)
    .await
    .unwrap();
    let row = |(id, is_active, is_paused, is_held, priority, rank, result, is_owed, places): Columns| Row {
        id: UniqueId(Uuid::from_slice(&id).unwrap()),
        is_active,
        is_paused,
        is_held,
        priority,
        rank,
        result,
        is_owed,
        places: serde_json::from_str(&places).unwrap(),
    };
    rows.into_iter().map(row).collect()
}

/// Methods that call a batch operation for a single request.
impl LedgerWriter<'_> {
    async fn next_pending_request_and_mark_it_active(
        &mut self,
        fresh: Guid,
        resting: &[i64],
    ) -> Result<Option<StartableRequest>, EngineError> {
        let passed = SkipSet { hosts: resting, ..SkipSet::default() };
        let mut turns = self.turns().await?;
        turns.sort_by_key(|turn| (Reverse(turn.priority), turn.owner));
        for turn in turns {
            let picked = self
                .next_pending_requests_and_mark_them_active(OwnerFilter::Turn(turn), &passed, |_| 1, |_| true, || fresh)
                .await?;
            let PickedRequest::Some(mut taken) = picked else { panic!("there is space") };
            assert!(taken.len() <= 1);
            if !taken.is_empty() {
                return Ok(taken.pop());
            }
        }
        Ok(None)
    }

    async fn write_active_download_metadata(
        &mut self,
        guid: Guid,
        head: &ResponseSummary,
    ) -> Result<Option<UniqueId>, EngineError> {
        let touched = self.write_answers(&[ResponseHeadRow::Head(guid, head, None)], 0).await?;
        Ok(touched[0].map(|touched| touched.unique_id))
    }

    async fn write_completed_download_response(
        &mut self,
        guid: Guid,
        response: &CompletedResponse,
        identity: Option<FileIdentity>,
        now_us: i64,
    ) -> Result<Option<UpdatedRequest>, EngineError> {
        let touched = self.write_answers(&[ResponseHeadRow::Completed(guid, response, identity, None)], now_us).await?;
        Ok(touched[0])
    }
}

fn fresh() -> Guid {
    Guid(Uuid::new_v4())
}

/// Returns a registration of the owner `window` with these addresses.
fn asked(developer_id: &str, addresses: &[&str]) -> AcceptedRegistration {
    AcceptedRegistration {
        unique_id: UniqueId(Uuid::new_v4()),
        owner: "window".to_owned(),
        developer_id: developer_id.to_owned(),
        title: format!("Title of {developer_id}"),
        is_titled: true,
        description: None,
        icons: Vec::new(),
        source: RequestSource::Window,
        day: 0,
        content: None,
        merges_repeats: false,
        download_total: 0,
        folder: "/home/somebody/Downloads".into(),
        paused: false,
        place: QueuePlace::Bottom,
        parallel: 0,
        connections: 0,
        owner_data: String::new(),
        keep_for: None,
        takes_files: false,
        delivers: 0,
        page: None,
        first_url: None,
        requests: addresses.iter().map(|address| request(address)).collect(),
    }
}

fn request(address: &str) -> AcceptedRequest {
    accept_request(NewRequest { url: address.to_owned(), ..NewRequest::default() }).unwrap()
}

fn completed(size: u64) -> CompletedResponse {
    CompletedResponse {
        path: Some("/home/somebody/Downloads/file".into()),
        size,
        digest: None,
        verified: RecordedVerification::No,
        missing: Vec::new(),
        is_upload: true,
        uploaded: 0,
        run: RunRow::default(),
    }
}

fn failed(reason: FailureReason, code: &str) -> FailedResponse {
    FailedResponse { reason, trouble: trouble(code), status: None, bytes: 0, uploaded: 0, run: RunRow::default() }
}

fn trouble(code: &str) -> UserMessage {
    UserMessage::restore(code, None, BTreeMap::new(), Some(format!("It failed with {code}.")))
}

fn head(status: u16, total_size: Option<u64>) -> ResponseSummary {
    ResponseSummary {
        status,
        status_text: "OK".to_owned(),
        headers: vec![("content-type".to_owned(), "text/plain".to_owned())],
        url_chain: vec!["https://example.org/file".to_owned()],
        total_size,
        name: "file".to_owned(),
    }
}
