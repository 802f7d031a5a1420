//! Origin of links that a browser handed over: reads the unfinished downloads that a click may continue, and records the
//! click that gave a download its present link.

use sqlx::FromRow;
use url::Url;

use crate::{
    EngineError,
    intake::link_match::{LinkCandidate, LinkedFile},
    model::{RequestSource, UniqueId, UserMessage},
    store::{
        columns::{key, source_number, unique_id, unsigned},
        ledger::{LedgerStore, LedgerWriter},
        statement::statements,
    },
};

/// Maximum number of unfinished downloads that are compared with the file of a click.
const MOST: u32 = 1000;

statements! {
    // Reason 1 means that the registration was aborted. The size may come from the response head, because the state of
    // a failed request no longer contains the size of its file.
    UNFINISHED: Listing =
        "SELECT r.unique_id, q.url, g.first_url, g.page, q.name, h.name AS head_name, coalesce(e.size, h.total_size) AS size,
           r.active, r.trouble_code, r.trouble_detail
         FROM owner o CROSS JOIN registration r INDEXED BY reg_owner ON r.owner_id = o.owner_id
         CROSS JOIN given g ON g.reg_id = r.reg_id
         CROSS JOIN request q ON q.reg_id = r.reg_id AND q.idx = 0
         LEFT JOIN expectation e ON e.reg_id = r.reg_id AND e.idx = 0
         LEFT JOIN response_head h ON h.reg_id = r.reg_id AND h.idx = 0
         WHERE o.name = ?1 AND r.doomed = 0 AND r.n_requests = 1 AND r.n_succeeded = 0 AND r.n_active = 0 AND r.failure <> 1
         ORDER BY r.reg_id DESC LIMIT ?2";
    OF_CLICK: Search =
        "SELECT r.unique_id FROM given g INDEXED BY given_click CROSS JOIN registration r ON r.reg_id = g.reg_id
         CROSS JOIN owner o ON o.owner_id = r.owner_id
         WHERE g.click_id = ?2 AND g.click_id <> '' AND r.doomed = 0 AND o.name = ?1 ORDER BY g.reg_id DESC LIMIT 1";
    SET_ORIGIN: Search =
        "UPDATE given SET page = coalesce(?2, page), first_url = ?3, click_id = ?4, source = ?5
         WHERE reg_id = (SELECT reg_id FROM registration WHERE unique_id = ?1)";
}

/// Origin of a new link.
#[derive(Clone, Debug)]
pub(crate) struct LinkOrigin {
    /// Page that contains the link. `None` if the page is not known, or if the stored page is to be kept.
    pub page: Option<String>,
    /// Address of the link before redirects, if it differs from the address of the request.
    pub first_url: Option<String>,
    /// `developer_id` of the click.
    pub click_id: String,
    pub source: RequestSource,
}

#[derive(FromRow)]
struct Row {
    unique_id: Vec<u8>,
    url: String,
    first_url: String,
    page: String,
    name: Option<String>,
    head_name: Option<String>,
    size: Option<i64>,
    active: bool,
    trouble_code: String,
    trouble_detail: String,
}

impl Row {
    fn into_candidate(self, is_awaited: &impl Fn(UniqueId) -> bool) -> Result<LinkCandidate, EngineError> {
        let unique_id = unique_id(&self.unique_id)?;
        Ok(LinkCandidate {
            unique_id,
            file: LinkedFile {
                addresses: [self.url, self.first_url].iter().filter_map(|address| Url::parse(address).ok()).collect(),
                page: Url::parse(&self.page).ok(),
                names: self.name.into_iter().chain(self.head_name).collect(),
                size: self.size.map(unsigned),
            },
            failure: (!self.active).then(|| UserMessage::from_detail(&self.trouble_code, &self.trouble_detail)),
            is_awaited: is_awaited(unique_id),
        })
    }
}

impl LedgerStore {
    /// Returns the owner's latest unfinished downloads of a single file, newest first. Running downloads are left out.
    pub async fn link_candidates(
        &self,
        owner: &str,
        is_awaited: impl Fn(UniqueId) -> bool,
    ) -> Result<Vec<LinkCandidate>, EngineError> {
        let rows: Vec<Row> = sqlx::query_as(UNFINISHED).bind(owner).bind(MOST).fetch_all(self.readers()).await?;
        rows.into_iter().map(|row| row.into_candidate(&is_awaited)).collect()
    }

    /// Returns the registration whose present link came from the click with this `developer_id`.
    pub async fn of_click(&self, owner: &str, click_id: &str) -> Result<Option<UniqueId>, EngineError> {
        let found: Option<Vec<u8>> =
            sqlx::query_scalar(OF_CLICK).bind(owner).bind(click_id).fetch_optional(self.readers()).await?;
        found.map(|id| unique_id(&id)).transpose()
    }
}

impl LedgerWriter<'_> {
    /// Records the origin of the present link of a registration. A known page is kept if the new one is `None`.
    ///
    /// The registration's source becomes the source of the click. A page can cause a click, so the new link must not
    /// reach addresses that only a person may request.
    pub async fn set_link_origin(&mut self, id: UniqueId, origin: &LinkOrigin) -> Result<(), EngineError> {
        sqlx::query(SET_ORIGIN)
            .bind(key(&id))
            .bind(&origin.page)
            .bind(origin.first_url.as_deref().unwrap_or_default())
            .bind(&origin.click_id)
            .bind(source_number(origin.source))
            .execute(self.connection()?)
            .await?;
        Ok(())
    }
}
