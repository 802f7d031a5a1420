//! Models the effect of each action, and the expected answer.

use ashore_transfer::Guid;

use crate::{
    model::{QueuePlace, UniqueId},
    scheduler::tests::{
        life::Answer,
        world::{
            ATTEMPTS, At, BASE_SECONDS, Deed, EndedRequest, FAILURES_BEFORE_COOLDOWN, HOSTS, HostPause, LONGEST_ASKED,
            LONGEST_WAIT, OPTIONAL_WAITS, PATTERNS, PauseReason, Registration, Request, Running, SECOND, Weather, World,
            is_ahead,
        },
    },
};

impl World {
    /// Performs an action and returns the expected answer; `id` belongs to a new registration.
    pub(in crate::scheduler::tests) fn apply(&mut self, deed: &Deed, id: Option<UniqueId>) -> Answer {
        let answer = self.happen(deed, id);
        self.skip();
        answer
    }

    /// Performs an action like `apply`, but skips no optional requests afterwards.
    pub(in crate::scheduler::tests) fn happen(&mut self, deed: &Deed, id: Option<UniqueId>) -> Answer {
        match deed {
            Deed::Add { owner, pattern, place, parallel, is_paused, is_person, is_again } => {
                if !is_again && let Some(answer) = self.again((*owner, *pattern), *place, *is_paused, *is_person) {
                    return answer;
                }
                let Some((is_urgent, rank)) = self.stands(*place, None) else { return Answer::Unknown };
                let requests = PATTERNS[*pattern].iter().map(|(host, is_optional)| Request::new(*host, *is_optional)).collect();
                if !is_person && PATTERNS[*pattern].len() == 1 {
                    self.lately.insert((self.now.div_euclid(60 * SECOND), *owner, *pattern), self.all.len());
                }
                let new = Registration::new(id, (*owner, *pattern), (is_urgent, rank), requests);
                self.all.push(Registration { is_paused: *is_paused, parallel: *parallel as usize, ..new });
                id.map_or(Answer::Nothing, Answer::New)
            }
            Deed::Move(id, place) => self.moved(*id, *place),
            Deed::Pause(id) => self.pause(*id),
            Deed::Resume(None) => {
                self.is_paused = false;
                Answer::Nothing
            }
            Deed::Resume(Some(id)) => {
                let at = self.at(*id);
                self.all[at].is_paused = false;
                Answer::Nothing
            }
            Deed::Abort(id) => {
                let at = self.at(*id);
                let was_active = self.all[at].is_active;
                self.end(at, true);
                Answer::Was(was_active)
            }
            Deed::Remove(id) => {
                let at = self.at(*id);
                self.end(at, false);
                self.all[at].is_removed = true;
                Answer::Nothing
            }
            Deed::Retry(id) => {
                let at = self.at(*id);
                let count = self.retry(at);
                self.wake_hosts(at);
                Answer::Count(count)
            }
            Deed::News(news) => {
                for (guid, ending) in news {
                    self.ended(*guid, *ending);
                }
                Answer::Nothing
            }
            Deed::Fetched(guid) => self.fetched(*guid),
            Deed::Desktop(weather) => self.on_weather(*weather),
            Deed::Room(is) => {
                self.has_room = *is;
                self.wake();
                Answer::Nothing
            }
            Deed::Clock(seconds) => {
                self.now += seconds * SECOND;
                self.wake();
                Answer::Nothing
            }
        }
    }

    fn moved(&mut self, id: UniqueId, place: QueuePlace) -> Answer {
        let at = self.at(id);
        let Some((is_urgent, rank)) = self.stands(place, Some(at)) else { return Answer::Unknown };
        let one = &mut self.all[at];
        (one.is_urgent, one.rank) = (is_urgent, rank);
        Answer::Nothing
    }

    /// Pauses a registration, or everything if no id is given.
    fn pause(&mut self, id: Option<UniqueId>) -> Answer {
        match id.map(|id| self.at(id)) {
            Some(at) => {
                self.all[at].is_paused = true;
                self.tell_to_stop(|one| one.registration == at);
            }
            None => {
                self.is_paused = true;
                self.tell_to_stop(|_| true);
            }
        }
        Answer::Nothing
    }

    fn fetched(&mut self, guid: Guid) -> Answer {
        let one = self.running.iter_mut().find(|one| one.guid == guid).unwrap();
        one.is_fetched = true;
        let host = self.all[one.registration].requests[one.index].host;
        self.unreached[host] = 0;
        Answer::Nothing
    }

    fn on_weather(&mut self, weather: Weather) -> Answer {
        let before = std::mem::replace(&mut self.weather, weather);
        if weather.is_online && !before.is_online || weather.is_awake && !before.is_awake {
            self.retry_unreached();
        }
        if weather.sets_aside() {
            self.tell_to_stop(|_| true);
        }
        self.wake();
        Answer::Nothing
    }

    /// Skips optional requests whose host has a long cooldown or cannot be reached.
    fn skip(&mut self) {
        if self.is_paused || !self.weather.is_open() {
            return;
        }
        let (cooldowns, now) = (self.cooldowns, self.now);
        let is_too_long = |cooldown: HostPause| {
            is_ahead(cooldown.until, now) && (cooldown.why == PauseReason::Unreached || cooldown.until > now + OPTIONAL_WAITS)
        };
        for one in self.all.iter_mut().filter(|one| one.is_active && !one.is_paused) {
            for request in one.requests.iter_mut().filter(|request| request.is_optional && request.at == At::Pending) {
                if cooldowns[request.host].is_some_and(is_too_long) {
                    request.at = At::Dead;
                }
            }
            if !one.requests.iter().any(Request::is_open) {
                (one.is_active, one.is_owed) = (false, true);
            }
        }
    }

    /// Returns the answer that is expected if a registration is added again; `None` if the registration is new.
    fn again(&mut self, (owner, pattern): (usize, usize), place: QueuePlace, is_paused: bool, is_person: bool) -> Option<Answer> {
        let minute = self.now.div_euclid(60 * SECOND);
        let lately = self.lately.get(&(minute, owner, pattern)).filter(|_| !is_person);
        if let Some(one) = lately.map(|at| &self.all[*at]).filter(|one| one.is_active && !one.is_removed) {
            return Some(one.id.map_or(Answer::Nothing, Answer::Merged));
        }
        let is_it = |one: &Registration| one.is_active && (one.owner, one.pattern) == (owner, pattern);
        let at = self.all.iter().position(is_it)?;
        let id = self.all[at].id;
        if !self.all[at].is_paused && self.count_running(at) > 0 {
            return Some(id.map_or(Answer::Nothing, Answer::Running));
        }
        let Some((is_urgent, rank)) = self.stands(place, Some(at)) else { return Some(Answer::Unknown) };
        let one = &mut self.all[at];
        (one.is_urgent, one.rank, one.is_paused) = (is_urgent, rank, one.is_paused && is_paused);
        if is_person {
            self.retry(at);
            self.wake_hosts(at);
        }
        Some(id.map_or(Answer::Nothing, Answer::Moved))
    }

    /// Returns the urgency and the rank of a registration at `place`.
    ///
    /// `None` if `place` is before a registration that is not active.
    fn stands(&mut self, place: QueuePlace, moving: Option<usize>) -> Option<(bool, f64)> {
        let active = || self.all.iter().filter(|one| one.is_active).map(|one| one.rank);
        match place {
            QueuePlace::Now | QueuePlace::Top => Some((place == QueuePlace::Now, active().reduce(f64::min).unwrap_or(1.0) - 1.0)),
            QueuePlace::Bottom => Some((false, active().reduce(f64::max).unwrap_or(-1.0) + 1.0)),
            QueuePlace::Before(other) => {
                let other = self.at(other);
                if !self.all[other].is_active {
                    return None;
                }
                if self.gap_before(other, moving) <= 1.0 / f64::from(1 << 20) {
                    let mut order: Vec<usize> = (0..self.all.len()).filter(|at| self.all[*at].is_active).collect();
                    order.sort_by(|one, next| self.all[*one].rank.total_cmp(&self.all[*next].rank).then(one.cmp(next)));
                    order.into_iter().zip(1..).for_each(|(at, rank)| self.all[at].rank = f64::from(rank));
                }
                let one = &self.all[other];
                Some((one.is_urgent, one.rank - self.gap_before(other, moving) / 2.0))
            }
        }
    }

    fn gap_before(&self, other: usize, moving: Option<usize>) -> f64 {
        let rank = self.all[other].rank;
        let comes_before = |at: &usize| (self.all[*at].rank, *at) < (rank, other) && Some(*at) != moving;
        let before = (0..self.all.len()).filter(|at| self.all[*at].is_active).filter(comes_before);
        rank - before.map(|at| self.all[at].rank).reduce(f64::max).unwrap_or(rank - 2.0)
    }

    fn end(&mut self, at: usize, is_owed: bool) {
        let one = &mut self.all[at];
        if one.is_active {
            (one.is_active, one.has_failed, one.is_owed) = (false, true, is_owed);
            self.tell_to_stop(|running| running.registration == at);
        }
    }

    fn retry(&mut self, at: usize) -> u32 {
        let one = &mut self.all[at];
        let is_again = |request: &Request| match request.at {
            At::Waiting(_) => true,
            At::Aborted | At::Dead => !one.is_active,
            _ => false,
        };
        let stopped = one.requests.iter().filter(|request| is_again(request)).count();
        let left = one.requests.iter().filter(|request| matches!(request.at, At::Pending | At::Running)).count();
        let again = stopped + if one.is_active { 0 } else { left };
        if again > 0 {
            let is_active = one.is_active;
            for request in &mut one.requests {
                if matches!(request.at, At::Waiting(_)) || !is_active && matches!(request.at, At::Aborted | At::Dead) {
                    (request.at, request.attempt) = (At::Pending, 0);
                }
            }
            if !is_active {
                (one.is_active, one.is_paused, one.has_failed, one.is_owed) = (true, false, false, false);
            }
        }
        again.try_into().unwrap()
    }

    fn wake_hosts(&mut self, at: usize) {
        for request in &self.all[at].requests {
            self.cooldowns[request.host] = None;
            self.unreached[request.host] = 0;
            self.failing[request.host] = 0;
            self.on_trial[request.host] = false;
        }
    }

    fn tell_to_stop(&mut self, is_meant: impl Fn(&Running) -> bool) {
        self.running.iter_mut().filter(|one| is_meant(one)).for_each(|one| one.must_stop = true);
    }

    fn retry_unreached(&mut self) {
        let now = self.now;
        self.unreached = [0; HOSTS];
        self.failing = [0; HOSTS];
        for (cooldown, on_trial) in self.cooldowns.iter_mut().zip(&mut self.on_trial) {
            *cooldown = cooldown.filter(|cooldown| cooldown.why == PauseReason::Busy && is_ahead(cooldown.until, now));
            *on_trial &= cooldown.is_some();
        }
        for request in self.all.iter_mut().flat_map(|one| &mut one.requests) {
            if matches!(request.at, At::Waiting(_)) && request.is_of_network {
                request.at = At::Waiting(self.now);
            }
        }
    }

    /// Changes the state of requests that are due to pending.
    ///
    /// After the clock was set back, a request whose remaining wait exceeds the maximum wait is also due.
    fn wake(&mut self) {
        let now = self.now;
        for one in &mut self.all {
            for request in &mut one.requests {
                if matches!(request.at, At::Waiting(until) if until <= now || until > now + LONGEST_WAIT) {
                    request.at = if one.is_active { At::Pending } else { At::Aborted };
                }
            }
        }
    }

    fn ended(&mut self, guid: Guid, ending: EndedRequest) {
        let at = self.running.iter().position(|one| one.guid == guid).unwrap();
        let Running { registration, index, .. } = self.running.remove(at);
        let now = self.now;
        let is_active = self.all[registration].is_active;
        let request = &self.all[registration].requests[index];
        let (host, attempt) = (request.host, request.attempt);
        if !matches!(ending, EndedRequest::Stopped | EndedRequest::Unreached | EndedRequest::TooManyOpen) {
            self.unreached[host] = 0;
        }
        let is_optional = request.is_optional;
        let is_offline = !self.weather.is_online;
        let put_back = |at| if is_active { at } else { At::Aborted };
        let ahead = |cooldown: Option<HostPause>| cooldown.filter(|cooldown| is_ahead(cooldown.until, now));
        let mut new_cooldowns = Vec::new();
        if matches!(ending, EndedRequest::Completed | EndedRequest::Gone) {
            (self.failing[host], self.on_trial[host]) = (0, false);
            self.cooldowns[host] = self.cooldowns[host].filter(|cooldown| cooldown.why == PauseReason::Busy);
        } else if ending == EndedRequest::Reset && !is_offline && ahead(self.cooldowns[host]).is_none() {
            self.failing[host] += 1;
            if let Some(cooldowns) = self.failing[host].checked_sub(FAILURES_BEFORE_COOLDOWN) {
                let cooldowns = if cooldowns + 1 >= ATTEMPTS { 0 } else { cooldowns };
                new_cooldowns.push(HostPause { until: now + ((BASE_SECONDS * SECOND) << cooldowns), why: PauseReason::Failing });
            }
        }
        let is_known = ending == EndedRequest::Unreached
            && ahead(self.cooldowns[host]).is_some_and(|cooldown| cooldown.why == PauseReason::Unreached);
        let failed_before = match ending {
            EndedRequest::Unreached => attempt.max(self.unreached[host]),
            EndedRequest::Reset => attempt.max(self.failing[host].saturating_sub(FAILURES_BEFORE_COOLDOWN)),
            _ => attempt,
        };
        let grown = (BASE_SECONDS * SECOND) << failed_before;
        let asked = |seconds: u64| (seconds.cast_signed() * SECOND).clamp(SECOND, LONGEST_ASKED);
        let is_last = failed_before + 1 >= ATTEMPTS;
        let to = match ending {
            EndedRequest::Completed => At::Completed,
            EndedRequest::Stopped => put_back(At::Pending),
            EndedRequest::Gone => At::Dead,
            EndedRequest::Reset | EndedRequest::Unreached if is_offline => put_back(At::Pending),
            _ if is_optional => At::Dead,
            // If the disk itself reports no space, the disk gate delays the early retry.
            EndedRequest::DiskFull => put_back(At::Waiting(now + if self.has_room { 60 } else { 1 } * SECOND)),
            EndedRequest::TooManyOpen => put_back(At::Waiting(now + 5 * SECOND)),
            EndedRequest::Unreached if is_known => put_back(At::Pending),
            _ if is_last => At::Dead,
            EndedRequest::Reset | EndedRequest::Unreached => put_back(At::Waiting(now + grown)),
            EndedRequest::Busy(seconds) => put_back(At::Waiting(now + asked(seconds))),
        };
        match ending {
            EndedRequest::Busy(seconds) => {
                new_cooldowns.insert(0, HostPause { until: now + asked(seconds), why: PauseReason::Busy })
            }
            EndedRequest::Unreached if !is_offline && !is_known && !is_last => {
                self.unreached[host] += 1;
                new_cooldowns.insert(0, HostPause { until: now + grown, why: PauseReason::Unreached });
            }
            _ => {}
        }
        for cooldown in new_cooldowns {
            self.on_trial[host] |= cooldown.why != PauseReason::Unreached;
            if ahead(self.cooldowns[host]).is_none_or(|known| cooldown.until > known.until) {
                self.cooldowns[host] = Some(cooldown);
            }
        }
        let has_failed_again =
            matches!(to, At::Waiting(_)) && !matches!(ending, EndedRequest::DiskFull | EndedRequest::TooManyOpen);
        let one = &mut self.all[registration];
        let request = &mut one.requests[index];
        request.at = to;
        request.completions += u32::from(to == At::Completed);
        request.attempt += u32::from(has_failed_again && is_active);
        request.is_of_network = matches!(ending, EndedRequest::Unreached | EndedRequest::Reset);
        if to == At::Dead && !request.is_optional && one.is_active {
            one.has_failed = true;
        }
        if one.is_active && !one.requests.iter().any(Request::is_open) {
            (one.is_active, one.is_owed) = (false, true);
        }
    }
}
