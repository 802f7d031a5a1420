//! Migrations up to the present schema, and the versions that they create. [pure]

use std::{ops::RangeInclusive, path::Path};

use crate::EngineError;

/// Version that the first migration creates. Lower versions were written by test versions before the first release.
pub(in crate::store) const FIRST_VERSION: i64 = 26;

/// The schema of [`FIRST_VERSION`], and the later changes in order. Each change adds one to the version.
pub(in crate::store) const MIGRATIONS: &[&str] = &[
    include_str!("../../../migrations/2026-11-28-ledger.sql"),
    include_str!("../../../migrations/2026-11-28-sync.sql"),
    include_str!("../../../migrations/2026-11-29-sync-started.sql"),
    include_str!("../../../migrations/2026-11-29-sync-latest.sql"),
    include_str!("../../../migrations/2026-11-29-link-page.sql"),
    include_str!("../../../migrations/2026-11-29-owner-data.sql"),
    include_str!("../../../migrations/2026-11-30-relocation.sql"),
];

/// Returns the ledger versions that `migrations` can open, from the first step to the last.
pub(in crate::store) fn supported_versions(migrations: &[&str]) -> RangeInclusive<i64> {
    FIRST_VERSION..=FIRST_VERSION - 1 + i64::try_from(migrations.len()).unwrap_or(i64::MAX >> 1)
}

/// Splits `migrations` into the steps that led to `version` and the steps that are left. Version 0 is an empty file.
pub(in crate::store) fn split_at_version<'a>(migrations: &'a [&'a str], version: i64) -> (&'a [&'a str], &'a [&'a str]) {
    let done = usize::try_from(version + 1 - FIRST_VERSION).unwrap_or(0);
    migrations.split_at(done.min(migrations.len()))
}

/// Fails with `LedgerNewer` or `LedgerOlder` if `migrations` cannot open the ledger of `version` at `path`.
pub(in crate::store) fn check_version(path: &Path, version: i64, migrations: &[&str]) -> Result<(), EngineError> {
    let (path, found) = (path.to_owned(), version);
    let (oldest, known) = supported_versions(migrations).into_inner();
    match version {
        1.. if version < oldest => Err(EngineError::LedgerOlder { path, found, oldest }),
        _ if version > known => Err(EngineError::LedgerNewer { path, found, known }),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ledger_version_divides_migrations_into_applied_and_missing() {
        let steps = ["first", "second", "third"];
        let split = |version| split_at_version(&steps, version).0.len();
        assert_eq!([0, 1, FIRST_VERSION - 1].map(split), [0, 0, 0]);
        assert_eq!([0, 1, 2, 3].map(|after| split(FIRST_VERSION + after)), [1, 2, 3, 3]);
    }

    #[test]
    fn ledger_version_without_matching_migration_is_refused() {
        let check = |version| check_version(Path::new("/l"), version, &["first", "second"]).map_err(|refusal| refusal.code());
        assert_eq!([0, FIRST_VERSION, FIRST_VERSION + 1].map(check), [Ok(()); 3]);
        assert_eq!([1, FIRST_VERSION - 1].map(check), [Err("ledger-older"); 2]);
        assert_eq!(check(FIRST_VERSION + 2), Err("ledger-newer"));
    }
}
