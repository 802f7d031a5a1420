//! How a statement is written down: as a constant, together with the plan that it must keep on a fresh ledger. The plan
//! test goes through these lists, so no statement can miss it.
//!
//! Statements are checked by running them in tests, not by sqlx's macros: those need a prepared database or a cache of
//! answers beside the sources, and they cannot see a plan.

/// The plan a statement must keep without `ANALYZE`.
#[cfg(test)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum QueryPlan {
    /// Index searches only: no table and no index is walked, nothing is sorted.
    Search,
    /// May walk an index from one end, bounded by what the index holds; no table is walked, nothing is sorted.
    Walk,
    /// Listing and search: paged by key, the rest is free.
    Listing,
}

/// Declares a file's statements: `NAME: Plan = "SQL";`.
macro_rules! statements {
    ($($name:ident: $plan:ident = $sql:expr;)+) => {
        $(const $name: &str = $sql;)+

        #[cfg(test)]
        pub(in crate::store) const STATEMENTS: &[(&str, crate::store::statement::QueryPlan, &str)] =
            &[$((stringify!($name), crate::store::statement::QueryPlan::$plan, $name)),+];
    };
}

pub(super) use statements;
