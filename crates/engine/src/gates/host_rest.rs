//! The cooldown of a host: until when nothing is requested from it, and the reason.

/// Why nothing of a host starts, and until when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HostCooldown {
    pub until_us: i64,
    /// It asked for it, nobody could reach it, or it failed several times in a row.
    pub why: CooldownReason,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CooldownReason {
    Busy,
    Unreached,
    Failing,
}
