//! Stores the properties that the creator of a request expects of its file, except a single checksum. They are written
//! with the request and read at dispatch.

use ashore_transfer::{DigestAlgorithm, FileDigest, PieceHashes};
use serde::{Deserialize, Serialize};
use sqlx::SqliteConnection;
use url::Url;

use crate::{
    EngineError,
    model::accepted::{AcceptedRequest, FileExpectation},
    store::{
        columns::{from_json, json, signed, unsigned},
        statement::statements,
    },
};

statements! {
    ADD: Search =
        "INSERT INTO expectation (reg_id, idx, size, digests, mirrors, piece_algorithm, piece_length, pieces, skip_existing)
         SELECT ?1, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, value ->> 7
         FROM json_each(?2)";
}

/// A row in the column order of [`ADD`].
#[derive(Serialize)]
struct NewRow(usize, Option<i64>, String, String, String, i64, String, i64);

/// JSON of an optional row, for a `LEFT JOIN expectation e`.
macro_rules! known {
    () => {
        "json_array(e.size, e.digests, e.mirrors, e.piece_algorithm, e.piece_length, e.pieces, e.skip_existing)"
    };
}
pub(in crate::store) use known;

/// Parsed form of the JSON that `known` creates.
#[derive(Debug, Deserialize)]
pub(in crate::store) struct ExpectationRow {
    size: Option<i64>,
    digests: Option<String>,
    mirrors: Option<String>,
    piece_algorithm: Option<String>,
    piece_length: Option<i64>,
    pieces: Option<String>,
    skip_existing: Option<i64>,
}

/// Writes the expectations of these requests; `first` is the index of the first request. Writes nothing for requests
/// without expectations.
pub(in crate::store) async fn add(
    connection: &mut SqliteConnection,
    reg_id: i64,
    first: usize,
    requests: &[AcceptedRequest],
) -> Result<(), EngineError> {
    let mut rows = Vec::new();
    for (idx, request) in (first..).zip(requests) {
        let Some(known) = &request.expectation else { continue };
        let digests: Vec<String> = known.digests.iter().map(ToString::to_string).collect();
        let (algorithm, length, pieces) = match &known.pieces {
            Some(pieces) => (pieces.algorithm.to_string(), signed(pieces.length), hex::encode(pieces.digests.concat())),
            None => Default::default(),
        };
        let (digests, mirrors) = (json(&digests)?, json(&known.mirrors)?);
        rows.push(NewRow(idx, known.size.map(signed), digests, mirrors, algorithm, length, pieces, known.skip_existing.into()));
    }
    if !rows.is_empty() {
        sqlx::query(ADD).bind(reg_id).bind(json(&rows)?).execute(connection).await?;
    }
    Ok(())
}

impl ExpectationRow {
    /// Returns the size of the file in bytes, if it is known.
    pub fn size(&self) -> Option<u64> {
        self.size.map(unsigned)
    }

    /// Returns the expectations; `None` for most files. Values that another program has corrupted are left out.
    pub fn into_expectation(self) -> Option<Box<FileExpectation>> {
        let digests: Vec<String> = from_json(&self.digests?);
        let mirrors: Vec<String> = from_json(&self.mirrors?);
        Some(Box::new(FileExpectation {
            size: self.size.map(unsigned),
            digests: digests.iter().filter_map(|text| text.parse::<FileDigest>().ok()).collect(),
            mirrors: mirrors.iter().filter_map(|text| Url::parse(text).ok()).collect(),
            pieces: pieces(&self.piece_algorithm?, unsigned(self.piece_length?), &self.pieces?),
            skip_existing: self.skip_existing? != 0,
        }))
    }
}

fn pieces(algorithm: &str, length: u64, digits: &str) -> Option<PieceHashes> {
    let algorithm = DigestAlgorithm::named(algorithm)?;
    let bytes = hex::decode(digits).ok()?;
    let is_whole = length > 0 && bytes.len().is_multiple_of(algorithm.length());
    is_whole.then(|| PieceHashes { algorithm, length, digests: bytes.chunks(algorithm.length()).map(<[u8]>::to_vec).collect() })
}
