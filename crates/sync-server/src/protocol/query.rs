//! Reads the query of a request. [pure]

use percent_encoding::percent_decode;

use super::{ProtocolLimits, ProtocolRefusal, SortOrder, Timestamp, is_id, offset::ListOffset};

/// Action of a batch request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BatchParameter {
    /// The objects are written without a batch, or as a batch that begins and ends with this request.
    None {
        /// Whether the objects are written as a batch. A batch updates the time of every object.
        is_batch: bool,
    },
    /// This request begins a batch.
    Begin,
    /// This request adds objects to a batch.
    Append(String),
    /// This request adds objects to a batch and commits the batch.
    Commit(String),
}

/// Valid query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BsoQuery {
    /// Ids to select; `None` for all.
    pub ids: Option<Vec<String>>,
    /// Time in milliseconds. Only objects that were modified after it are selected.
    pub newer: Option<i64>,
    /// Time in milliseconds. Only objects that were modified before it are selected.
    pub older: Option<i64>,
    /// Whether whole objects are returned instead of ids.
    pub is_full: bool,
    /// Maximum number of rows.
    pub limit: Option<u32>,
    /// Order of the rows.
    pub sort: SortOrder,
    /// Last row of the previous page; the listing continues after this row.
    pub offset: Option<ListOffset>,
    /// Batch parameters of a POST.
    pub batch: BatchParameter,
}

impl BsoQuery {
    /// Reads the query of a GET or a POST. Fails with status 400 and code 0.
    ///
    /// Unknown parameters are ignored.
    pub fn read(text: &str, limits: &ProtocolLimits) -> Result<Self, ProtocolRefusal> {
        Values::read(text, |_| true)?.understand(limits).ok_or(ProtocolRefusal::BAD_REQUEST)
    }

    /// Reads the ids of a DELETE of a collection; `None` for the whole collection.
    ///
    /// Fails with status 400 and code 0 if the query is not valid. Any other parameter is also refused, because an
    /// ignored filter would delete more than the client intended.
    pub fn read_ids(text: &str, limits: &ProtocolLimits) -> Result<Option<Vec<String>>, ProtocolRefusal> {
        let query = Values::read(text, |name| name == "ids")?.understand(limits).ok_or(ProtocolRefusal::BAD_REQUEST)?;
        Ok(query.ids)
    }

    /// Checks that the query of a modifying request has no parameters.
    ///
    /// Fails with status 400 and code 0 if it has any.
    pub fn read_none(text: &str) -> Result<(), ProtocolRefusal> {
        Values::read(text, |_| false).map(|_| ())
    }
}

#[derive(Default)]
struct Values {
    ids: Option<String>,
    newer: Option<String>,
    older: Option<String>,
    full: Option<String>,
    limit: Option<String>,
    sort: Option<String>,
    offset: Option<String>,
    batch: Option<String>,
    commit: Option<String>,
}

impl Values {
    /// Splits a query into its parameters.
    ///
    /// Fails if a parameter is duplicate, or if `is_allowed` is false for a parameter.
    fn read(text: &str, is_allowed: impl Fn(&str) -> bool) -> Result<Self, ProtocolRefusal> {
        let mut values = Self::default();
        for pair in text.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let name = decode(name)?;
            if !is_allowed(&name) {
                return Err(ProtocolRefusal::BAD_REQUEST);
            }
            let slot = match name.as_str() {
                "ids" => &mut values.ids,
                "newer" => &mut values.newer,
                "older" => &mut values.older,
                "full" => &mut values.full,
                "limit" => &mut values.limit,
                "sort" => &mut values.sort,
                "offset" => &mut values.offset,
                "batch" => &mut values.batch,
                "commit" => &mut values.commit,
                _ => continue,
            };
            let value = decode(value)?;
            // PostgreSQL cannot store null bytes, so stored ids and batches never contain them.
            if value.contains('\0') || slot.replace(value).is_some() {
                return Err(ProtocolRefusal::BAD_REQUEST);
            }
        }
        Ok(values)
    }

    fn understand(self, limits: &ProtocolLimits) -> Option<BsoQuery> {
        let sort = match self.sort.as_deref() {
            None | Some("newest") => SortOrder::Newest,
            Some("oldest") => SortOrder::Oldest,
            Some("index") => SortOrder::Index,
            Some(_) => return None,
        };
        let ids = match self.ids.as_deref() {
            None => None,
            // Keep an empty list: a request that deletes nothing must never delete everything.
            Some("") => Some(Vec::new()),
            Some(list) => {
                let ids: Vec<String> = list.split(',').map(str::to_owned).collect();
                (ids.len() <= limits.ids && ids.iter().all(|id| is_id(id))).then_some(Some(ids))?
            }
        };
        // Object times are multiples of 10 ms. A fraction of a millisecond therefore matters only for the upper bound.
        let newer = self.newer.as_deref().map(Timestamp::parse).map_or(Some(None), |time| Some(Some(time?.0.0)))?;
        let older = self.older.as_deref().map(Timestamp::parse);
        let older = older.map_or(Some(None), |time| time.map(|(time, is_cut)| Some(time.0 + i64::from(is_cut))))?;
        let limit = self.limit.as_deref().map(str::parse::<u32>).transpose().ok()?;
        let offset = self.offset.as_deref().map(|text| ListOffset::read(text, sort)).map_or(Some(None), |read| read.map(Some))?;
        let is_commit = match self.commit.as_deref() {
            None => false,
            Some("true") => true,
            Some(_) => return None,
        };
        let batch = match (self.batch, is_commit) {
            (None, true) => return None,
            (None, false) => BatchParameter::None { is_batch: false },
            (Some(id), is_commit) if id == "true" || id.is_empty() => match is_commit {
                true => BatchParameter::None { is_batch: true },
                false => BatchParameter::Begin,
            },
            (Some(id), true) => BatchParameter::Commit(id),
            (Some(id), false) => BatchParameter::Append(id),
        };
        Some(BsoQuery { ids, newer, older, is_full: self.full.is_some(), limit, sort, offset, batch })
    }
}

fn decode(text: &str) -> Result<String, ProtocolRefusal> {
    let spaced = text.replace('+', " ");
    percent_decode(spaced.as_bytes()).decode_utf8().map(|text| text.into_owned()).map_err(|_| ProtocolRefusal::BAD_REQUEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<BsoQuery, ProtocolRefusal> {
        BsoQuery::read(text, &ProtocolLimits::default())
    }

    #[test]
    fn valid_query_is_parsed() {
        let query = read("ids=a%2Cb,c&newer=1.5&older=2.0001&full=0&limit=7&sort=index&blabla=1").unwrap();
        assert_eq!(query.ids, Some(vec!["a".to_owned(), "b".to_owned(), "c".to_owned()]));
        assert_eq!((query.newer, query.older, query.limit), (Some(1500), Some(2001), Some(7)));
        assert!(query.is_full && query.sort == SortOrder::Index);
        assert_eq!(read("").unwrap().batch, BatchParameter::None { is_batch: false });
        assert_eq!(read("ids=").unwrap().ids, Some(Vec::new()));
        assert_eq!(read("batch=true").unwrap().batch, BatchParameter::Begin);
        assert_eq!(read("batch=true&commit=true").unwrap().batch, BatchParameter::None { is_batch: true });
        assert_eq!(read("commit=true&batch=x").unwrap().batch, BatchParameter::Commit("x".to_owned()));
    }

    #[test]
    fn invalid_query_is_refused() {
        let many = format!("ids={}", vec!["a"; 101].join(","));
        for wrong in [
            "newer=1e400",
            "newer=-1",
            "older=x",
            "limit=-1",
            "limit=4294967296",
            "limit=",
            "sort=up",
            "offset=x",
            "ids=a,,b",
            "ids=a%0A",
            "commit=true",
            "commit=yes&batch=x",
            "newer=%ff",
            "batch=a%00",
            "limit=1&limit=2",
            many.as_str(),
        ] {
            assert_eq!(read(wrong), Err(ProtocolRefusal::BAD_REQUEST), "{wrong}");
        }
    }

    #[test]
    fn deletion_query_allows_no_parameter_except_ids() {
        let ids = |text: &str| BsoQuery::read_ids(text, &ProtocolLimits::default());
        assert_eq!(ids(""), Ok(None));
        assert_eq!(ids("ids=a,b"), Ok(Some(vec!["a".to_owned(), "b".to_owned()])));
        assert_eq!(ids("ids="), Ok(Some(Vec::new())));
        for wrong in ["id=a", "newer=1", "ids=a&limit=1", "ids=a&ids=b", "IDS=a", "ids=a,", "full", "batch=true"] {
            assert_eq!(ids(wrong), Err(ProtocolRefusal::BAD_REQUEST), "{wrong}");
        }
        assert_eq!(BsoQuery::read_none(""), Ok(()));
        assert_eq!(BsoQuery::read_none("ids="), Err(ProtocolRefusal::BAD_REQUEST));
    }
}
