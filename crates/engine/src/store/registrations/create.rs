//! Storage operation 2: creates a registration and its requests in one transaction.
//!
//! Requests are written in chunks of a few thousand. Each chunk is one JSON argument that SQLite unpacks, since a
//! statement for each row would cost a round trip to the writer's thread.

use crate::{
    EngineError,
    intake::{checksum_files, file_kind},
    model::{accepted::AcceptedRegistration, values::retention::RetentionPeriod},
    store::{
        columns::{category_number, json, key, signed, source_number, text},
        ledger::LedgerWriter,
        registrations::{duplicates, queue_order::QueuePosition},
        requests::{
            checksum_links,
            insert::{CHUNK, add_hosts, add_requests, body_size, kind},
        },
        statement::statements,
        sync::marks::SyncChange,
        totals::tally::HostTally,
    },
};

statements! {
    ADD_OWNER: Search = "INSERT INTO owner (name) VALUES (?1) ON CONFLICT (name) DO UPDATE SET doomed = 0 WHERE doomed = 1";
    OWNER: Search = "SELECT owner_id FROM owner WHERE name = ?1";
    NAME_TAKEN: Search = "SELECT EXISTS (SELECT 1 FROM active_name WHERE owner_id = ?1 AND developer_id = ?2)";
    ADD_REGISTRATION: Search =
        "INSERT INTO registration (unique_id, owner_id, created_us, paused, priority, lane_rank, n_requests, n_pending,
           n_unsized, download_total, upload_total, parallel, keep_for_us, takes_files, delivers)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7, ?7, ?8, ?9, ?10, ?11, ?12, ?13)";
    ADD_NAME: Search = "INSERT INTO active_name (reg_id, owner_id, developer_id, content) VALUES (?1, ?2, ?3, ?4)";
    ADD_GIVEN: Search =
        "INSERT INTO given (reg_id, developer_id, folder, content, source, day, category, page, first_url, connections,
           owner_data)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)";
    ADD_FACE: Search = "INSERT INTO face (reg_id, title, description, icons) VALUES (?1, ?2, ?3, ?4)";
    ADD_LANES: Search =
        "INSERT INTO lane (reg_id, host_id, first_idx, n_pending)
         SELECT ?1, value ->> 0, value ->> 1, value ->> 2 FROM json_each(?2)";
}

impl LedgerWriter<'_> {
    /// Performs storage operation 2. Fails with `IdTaken` if the owner has an active registration of the same name. Fails with
    /// `Unknown` if `new` is to be placed before a registration that is not active.
    pub async fn create_registration(&mut self, new: &AcceptedRegistration, now_us: i64) -> Result<(), EngineError> {
        let folder = text(&new.folder);
        let connection = self.connection()?;
        sqlx::query(ADD_OWNER).bind(&new.owner).execute(&mut *connection).await?;
        let owner_id: i64 = sqlx::query_scalar(OWNER).bind(&new.owner).fetch_one(&mut *connection).await?;
        let taken: bool =
            sqlx::query_scalar(NAME_TAKEN).bind(owner_id).bind(&new.developer_id).fetch_one(&mut *connection).await?;
        if taken {
            return Err(EngineError::IdTaken(new.developer_id.clone()));
        }

        let QueuePosition { priority, rank } = self.standing(new.place, new.unique_id).await?;
        let (connection, _, tallies) = self.parts()?;
        let count = i64::try_from(new.requests.len()).unwrap_or(i64::MAX);
        let upload_total = new.requests.iter().map(body_size).fold(0, i64::saturating_add);
        let reg_id = sqlx::query(ADD_REGISTRATION)
            .bind(key(&new.unique_id))
            .bind(owner_id)
            .bind(now_us)
            .bind(new.paused)
            .bind(priority)
            .bind(rank)
            .bind(count)
            .bind(signed(new.download_total))
            .bind(upload_total)
            .bind(new.parallel)
            .bind(new.keep_for.map(RetentionPeriod::microseconds))
            .bind(new.takes_files)
            .bind(new.delivers)
            .execute(&mut *connection)
            .await?
            .last_insert_rowid();
        let content = new.content.as_ref().map(<[u8; 16]>::as_slice);
        sqlx::query(ADD_NAME).bind(reg_id).bind(owner_id).bind(&new.developer_id).bind(content).execute(&mut *connection).await?;
        sqlx::query(ADD_GIVEN)
            .bind(reg_id)
            .bind(&new.developer_id)
            .bind(folder)
            .bind(content)
            .bind(source_number(new.source))
            .bind(new.day)
            .bind(category_number(file_kind::of_most(new.requests.iter().map(kind))))
            .bind(new.page.as_deref().unwrap_or_default())
            .bind(new.first_url.as_deref().unwrap_or_default())
            .bind(new.connections)
            .bind(&new.owner_data)
            .execute(&mut *connection)
            .await?;
        tallies.change(reg_id, HostTally { added: count, ..HostTally::default() });
        tallies.marks.add(reg_id, SyncChange::Title(now_us));
        tallies.marks.add(reg_id, SyncChange::Requested(now_us));
        duplicates::remember(connection, new, (reg_id, owner_id), now_us).await?;
        sqlx::query(ADD_FACE)
            .bind(reg_id)
            .bind(&new.title)
            .bind(new.description.as_deref().unwrap_or_default())
            .bind(json(&new.icons)?)
            .execute(&mut *connection)
            .await?;

        checksum_links::add(connection, reg_id, &checksum_files::vouchers(&new.requests)).await?;
        let mut lanes = add_hosts(connection, &new.requests).await?;
        for (number, chunk) in new.requests.chunks(CHUNK).enumerate() {
            add_requests(connection, reg_id, number * CHUNK, chunk, &mut lanes).await?;
        }
        let rows: Vec<_> = lanes.values().map(|lane| (lane.host_id, lane.first, lane.count)).collect();
        for chunk in rows.chunks(CHUNK) {
            sqlx::query(ADD_LANES).bind(reg_id).bind(json(&chunk)?).execute(&mut *connection).await?;
        }
        Ok(())
    }
}
