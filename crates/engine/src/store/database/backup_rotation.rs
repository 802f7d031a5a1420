//! Copies of the ledger in generations: what they are called, when one is due, and which stay. [pure], but for reading the
//! folder and removing what goes.
//!
//! They are in a folder of their own beside the ledger. The copies of the last three days that have one stay, then one of each
//! of four weeks before those, and what the last two updates found. `database/backup` makes them; nothing goes before a newer one
//! has been checked.

use std::{
    collections::{BTreeSet, HashSet},
    fs, io,
    path::{Path, PathBuf},
    time::UNIX_EPOCH,
};

use jiff::{Timestamp, tz::TimeZone};

/// Their folder in the data folder.
const FOLDER: &str = "backups";
const NAME: &str = "ledger-";
const BEFORE: &str = "ledger-before-v";
const ENDING: &str = ".sqlite";
/// A moment in a name; it sorts as it reads.
const MOMENT: &str = "%Y%m%dT%H%M%SZ";

const DAY_US: i64 = 86_400_000_000;
const DAILY: usize = 3;
const WEEKLY: usize = 4;
const UPDATES: usize = 2;

/// A copy of the ledger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BackupGeneration {
    pub path: PathBuf,
    /// When it was made, µs of Unix time.
    pub taken_us: i64,
    /// It is what the update to this version found.
    pub before_version: Option<i64>,
}

/// Where the next one goes.
pub(crate) fn next(data_dir: &Path, now_us: i64) -> PathBuf {
    data_dir.join(FOLDER).join(format!("{NAME}{}{ENDING}", moment(now_us)))
}

/// Where the one goes that is made before the update to `version`.
pub(crate) fn before_update(data_dir: &Path, version: i64) -> PathBuf {
    data_dir.join(FOLDER).join(format!("{BEFORE}{version}{ENDING}"))
}

/// A moment as it stands in names of files.
pub(crate) fn moment(now_us: i64) -> String {
    let moment = Timestamp::from_microsecond(now_us).unwrap_or(Timestamp::UNIX_EPOCH);
    moment.to_zoned(TimeZone::UTC).strftime(MOMENT).to_string()
}

/// All there are, the newest first. A folder that is not there, or cannot be read, has none. Only files count: Ashore makes
/// no pipes or links, and opening a pipe would never end.
pub(crate) fn list(data_dir: &Path) -> Vec<BackupGeneration> {
    let Ok(entries) = fs::read_dir(data_dir.join(FOLDER)) else { return Vec::new() };
    let files = entries.flatten().filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()));
    let mut found: Vec<BackupGeneration> = files.filter_map(|entry| read(&entry.path())).collect();
    found.sort_by(|one, other| other.taken_us.cmp(&one.taken_us).then_with(|| other.path.cmp(&one.path)));
    found
}

/// Whether it is time for one, where something has changed: a day after the last, whatever the clock did in between.
pub(crate) fn is_due(generations: &[BackupGeneration], now_us: i64) -> bool {
    let daily = generations.iter().filter(|one| one.before_version.is_none());
    daily.map(|one| one.taken_us).max().is_none_or(|last| !(last..last.saturating_add(DAY_US)).contains(&now_us))
}

/// Those that go.
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

/// Removes those that go.
pub(crate) fn remove_superseded(data_dir: &Path) -> io::Result<()> {
    let there = list(data_dir);
    superseded(&there).into_iter().try_for_each(|one| fs::remove_file(&one.path))
}

fn read(path: &Path) -> Option<BackupGeneration> {
    let name = path.file_name()?.to_str()?;
    if let Some(version) = name.strip_prefix(BEFORE) {
        let version = version.strip_suffix(ENDING)?.parse().ok()?;
        // An update is told no time. What the disk says is wrong only where somebody has copied it.
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
    fn a_year_of_days_leaves_three_days_and_four_weeks_at_any_time() {
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
    fn of_one_day_the_newest_stays_and_what_two_updates_found() {
        let mut morning = dated(20_000);
        morning.taken_us -= 1;
        morning.path = "morning".into();
        let all = [update(9), dated(20_000), update(11), morning, update(10)];
        let gone: Vec<&str> = superseded(&all).iter().filter_map(|one| one.path.to_str()).collect();
        assert_eq!(gone, ["before 9", "morning"]);
        assert!(superseded(&[update(3)]).is_empty());
    }

    #[test]
    fn one_is_due_a_day_after_the_last_and_whenever_the_clock_makes_no_sense() {
        let last = dated(20_000);
        assert!(is_due(&[], 0));
        assert!(is_due(&[update(9)], last.taken_us), "an update's copy is none of a day");
        let there = [dated(19_000), last.clone()];
        assert!(!is_due(&there, last.taken_us) && !is_due(&there, last.taken_us + DAY_US - 1));
        assert!(is_due(&there, last.taken_us + DAY_US) && is_due(&there, last.taken_us - 1));
    }

    #[test]
    fn names_are_read_as_they_are_written_and_nothing_else_is() {
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
