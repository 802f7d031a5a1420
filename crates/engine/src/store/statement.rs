//! Declares a statement as a constant, together with the query plan that it must keep on a fresh ledger. The plan test
//! goes through these lists, so no statement can miss it.
//!
//! Tests check statements by running them, not sqlx's macros: these need a prepared database or a cache of results
//! beside the sources, and they cannot see a plan.

/// Query plan that a statement must keep without `ANALYZE`.
#[cfg(test)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum QueryPlan {
    /// Index searches only: no table and no index is walked, nothing is sorted.
    Search,
    /// May walk an index from one end, bounded by what the index holds; no table is walked, nothing is sorted.
    Walk,
    /// No constraint: for lists and searches, which are paged by key.
    Listing,
}

/// Declares a file's statements: `NAME: QueryPlan = "SQL";`.
macro_rules! statements {
    ($($name:ident: $plan:ident = $sql:expr;)+) => {
        $(const $name: &str = $sql;)+

        #[cfg(test)]
        pub(in crate::store) const STATEMENTS: &[(&str, crate::store::statement::QueryPlan, &str)] =
            &[$((stringify!($name), crate::store::statement::QueryPlan::$plan, $name)),+];
    };
}

pub(super) use statements;
