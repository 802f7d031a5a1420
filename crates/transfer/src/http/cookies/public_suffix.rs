//! Domains below which anybody can register a name. [pure]

/// Can anybody register a name under `domain`? One without a dot is taken for one: no site is named like that.
pub(super) fn is_public_suffix(domain: &str) -> bool {
    psl::suffix_str(domain) == Some(domain)
}
