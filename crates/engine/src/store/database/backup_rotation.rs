//! Names the copies of the ledger, decides when a copy is due, and selects the copies to keep. [pure], except for
//! listing the folder and removing files.
//!
//! - The copies are in a folder beside the ledger; `database/backup` makes them.
//! - Three groups of copies are kept: the newest copy of each of the last three days with a copy; one older copy from
//!   each of the last four weeks with an older copy; and the copies made before the last two updates.
//! - No copy is removed before a newer copy has been checked.

use std::{
    collections::{BTreeSet, HashSet},
    fs, io,
    path::{Path, PathBuf},
    time::UNIX_EPOCH,
};

use jiff::{Timestamp, tz::TimeZone};

/// Folder of the copies, in the data folder.
const FOLDER: &str = "backups";
const NAME: &str = "ledger-";
const BEFORE: &str = "ledger-before-v";
const ENDING: &str = ".sqlite";
/// Format of a time in a file name. Names in this format sort by time.
const MOMENT: &str = "%Y%m%dT%H%M%SZ";

const DAY_US: i64 = 86_400_000_000;
const DAILY: usize = 3;
const WEEKLY: usize = 4;
const UPDATES: usize = 2;

/// A copy of the ledger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BackupGeneration {
    pub path: PathBuf,
    /// Time of the copy in µs of Unix time.
    pub taken_us: i64,
    /// Version of the update that this copy precedes; `None` for any other copy.
    pub before_version: Option<i64>,
}

/// Returns the path of the next copy.
pub(crate) fn next(data_dir: &Path, now_us: i64) -> PathBuf {
    data_dir.join(FOLDER).join(format!("{NAME}{}{ENDING}", moment(now_us)))
}

/// Returns the path for the copy that is made before the update to `version`.
pub(crate) fn before_update(data_dir: &Path, version: i64) -> PathBuf {
    data_dir.join(FOLDER).join(format!("{BEFORE}{version}{ENDING}"))
}

/// Returns a time in the format used in file names.
pub(crate) fn moment(now_us: i64) -> String {
    let moment = Timestamp::from_microsecond(now_us).unwrap_or(Timestamp::UNIX_EPOCH);
    moment.to_zoned(TimeZone::UTC).strftime(MOMENT).to_string()
}

/// Returns all copies, the newest first. The result is empty if the folder is missing or cannot be read. Only regular
/// files count: Ashore makes no pipes or links, and opening a pipe would block forever.
pub(crate) fn list(data_dir: &Path) -> Vec<BackupGeneration> {
    let Ok(entries) = fs::read_dir(data_dir.join(FOLDER)) else { return Vec::new() };
    let files = entries.flatten().filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()));
    let mut found: Vec<BackupGeneration> = files.filter_map(|entry| read(&entry.path())).collect();
    found.sort_by(|one, other| other.taken_us.cmp(&one.taken_us).then_with(|| other.path.cmp(&one.path)));
    found
}

/// Returns whether a copy of a changed ledger is due. A copy is due a day after the last copy, or if the clock shows a
/// time before the last copy.
pub(crate) fn is_due(generations: &[BackupGeneration], now_us: i64) -> bool {
    let daily = generations.iter().filter(|one| one.before_version.is_none());
    daily.map(|one| one.taken_us).max().is_none_or(|last| !(last..last.saturating_add(DAY_US)).contains(&now_us))
}

/// Returns the copies to remove.
pub(crate) fn superseded(generations: &[BackupGeneration]) -> Vec<&BackupGeneration> {
    let (updates, mut dated): (Vec<_>, Vec<_>) = generations.iter().partition(|one| one.before_version.is_some());
    dated.sort_by_key(|one| std::cmp::Reverse(one.taken_us));
    let mut stay = HashSet::new();
    let mut days = BTreeSet::new();
    let mut weeks = BTreeSet::new();
    for one in &dated {
        let day = one.taken_us.div_euclid(DAY_US);
        if days.contains(&day) {
            continue;
        }
        if days.len() < DAILY {
            days.insert(day);
            stay.insert(&one.path);
        } else if weeks.len() < WEEKLY && weeks.insert(day.div_euclid(7)) {
            stay.insert(&one.path);
        }
    }
    let mut versions: Vec<i64> = updates.iter().filter_map(|one| one.before_version).collect();
    versions.sort_unstable();
    let first = versions.iter().rev().nth(UPDATES - 1).copied().unwrap_or(i64::MIN);
    stay.extend(updates.iter().filter(|one| one.before_version >= Some(first)).map(|one| &one.path));
    generations.iter().filter(|one| !stay.contains(&one.path)).collect()
}

/// Removes the copies that are superseded.
pub(crate) fn remove_superseded(data_dir: &Path) -> io::Result<()> {
    let there = list(data_dir);
    superseded(&there).into_iter().try_for_each(|one| fs::remove_file(&one.path))
}

fn read(path: &Path) -> Option<BackupGeneration> {
    let name = path.file_name()?.to_str()?;
    if let Some(version) = name.strip_prefix(BEFORE) {
        let version = version.strip_suffix(ENDING)?.parse().ok()?;
        // The name of a copy that was made before an update has no timestamp. Use the modification time, which is wrong
        // only if the file was copied.
        let made = fs::metadata(path).ok()?.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
        let taken_us = i64::try_from(made.as_micros()).ok()?;
        return Some(BackupGeneration { path: path.to_owned(), taken_us, before_version: Some(version) });
    }
    let text = name.strip_prefix(NAME)?.strip_suffix(ENDING)?;
    let taken_us = jiff::civil::DateTime::strptime(MOMENT, text).ok()?;
    let taken_us = taken_us.to_zoned(TimeZone::UTC).ok()?.timestamp().as_microsecond();
    Some(BackupGeneration { path: path.to_owned(), taken_us, before_version: None })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dated(day: i64) -> BackupGeneration {
        BackupGeneration { path: format!("day {day}").into(), taken_us: day * DAY_US + 9 * 3_600_000_000, before_version: None }
    }

    fn update(version: i64) -> BackupGeneration {
        BackupGeneration { path: format!("before {version}").into(), taken_us: version, before_version: Some(version) }
    }

    #[test]
    fn three_daily_and_four_weekly_backups_remain_after_a_year() {
        let mut kept: Vec<BackupGeneration> = Vec::new();
        for day in 20_000..20_365 {
            kept.push(dated(day));
            let gone: Vec<PathBuf> = superseded(&kept).into_iter().map(|one| one.path.clone()).collect();
            kept.retain(|one| !gone.contains(&one.path));
            let ages: Vec<i64> = kept.iter().rev().map(|one| day - one.taken_us.div_euclid(DAY_US)).collect();
            assert_eq!(ages[..ages.len().min(3)], [0, 1, 2][..ages.len().min(3)], "{day}");
            if day >= 20_040 {
                assert_eq!(ages.len(), 7, "{day}: {ages:?}");
                assert!((18..=31).contains(&ages[6]), "{day}: {ages:?}");
                assert!(ages.windows(2).all(|pair| pair[1] - pair[0] <= 7), "{day}: {ages:?}");
            }
        }
    }

    #[test]
    fn newest_daily_backups_and_two_latest_update_backups_are_kept() {
        let mut morning = dated(20_000);
        morning.taken_us -= 1;
        morning.path = "morning".into();
        let all = [update(9), dated(20_000), update(11), morning, update(10)];
        let gone: Vec<&str> = superseded(&all).iter().filter_map(|one| one.path.to_str()).collect();
        assert_eq!(gone, ["before 9", "morning"]);
        assert!(superseded(&[update(3)]).is_empty());
    }

    #[test]
    fn ledger_backup_is_due_after_a_day_or_clock_change() {
        let last = dated(20_000);
        assert!(is_due(&[], 0));
        assert!(is_due(&[update(9)], last.taken_us), "a copy before an update is not a daily copy");
        let there = [dated(19_000), last.clone()];
        assert!(!is_due(&there, last.taken_us) && !is_due(&there, last.taken_us + DAY_US - 1));
        assert!(is_due(&there, last.taken_us + DAY_US) && is_due(&there, last.taken_us - 1));
    }

    #[test]
    fn list_of_backups_ignores_names_that_ashore_never_writes() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(list(folder.path()), []);
        let now = 1_795_338_000_000_000;
        let paths = [next(folder.path(), now), before_update(folder.path(), 16)];
        fs::create_dir(folder.path().join(FOLDER)).unwrap();
        for path in &paths {
            fs::write(path, "").unwrap();
        }
        fs::create_dir(before_update(folder.path(), 17)).unwrap();
        let pipe = next(folder.path(), now + DAY_US);
        rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, rustix::fs::Mode::from_raw_mode(0o600), 0)
            .unwrap();
        for other in ["ledger-20261122T090000Z.sqlite.new", "ledger-soon.sqlite", "ledger-before-vx.sqlite", "notes.txt"] {
            fs::write(folder.path().join(FOLDER).join(other), "").unwrap();
        }
        let mut found = list(folder.path());
        found.sort_by_key(|one| one.before_version);
        assert_eq!(
            found.iter().map(|one| (&one.path, one.before_version)).collect::<Vec<_>>(),
            [(&paths[0], None), (&paths[1], Some(16))]
        );
        assert_eq!(found[0].taken_us, now);
    }
}
