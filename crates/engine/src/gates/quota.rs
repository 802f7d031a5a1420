//! Counts transfers against quotas, and records which registrations wait for quota. [pure, except for the budgets
//! shared with transfers]
//!
//! The budget of a quota is its limit minus the usage that the ledger records for files that are not running. A running
//! transfer reserves a part of the budget: the whole file if its size is known, otherwise the bytes received so far.
//!
//! - The reservation of an ended transfer is released only after the ledger has counted the result and the budget has
//!   been updated from the ledger.
//! - When a transfer starts again, its bytes on disk are reserved before the ledger stops counting them.
//! - Between these steps a byte may be counted twice, but no byte is missed.
//! - At every start, the budgets are rebuilt from the ledger. The attempts to start show which registrations do not
//!   fit.

use ashore_messages::{MessageArgument, UserMessage, message};
use std::{
    collections::{BTreeMap, HashMap},
    sync::{Arc, Mutex},
};

use ashore_transfer::{ByteBudget, QuotaHold};

use crate::{
    gates::decision::open,
    model::{FileCategory, GateCode, GateReport, UniqueId, quota::OwnerScopeKey, status::closed_by},
    store::{
        QuotaLimit, QuotaUsage,
        quota_room::{QuotaReservation, QuotaShortfall},
        totals::tally::UsageTally,
    },
};

/// All quotas, and the registrations that wait for them.
#[derive(Debug, Default)]
pub(crate) struct QuotaGate {
    limits: Vec<Limited>,
    owners: HashMap<String, i64>,
    /// Registrations with a request that did not fit.
    ///
    /// Smaller requests of these registrations may still fit.
    waiting: BTreeMap<UniqueId, QuotaShortfall>,
}

#[derive(Debug)]
struct Limited {
    limit: QuotaLimit,
    whose: UserMessage,
    bytes: Option<Arc<ByteBudget>>,
    files: Option<Arc<ByteBudget>>,
}

impl QuotaGate {
    /// Replaces the limits and the usage with the values in the ledger.
    ///
    /// Returns true if running transfers must move their reservations to other budgets.
    pub(crate) fn set(&mut self, books: QuotaUsage) -> bool {
        let QuotaUsage { owners, usage, limits } = books;
        let mut before = std::mem::take(&mut self.limits);
        let budgets = |limits: &[Limited]| -> Vec<(OwnerScopeKey, bool, bool)> {
            limits.iter().map(|limited| (limited.scope(), limited.bytes.is_some(), limited.files.is_some())).collect()
        };
        let had = budgets(&before);
        for limit in limits {
            let mut used = UsageTally::default();
            let counts = |owner: i64, category: FileCategory| covers((limit.owner, limit.category), owner, category);
            usage.iter().filter(|(owner, category, _)| counts(*owner, *category)).for_each(|(.., more)| used += *more);
            let known = before.iter().position(|known| known.scope() == (limit.owner, limit.category));
            let (bytes, files) = known.map(|at| before.swap_remove(at)).map_or((None, None), |known| (known.bytes, known.files));
            let name = owners.iter().find(|(id, _)| Some(*id) == limit.owner).map(|(_, name)| name.as_str());
            self.limits.push(Limited {
                limit,
                whose: whose(name, limit.category),
                bytes: budget(limit.bytes, used.kept, bytes),
                files: budget(limit.files, used.files, files),
            });
        }
        self.owners = owners.into_iter().map(|(id, name)| (name, id)).collect();
        had != budgets(&self.limits)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.limits.is_empty()
    }

    /// Returns whether a request may be waiting for quota.
    pub(crate) fn is_waited_for(&self) -> bool {
        !self.waiting.is_empty() || self.limits.iter().any(Limited::is_full)
    }

    /// Reserves quota for a request with `kept` bytes on disk. `size` is the final size, if known.
    ///
    /// If the quota does not suffice, fails with the required amount.
    pub(crate) fn open(
        &self,
        owner: i64,
        category: FileCategory,
        kept: u64,
        size: Option<u64>,
    ) -> Result<QuotaReservation, QuotaShortfall> {
        let room = self.room(owner, category);
        let more = size.map(|size| size.saturating_sub(kept));
        let files = u64::from(kept == 0);
        let short = QuotaShortfall { owner, category, bytes: more.unwrap_or(1), files };
        let has_some = more.is_some_and(|more| more == 0) || self.fits(short);
        if !has_some || !room.bytes.reserve(more.unwrap_or(0)) || !room.files.reserve(files) {
            return Err(short);
        }
        // Also reserve the kept bytes, because the ledger stops counting them when it records the request as running.
        room.bytes.force(kept.max(size.unwrap_or(0)));
        room.files.force(1);
        Ok(room)
    }

    /// Reserves quota for a request that is already running, even above the limit.
    pub(crate) fn force(&self, owner: i64, category: FileCategory, kept: u64, size: Option<u64>) -> QuotaReservation {
        let room = self.room(owner, category);
        room.bytes.force(kept.max(size.unwrap_or(0)));
        room.files.force(1);
        room
    }

    /// Moves the reserved amounts of `room` to the budgets that apply to it now.
    pub(crate) fn rejoin(&self, room: &QuotaReservation) {
        let (bytes, files) = self.budgets(room.owner, room.category());
        room.bytes.join(bytes);
        room.files.join(files);
    }

    /// Changes the reservation `room` to the category and size that the response states.
    ///
    /// Returns false if the quota does not suffice.
    pub(crate) fn fits_told(&self, room: &QuotaReservation, category: FileCategory, size: Option<u64>) -> bool {
        if category != room.category() {
            *room.category_mut() = category;
            self.rejoin(room);
        }
        let is_reserved = size.is_none_or(|size| room.bytes.reserve(size));
        is_reserved && !room.is_overdrawn()
    }

    /// Records that a request of `id` did not fit.
    pub(crate) fn did_not_fit(&mut self, id: UniqueId, short: QuotaShortfall) {
        self.waiting.insert(id, short);
    }

    /// Records that `id` no longer waits, because the user retried or removed it.
    pub(crate) fn forget(&mut self, id: UniqueId) {
        self.waiting.remove(&id);
    }

    /// Releases the registrations whose requests fit now. Returns whether any was released.
    pub(crate) fn refresh(&mut self) -> bool {
        let mut waiting = std::mem::take(&mut self.waiting);
        let before = waiting.len();
        waiting.retain(|_, short| !self.fits(*short));
        self.waiting = waiting;
        before != self.waiting.len()
    }

    /// Returns the registrations with a request that did not fit.
    pub(crate) fn waiting(&self) -> Vec<UniqueId> {
        self.waiting.keys().copied().collect()
    }

    /// Returns the scopes of all exhausted quotas.
    pub(crate) fn full(&self) -> Vec<OwnerScopeKey> {
        self.limits.iter().filter(|limited| limited.is_full()).map(Limited::scope).collect()
    }

    /// Returns whether a quota for all categories is exhausted, so that no request of `owner` may start.
    pub(crate) fn is_full(&self, owner: i64) -> bool {
        self.limits.iter().any(|limited| {
            limited.limit.category.is_none() && limited.limit.owner.is_none_or(|of| of == owner) && limited.is_full()
        })
    }

    /// Returns the closed gate of the registration `id` if one of its requests did not fit.
    pub(crate) fn closed(&self, id: UniqueId) -> Option<GateReport> {
        let short = *self.waiting.get(&id)?;
        self.limits_for(short.owner, short.category).find(|limited| !limited.has(short)).map(|limited| limited.gate(short.bytes))
    }

    /// Returns the closed gate of `owner` if the quotas of all `categories` are exhausted.
    pub(crate) fn closed_to(&self, owner: &str, categories: &[FileCategory]) -> Option<GateReport> {
        // An unknown owner has no quota of its own, so only the quotas for all owners apply.
        let owner = self.owners.get(owner).copied().unwrap_or_default();
        let gate = |category: &FileCategory| {
            self.limits_for(owner, *category).find(|limited| limited.is_full()).map(|limited| limited.gate(0))
        };
        let gates: Option<Vec<GateReport>> = categories.iter().map(gate).collect();
        gates.and_then(|gates| gates.into_iter().next())
    }

    /// Returns a gate for every quota. Each gate shows the usage of its quota.
    pub(crate) fn gates(&self) -> Vec<GateReport> {
        let mut gates: Vec<GateReport> = self.limits.iter().map(|limited| limited.gate(0)).collect();
        for short in self.waiting.values() {
            for limited in self.limits_for(short.owner, short.category).filter(|limited| !limited.has(*short)) {
                if let Some(at) = self.limits.iter().position(|other| other.scope() == limited.scope()) {
                    gates[at] = limited.gate(short.bytes);
                }
            }
        }
        gates
    }

    /// Returns the first quota whose whole limit is too small for the declared files.
    ///
    /// `declared` has the number of bytes and files of each category. `total` is the declared size of the whole
    /// registration.
    pub(crate) fn too_small(&self, owner: &str, declared: &HashMap<FileCategory, (u64, u64)>, total: u64) -> Option<TooSmall> {
        let owner = self.owners.get(owner).copied().unwrap_or_default();
        self.limits.iter().find_map(|limited| {
            let counted = declared.iter().filter(|(category, _)| covers(limited.scope(), owner, **category));
            let (mut bytes, mut files) = (0_u64, 0_u64);
            counted.for_each(|(_, (more, count))| (bytes, files) = (bytes.saturating_add(*more), files.saturating_add(*count)));
            let is_whole = limited.limit.category.is_none() && limited.limit.owner.is_none_or(|of| of == owner);
            let bytes = if is_whole { bytes.max(total) } else { bytes };
            let too_small = |needed, limit| TooSmall { whose: limited.whose.clone().into(), needed, limit };
            let (size, needed) = (MessageArgument::size, MessageArgument::size_rounded_up);
            match (limited.limit.bytes, limited.limit.files) {
                (Some(limit), _) if bytes > limit => Some(too_small(needed(bytes), size(limit))),
                (_, Some(limit)) if files > limit => {
                    Some(too_small(message!("files", count = files).into(), message!("files", count = limit).into()))
                }
                _ => None,
            }
        })
    }

    fn room(&self, owner: i64, category: FileCategory) -> QuotaReservation {
        let (bytes, files) = self.budgets(owner, category);
        QuotaReservation {
            owner,
            category: Mutex::new(category),
            bytes: Arc::new(QuotaHold::on(bytes)),
            files: QuotaHold::on(files),
        }
    }

    fn budgets(&self, owner: i64, category: FileCategory) -> (Vec<Arc<ByteBudget>>, Vec<Arc<ByteBudget>>) {
        let bytes = self.limits_for(owner, category).filter_map(|limited| limited.bytes.clone()).collect();
        let files = self.limits_for(owner, category).filter_map(|limited| limited.files.clone()).collect();
        (bytes, files)
    }

    fn fits(&self, short: QuotaShortfall) -> bool {
        self.limits_for(short.owner, short.category).all(|limited| limited.has(short))
    }

    fn limits_for(&self, owner: i64, category: FileCategory) -> impl Iterator<Item = &Limited> {
        self.limits.iter().filter(move |limited| covers(limited.scope(), owner, category))
    }
}

/// Quota that is too small, with the required amount and the limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TooSmall {
    pub whose: MessageArgument,
    pub needed: MessageArgument,
    pub limit: MessageArgument,
}

impl Limited {
    fn scope(&self) -> OwnerScopeKey {
        (self.limit.owner, self.limit.category)
    }

    fn has(&self, short: QuotaShortfall) -> bool {
        left(&self.bytes) >= short.bytes.into() && left(&self.files) >= short.files.into()
    }

    fn is_full(&self) -> bool {
        left(&self.bytes) <= 0 || left(&self.files) <= 0
    }

    /// Returns the gate of this quota. The gate is open if `needed` more bytes and one more file fit.
    fn gate(&self, needed: u64) -> GateReport {
        let (bytes, files) = (left(&self.bytes), left(&self.files));
        let used = |limit: u64, left: i128| u64::try_from((i128::from(limit) - left).max(0)).unwrap_or(u64::MAX);
        let size = MessageArgument::size;
        let bytes_used =
            self.limit.bytes.map(|limit| message!("quota-part.bytes", used = size(used(limit, bytes)), limit = size(limit)));
        let files_used = self.limit.files.map(|limit| message!("quota-part.files", used = used(limit, files), limit = limit));
        let used = match (bytes_used, files_used) {
            (Some(bytes), Some(files)) => message!("quota-part.both", bytes = bytes, files = files),
            (bytes, files) => bytes.or(files).unwrap_or_else(|| message!("quota-part.none")),
        };
        let cause = message!("cause.quota", used = used.clone(), whose = self.whose.clone());
        if bytes >= i128::from(needed.max(1)) && files > 0 {
            return open(GateCode::Quota, cause);
        }
        let whose = self.whose.clone();
        let message = match needed {
            0 | 1 => message!("quota", whose = whose, used = used),
            needed => message!("quota.needs", whose = whose, used = used, amount = MessageArgument::size_rounded_up(needed)),
        };
        closed_by(message, GateCode::Quota, cause, None)
    }
}

fn covers((whose, kind): OwnerScopeKey, owner: i64, category: FileCategory) -> bool {
    whose.is_none_or(|of| of == owner) && kind.is_none_or(|of| of == category)
}

/// Returns a budget for the unused part of `limit`.
///
/// Reuses the budget `known`, so that its reservations stay valid.
fn budget(limit: Option<u64>, used: i64, known: Option<Arc<ByteBudget>>) -> Option<Arc<ByteBudget>> {
    let limit = i64::try_from(limit?).unwrap_or(i64::MAX);
    let budget = known.unwrap_or_else(|| Arc::new(ByteBudget::new(0)));
    budget.resize(limit.saturating_sub(used));
    Some(budget)
}

/// Returns the unused amount of `budget`; `i128::MAX` without a limit.
pub(crate) fn left(budget: &Option<Arc<ByteBudget>>) -> i128 {
    budget.as_ref().map_or(i128::MAX, |budget| budget.left().into())
}

/// Returns the scope of a quota as a phrase for use within a sentence.
fn whose(owner: Option<&str>, category: Option<FileCategory>) -> UserMessage {
    let kind = |category: FileCategory| UserMessage::new(&format!("kind.{category}"), []);
    match (owner, category) {
        (None, None) => message!("quota-scope.everybody"),
        (Some(owner), None) => message!("quota-scope.owner", owner = owner),
        (None, Some(category)) => message!("quota-scope.everybody-kind", kind = kind(category)),
        (Some(owner), Some(category)) => message!("quota-scope.owner-kind", owner = owner, kind = kind(category)),
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    const OWNER: i64 = 7;

    fn books(used: UsageTally, limits: &[QuotaLimit]) -> QuotaUsage {
        let owners = vec![(OWNER, "feeds".to_owned())];
        QuotaUsage { owners, usage: vec![(OWNER, FileCategory::Video, used)], limits: limits.to_vec() }
    }

    fn limit(bytes: Option<u64>, files: Option<u64>) -> QuotaLimit {
        QuotaLimit { owner: Some(OWNER), category: None, bytes, files }
    }

    fn quotas(used: UsageTally, limits: &[QuotaLimit]) -> QuotaGate {
        let mut quotas = QuotaGate::default();
        assert!(quotas.set(books(used, limits)));
        quotas
    }

    fn id(number: u128) -> UniqueId {
        UniqueId(Uuid::from_u128(number))
    }

    #[test]
    fn quota_stays_reserved_for_transfer_until_ledger_counts_its_bytes() {
        let mut quotas = quotas(UsageTally { files: 1, kept: 40, ..UsageTally::default() }, &[limit(Some(100), None)]);
        let room = quotas.open(OWNER, FileCategory::Video, 0, Some(60)).unwrap();
        assert!(quotas.is_full(OWNER) && !quotas.is_full(OWNER + 1));
        let short = QuotaShortfall { owner: OWNER, category: FileCategory::Music, bytes: 1, files: 1 };
        assert_eq!(quotas.open(OWNER, FileCategory::Music, 0, None).unwrap_err(), short);
        // After completion, the bytes are briefly counted by both the reservation and the ledger, and then only by the
        // ledger.
        quotas.set(books(UsageTally { files: 2, kept: 100, ..UsageTally::default() }, &[limit(Some(100), None)]));
        assert!(quotas.is_full(OWNER));
        room.close();
        assert!(quotas.is_full(OWNER));
        quotas.set(books(UsageTally { files: 1, kept: 60, ..UsageTally::default() }, &[limit(Some(100), None)]));
        assert!(!quotas.is_full(OWNER));
        assert!(quotas.open(OWNER, FileCategory::Video, 0, Some(40)).is_ok());
    }

    #[test]
    fn resumed_partial_file_needs_quota_only_for_remaining_bytes() {
        let mut quotas = quotas(UsageTally { files: 1, kept: 40, ..UsageTally::default() }, &[limit(Some(100), Some(1))]);
        let room = quotas.open(OWNER, FileCategory::Video, 40, Some(100)).unwrap();
        quotas.set(books(UsageTally { running: 1, expected: 100, ..UsageTally::default() }, &[limit(Some(100), Some(1))]));
        assert!(!room.is_overdrawn() && quotas.is_full(OWNER));
        let short = quotas.open(OWNER, FileCategory::Video, 0, Some(1)).unwrap_err();
        assert_eq!((short.bytes, short.files), (1, 1));
    }

    #[test]
    fn registration_over_quota_waits_until_missing_amount_is_free() {
        let limits = [limit(Some(100), None)];
        let mut quotas = quotas(UsageTally { files: 1, kept: 50, ..UsageTally::default() }, &limits);
        let short = quotas.open(OWNER, FileCategory::Video, 0, Some(60)).unwrap_err();
        quotas.did_not_fit(id(1), short);
        assert!(!quotas.refresh() && quotas.waiting() == [id(1)] && quotas.is_waited_for());
        let gate = quotas.closed(id(1)).unwrap();
        assert_eq!(gate.code, GateCode::Quota);
        assert_eq!(
            gate.text,
            "The quota of \"feeds\" is reached: 50 B of 100 B are used, and this download needs 60 B more. Remove \
             downloads from the list, or raise the quota. Downloads then continue automatically."
        );
        assert_eq!((gate.cause.as_str(), quotas.gates().len()), ("50 B of 100 B, the quota of \"feeds\"", 1));
        // Smaller requests of the owner still fit.
        assert_eq!(quotas.closed_to("feeds", &[FileCategory::Video]), None);
        quotas.set(books(UsageTally { files: 1, kept: 40, ..UsageTally::default() }, &limits));
        assert!(quotas.refresh() && quotas.waiting().is_empty());
    }

    #[test]
    fn category_quota_blocks_one_category_and_global_quota_blocks_all() {
        let films = QuotaLimit { category: Some(FileCategory::Video), ..limit(Some(50), None) };
        let mut quotas = quotas(UsageTally { files: 1, kept: 50, ..UsageTally::default() }, &[films]);
        assert_eq!(quotas.full(), [(Some(OWNER), Some(FileCategory::Video))]);
        assert!(quotas.closed_to("feeds", &[FileCategory::Video]).is_some());
        assert_eq!(quotas.closed_to("feeds", &[FileCategory::Video, FileCategory::Music]), None);
        assert_eq!(quotas.closed_to("window", &[FileCategory::Video]), None);
        assert!(!quotas.is_full(OWNER) && quotas.open(OWNER, FileCategory::Music, 0, Some(1 << 40)).is_ok());
        let all = QuotaLimit { owner: None, ..limit(None, Some(1)) };
        assert!(quotas.set(books(UsageTally { files: 1, kept: 50, ..UsageTally::default() }, &[films, all])));
        assert!(quotas.is_full(OWNER + 1) && quotas.closed_to("window", &[FileCategory::Other]).is_some());
    }

    #[test]
    fn quota_reservation_moves_to_new_category_when_file_category_changes() {
        let films = QuotaLimit { category: Some(FileCategory::Video), ..limit(Some(50), None) };
        let quotas = quotas(UsageTally::default(), &[films]);
        let room = quotas.open(OWNER, FileCategory::Other, 0, None).unwrap();
        assert!(quotas.fits_told(&room, FileCategory::Video, Some(50)));
        let other = quotas.open(OWNER, FileCategory::Other, 0, None).unwrap();
        assert!(!quotas.fits_told(&other, FileCategory::Video, Some(10)));
        assert_eq!(other.short(4).map(|short| (short.category, short.bytes)), Some((FileCategory::Video, 6)));
    }

    #[test]
    fn registration_over_quota_limit_is_refused_regardless_of_usage() {
        let quotas = quotas(UsageTally { files: 1, kept: 99, ..UsageTally::default() }, &[limit(Some(100), Some(2))]);
        let declared = |bytes, files| HashMap::from([(FileCategory::Video, (bytes, files))]);
        assert_eq!(quotas.too_small("feeds", &declared(100, 2), 100), None);
        assert_eq!(quotas.too_small("feeds", &declared(0, 1), 101).unwrap().needed, MessageArgument::size(101));
        assert_eq!(quotas.too_small("feeds", &declared(0, 3), 0).unwrap().needed.to_string(), "3 files");
        assert_eq!(quotas.too_small("window", &declared(u64::MAX, 3), u64::MAX), None);
    }
}
