//! `ashore show`: shows one registration with its records and, on request, the attempts of each record.
//!
//! Records are read page by page, because there may be 100,000 of them.

use std::path::Path;

use ashore_engine::{Registration, RegistrationDetails, RequestAttempt, ResponseRecord, UniqueId};
use ashore_rpc::{MethodCall, PeerStream};
use ashore_terminal::{TerminalOutput, clean};

use crate::{
    arguments::ShowArguments,
    connection::connect,
    output::{
        problem::{CliProblem, ExitStatus},
        text::{self, ShownState},
        words::{left, sentence, width, words},
    },
    verbs::short,
};

const PAGE: u32 = 1000;

/// Ids of the field names, which form one column.
const FIELDS: [&str; 10] = [
    "cli-field.id",
    "cli-field.own-name",
    "cli-field.owner",
    "cli-field.state",
    "cli-field.failure",
    "cli-field.folder",
    "cli-field.page",
    "cli-field.created",
    "cli-field.settled",
    "cli-field.expires",
];

/// Shows one registration.
pub async fn show(data_dir: &Path, wanted: &ShowArguments, out: TerminalOutput) -> Result<ExitStatus, CliProblem> {
    let connection = connect(data_dir, "ashore show", false).await?;
    let shown = async {
        let unique_id = short::resolve(&connection, &wanted.id).await?;
        let registration: Registration = connection.call(MethodCall::Show { unique_id }).await?;
        if out.json {
            object(&connection, &registration, wanted.attempts, out).await
        } else {
            words(&connection, &registration, wanted.attempts, out).await?;
            if registration.is_settled() {
                // The user has seen the result here. Claim its notification, so that no other program shows the result.
                connection.call::<bool>(MethodCall::Claim { unique_id }).await?;
            }
            Ok(())
        }
    };
    let shown = shown.await;
    connection.close().await;
    shown.map(|()| ExitStatus::Done)
}

/// Prints `registration` with its records as one object. If `with_tries`, each record has its attempts.
pub async fn object(
    connection: &PeerStream,
    registration: &Registration,
    with_tries: bool,
    out: TerminalOutput,
) -> Result<(), CliProblem> {
    let mut head = serde_json::to_string(registration)?;
    // Remove the closing brace, because the records follow as the last field.
    head.pop();
    head.push_str(",\"records\":[");
    // Print the beginning together with the first record. Otherwise, an incomplete object would be printed if the
    // engine closed before the first record arrived.
    let mut before = head.as_str();
    each_record(connection, registration.unique_id, async |record| {
        out.part(before)?;
        before = ",";
        let mut object = serde_json::to_string(record)?;
        if with_tries {
            object.pop();
            object.push_str(",\"tries\":");
            object.push_str(&serde_json::to_string(&tries(connection, registration.unique_id, record).await?)?);
            object.push('}');
        }
        Ok(out.part(&object)?)
    })
    .await?;
    out.line("]}")?;
    Ok(())
}

/// Passes every record of `id` to `show`, in order.
pub async fn each_record(
    connection: &PeerStream,
    id: UniqueId,
    mut show: impl AsyncFnMut(&ResponseRecord) -> Result<(), CliProblem>,
) -> Result<(), CliProblem> {
    let mut from = 0;
    loop {
        let page: Vec<ResponseRecord> = connection.call(MethodCall::Records { unique_id: id, from, limit: PAGE }).await?;
        for record in &page {
            show(record).await?;
        }
        match page.last() {
            Some(last) if page.len() == PAGE as usize => from = last.index + 1,
            _ => return Ok(()),
        }
    }
}

/// Returns the attempts of a record, newest first. Calls the engine only if the record has attempts.
async fn tries(connection: &PeerStream, id: UniqueId, record: &ResponseRecord) -> Result<Vec<RequestAttempt>, CliProblem> {
    if record.attempts == 0 {
        return Ok(Vec::new());
    }
    let details: RegistrationDetails = connection.call(MethodCall::Details { unique_id: id, index: record.index }).await?;
    Ok(details.attempts)
}

async fn words(connection: &PeerStream, one: &Registration, with_tries: bool, out: TerminalOutput) -> Result<(), CliProblem> {
    out.line(clean(&one.title))?;
    let names = FIELDS.map(|id| words!(id));
    let width = width(names.iter().map(String::as_str), 10);
    let field = |id: &str, value: String| out.text(format_args!("  {} {value}", left(&words!(id), width)), width + 3);
    for line in one.description.lines() {
        out.text(format_args!("  {}", clean(line)), 2)?;
    }
    field("cli-field.id", one.unique_id.to_string())?;
    if one.developer_id != one.unique_id.to_string() {
        field("cli-field.own-name", clean(&one.developer_id))?;
    }
    field("cli-field.owner", clean(&one.owner))?;
    field("cli-field.state", format!("{}, {}", text::state(one).word(), text::progress(one, 0, false)))?;
    if let Some(failure) = &one.failure {
        field("cli-field.failure", text::with_cure(failure))?;
    }
    field("cli-field.folder", clean(&one.folder.display().to_string()))?;
    if let Some(page) = &one.page {
        field("cli-field.page", clean(page))?;
    }
    field("cli-field.created", text::moment(one.created))?;
    if let Some(settled) = one.settled {
        field("cli-field.settled", text::moment(settled))?;
    }
    if let Some(expires) = one.expires {
        field("cli-field.expires", text::moment(expires))?;
    }
    each_record(connection, one.unique_id, async |record| {
        let text = match text::record_state(record) {
            ShownState::Done => text::finished(record),
            ShownState::Failed => text::failed(record),
            ShownState::Waiting => {
                let why = record.message().map_or_else(String::new, |message| sentence(&message));
                format!("{}  {why}", clean(&record.url))
            }
            _ => format!("{}  {}", clean(&record.url), text::size(record.downloaded)),
        };
        out.text(format_args!("  {:>6}  {} {text}", record.index, text::record_state(record).column("")), 10)?;
        if with_tries {
            for attempt in tries(connection, one.unique_id, record).await? {
                out.text(format_args!("          {}", text::attempt(&attempt)), 12)?;
            }
        }
        Ok(())
    })
    .await
}
