//! Cooldown of a host: its end and its reason.

/// Cooldown of a host. No request is sent to the host before `until_us`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HostCooldown {
    pub until_us: i64,
    /// Reason of the cooldown: the host requested a pause, was unreachable, or failed several times in a row.
    pub why: CooldownReason,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CooldownReason {
    Busy,
    Unreached,
    Failing,
}
