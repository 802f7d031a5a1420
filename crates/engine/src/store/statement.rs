//! Declares a statement as a constant, together with the query plan that the statement must keep on a fresh ledger. The
//! plan test iterates over these lists, so that it covers every statement.
//!
//! Tests check statements by running them. sqlx's macros are not used: they need a prepared database or a cache of
//! results beside the sources, and they cannot check a plan.

/// Query plan that a statement must keep without `ANALYZE`.
#[cfg(test)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum QueryPlan {
    /// The plan only searches indexes: no table and no index is scanned, and nothing is sorted.
    Search,
    /// The plan may read an index in order, from its first or its last entry. It then reads at most as many rows as this
    /// index has entries. No table is scanned, and nothing is sorted.
    Walk,
    /// Any plan is allowed. Used for lists and searches, which are paged by key.
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
