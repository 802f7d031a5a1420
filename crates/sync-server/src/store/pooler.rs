//! Runs statements behind a pooler in transaction mode, such as pgbouncer.
//!
//! Behind a pooler, each transaction may get another connection of the database. On that connection, a named prepared
//! statement is unknown or belongs to another client. Unnamed statements exist only within one transaction. But each
//! unnamed statement costs an additional message, so they are used only if the address of the database contains
//! `statement-cache-capacity=0`.

use futures_util::{future::BoxFuture, stream::BoxStream};
use sqlx::{
    Either, Execute, Executor, PgConnection, Postgres, SqlStr,
    error::BoxDynError,
    postgres::{PgArguments, PgQueryResult, PgRow, PgStatement, PgTypeInfo},
};

/// Connection with or without names for prepared statements.
#[derive(Debug)]
pub(super) struct PreparedNames<'a> {
    pub connection: &'a mut PgConnection,
    pub has_names: bool,
}

/// Query with or without a name for its prepared statement.
struct Naming<Q> {
    query: Q,
    has_name: bool,
}

impl<'q, Q: Execute<'q, Postgres>> Execute<'q, Postgres> for Naming<Q> {
    fn sql(self) -> SqlStr {
        self.query.sql()
    }

    fn statement(&self) -> Option<&PgStatement> {
        self.query.statement()
    }

    fn take_arguments(&mut self) -> Result<Option<PgArguments>, BoxDynError> {
        self.query.take_arguments()
    }

    fn persistent(&self) -> bool {
        self.has_name && self.query.persistent()
    }
}

impl<'c> Executor<'c> for &'c mut PreparedNames<'_> {
    type Database = Postgres;

    fn fetch_many<'e, 'q: 'e, Q>(self, query: Q) -> BoxStream<'e, Result<Either<PgQueryResult, PgRow>, sqlx::Error>>
    where
        'c: 'e,
        Q: 'q + Execute<'q, Postgres>,
    {
        let has_name = self.has_names;
        (&mut *self.connection).fetch_many(Naming { query, has_name })
    }

    fn fetch_optional<'e, 'q: 'e, Q>(self, query: Q) -> BoxFuture<'e, Result<Option<PgRow>, sqlx::Error>>
    where
        'c: 'e,
        Q: 'q + Execute<'q, Postgres>,
    {
        let has_name = self.has_names;
        (&mut *self.connection).fetch_optional(Naming { query, has_name })
    }

    fn prepare_with<'e>(self, sql: SqlStr, parameters: &'e [PgTypeInfo]) -> BoxFuture<'e, Result<PgStatement, sqlx::Error>>
    where
        'c: 'e,
    {
        (&mut *self.connection).prepare_with(sql, parameters)
    }

    fn describe<'e>(self, sql: SqlStr) -> BoxFuture<'e, Result<sqlx::Describe<Postgres>, sqlx::Error>>
    where
        'c: 'e,
    {
        (&mut *self.connection).describe(sql)
    }
}
