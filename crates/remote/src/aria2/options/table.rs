//! Options of aria2 1.36, with their values, their defaults, and the calls that accept them. [pure]
//!
//! - Paths of aria2's own files have no default here, because Ashore has no such files.
//! - Options that only start aria2 are missing: no call accepts or returns them.

/// Values that an option of aria2 accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OptionValues {
    /// `true` or `false`.
    Flag,
    /// Whole number in this range.
    Whole(i64, i64),
    /// Number of bytes in this range. The suffix K stands for 1,024 bytes, and M for 1,048,576 bytes.
    Size(i64, i64),
    /// Number that is not negative and may have decimals.
    Decimal,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// Address of a proxy, or nothing.
    Proxy,
    /// Digest, such as `sha-256=HEX`.
    Checksum,
    /// Numbers of files, such as `1-5,8`.
    Ranges,
    /// Lines, which a client may also send as a list.
    Lines,
    /// Any text.
    Text,
}

use OptionValues::{Checksum, Choice, Decimal, Flag, Lines, Proxy, Ranges, Size, Text, Whole};

/// `addUri` accepts the option.
pub(crate) const DOWNLOAD: u8 = 1;
/// `changeOption` accepts the option.
pub(crate) const CHANGE: u8 = 2;
/// `changeGlobalOption` accepts the option.
pub(crate) const GLOBAL: u8 = 4;
/// `getOption` returns the option even if nobody has set it.
pub(crate) const ECHOED: u8 = 8;
/// `getGlobalOption` returns the option even if nobody has set it.
pub(crate) const LISTED: u8 = 16;

const MAX: i64 = i64::MAX;

/// Option of aria2.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Aria2Option {
    pub name: &'static str,
    pub values: OptionValues,
    /// Value that applies if the option was not set; empty if there is no such value.
    pub default: &'static str,
    calls: u8,
}

impl Aria2Option {
    /// Whether the option has this property, which is one of the constants above.
    pub(crate) fn is(&self, property: u8) -> bool {
        self.calls & property != 0
    }
}

const fn row(name: &'static str, values: OptionValues, default: &'static str, calls: u8) -> Aria2Option {
    Aria2Option { name, values, default, calls }
}

/// Returns the option with this name; `None` if aria2 has no such option, or no call accepts it.
pub(crate) fn find(name: &str) -> Option<&'static Aria2Option> {
    OPTIONS.binary_search_by_key(&name, |option| option.name).ok().map(|at| &OPTIONS[at])
}

/// All options, sorted by name.
pub(crate) const OPTIONS: &[Aria2Option] = &[
    row("all-proxy", Proxy, "", DOWNLOAD | CHANGE | GLOBAL),
    row("all-proxy-passwd", Text, "", DOWNLOAD | CHANGE | GLOBAL),
    row("all-proxy-user", Text, "", DOWNLOAD | CHANGE | GLOBAL),
    row("allow-overwrite", Flag, "false", DOWNLOAD | CHANGE | GLOBAL | ECHOED | LISTED),
    row("allow-piece-length-change", Flag, "false", DOWNLOAD | CHANGE | GLOBAL | ECHOED | LISTED),
    row("always-resume", Flag, "true", DOWNLOAD | CHANGE | GLOBAL | ECHOED | LISTED),
    row("async-dns", Flag, "true", DOWNLOAD | CHANGE | GLOBAL | ECHOED | LISTED),
    row("auto-file-renaming", Flag, "true", DOWNLOAD | CHANGE | GLOBAL | ECHOED | LISTED),
    row("auto-save-interval", Whole(0, 600), "60", LISTED),
    row("bt-detach-seed-only", Flag, "false", LISTED),
    row("bt-enable-hook-after-hash-check", Flag, "true", DOWNLOAD | CHANGE | GLOBAL | ECHOED | LISTED),
    row("bt-enable-lpd", Flag, "false", DOWNLOAD | CHANGE | GLOBAL | ECHOED | LISTED),
    row("bt-exclude-tracker", Text, "", DOWNLOAD | CHANGE | GLOBAL),
    row("bt-external-ip", Text, "", DOWNLOAD | CHANGE | GLOBAL),
    row("bt-force-encryption", Flag, "false", DOWNLOAD | CHANGE | GLOBAL | ECHOED | LISTED),
    row("bt-hash-check-seed", Flag, "true", DOWNLOAD | CHANGE | GLOBAL | ECHOED | LISTED),
    row("bt-load-saved-metadata", Flag, "false", DOWNLOAD | CHANGE | GLOBAL | ECHOED | LISTED),
    row("bt-max-open-files", Whole(1, MAX), "100", GLOBAL | LISTED),
    row("bt-max-peers", Whole(0, MAX), "55", DOWNLOAD | CHANGE | GLOBAL | ECHOED | LISTED),
    row("bt-metadata-only", Flag, "false", DOWNLOAD | CHANGE | GLOBAL | ECHOED | LISTED),
    row("bt-min-crypto-level", Choice(&["plain", "arc4"]), "plain", DOWNLOAD | CHANGE | GLOBAL | ECHOED | LISTED),
    row("bt-prioritize-piece", Text, "", DOWNLOAD | CHANGE | GLOBAL),
    row("bt-remove-unselected-file", Flag, "false", DOWNLOAD | CHANGE | GLOBAL | ECHOED | LISTED),
    row("bt-request-peer-speed-limit", Size(0, MAX), "51200", DOWNLOAD | CHANGE | GLOBAL | ECHOED | LISTED),
    row("bt-require-crypto", Flag, "false", DOWNLOAD | CHANGE | GLOBAL | ECHOED | LISTED),
    row("bt-save-metadata", Flag, "false", DOWNLOAD | CHANGE | GLOBAL | ECHOED | LISTED),
    row("bt-seed-unverified", Flag, "false", DOWNLOAD | CHANGE | GLOBAL | ECHOED | LISTED),
    row("bt-stop-timeout", Whole(0, MAX), "0", DOWNLOAD | CHANGE | GLOBAL | ECHOED | LISTED),
    row("bt-tracker", Text, "", DOWNLOAD | CHANGE | GLOBAL),
    row("bt-tracker-connect-timeout", Whole(1, 600), "60", DOWNLOAD | CHANGE | GLOBAL | ECHOED | LISTED),
    row("bt-tracker-interval", Whole(0, MAX), "0", DOWNLOAD | CHANGE | GLOBAL | ECHOED | LISTED),
    row("bt-tracker-timeout", Whole(1, 600), "60", DOWNLOAD | CHANGE | GLOBAL | ECHOED | LISTED),
    row("ca-certificate", Text, "", LISTED),
    row("check-certificate", Flag, "true", LISTED),
    row("check-integrity", Flag, "false", DOWNLOAD | CHANGE | GLOBAL | ECHOED | LISTED),
    row("checksum", Checksum, "", DOWNLOAD | CHANGE),
    row("conditional-get", Flag, "false", DOWNLOAD | CHANGE | GLOBAL | ECHOED | LISTED),
    row("conf-path", Text, "", LISTED),
    row("connect-timeout", Whole(1, 600), "60", DOWNLOAD | CHANGE | GLOBAL | ECHOED | LISTED),
    row("console-log-level", Choice(&["debug", "info", "notice", "warn", "error"]), "notice", LISTED),
    row("content-disposition-default-utf8", Flag, "false", DOWNLOAD | CHANGE | GLOBAL | ECHOED | LISTED),
    row("continue", Flag, "false", DOWNLOAD | CHANGE | GLOBAL | ECHOED | LISTED),
    row("daemon", Flag, "false", LISTED),
    row("deferred-input", Flag, "false", LISTED),
    row("dht-file-path", Text, "", LISTED),
    row("dht-file-path6", Text, "", LISTED),
    row("dht-listen-port", Text, "6881-6999", LISTED),
    row("dht-message-timeout", Whole(1, 60), "10", LISTED),
    row("dir", Text, "", DOWNLOAD | CHANGE | GLOBAL | ECHOED | LISTED),
    row("disable-ipv6", Flag, "false", LISTED),
    row("disk-cache", Size(0, MAX), "16777216", LISTED),
    row("download-result", Choice(&["default", "full", "hide"]), "default", GLOBAL | LISTED),
    row("dry-run", Flag, "false", DOWNLOAD | GLOBAL | ECHOED | LISTED),
    row("dscp", Whole(0, MAX), "0", LISTED),
    row("enable-color", Flag, "true", LISTED),
    row("enable-dht", Flag, "true", LISTED),
    row("enable-dht6", Flag, "false", LISTED),
    row("enable-http-keep-alive", Flag, "true", DOWNLOAD | CHANGE | GLOBAL | ECHOED | LISTED),
    row("enable-http-pipelining", Flag, "false", DOWNLOAD | CHANGE | GLOBAL | ECHOED | LISTED),
    row("enable-mmap", Flag, "false", DOWNLOAD | CHANGE | GLOBAL | ECHOED | LISTED),
    row("enable-peer-exchange", Flag, "true", DOWNLOAD | CHANGE | GLOBAL | ECHOED | LISTED),
    row("enable-rpc", Flag, "true", LISTED),
    row("event-poll", Choice(&["epoll", "poll", "select"]), "epoll", LISTED),
    row(
        "file-allocation",
        Choice(&["none", "prealloc", "trunc", "falloc"]),
        "prealloc",
        DOWNLOAD | CHANGE | GLOBAL | ECHOED | LISTED,
    ),
    row("follow-metalink", Choice(&["true", "mem", "false"]), "true", DOWNLOAD | CHANGE | GLOBAL | ECHOED | LISTED),
    row("follow-torrent", Choice(&["true", "mem", "false"]), "true", DOWNLOAD | CHANGE | GLOBAL | ECHOED | LISTED),
    row("force-save", Flag, "false", DOWNLOAD | CHANGE | GLOBAL | ECHOED | LISTED),
    row("ftp-passwd", Text, "", DOWNLOAD | CHANGE | GLOBAL),
    row("ftp-pasv", Flag, "true", DOWNLOAD | CHANGE | GLOBAL | ECHOED | LISTED),
    row("ftp-proxy", Proxy, "", DOWNLOAD | CHANGE | GLOBAL),
    row("ftp-proxy-passwd", Text, "", DOWNLOAD | CHANGE | GLOBAL),
    row("ftp-proxy-user", Text, "", DOWNLOAD | CHANGE | GLOBAL),
    row("ftp-reuse-connection", Flag, "true", DOWNLOAD | CHANGE | GLOBAL | ECHOED | LISTED),
    row("ftp-type", Choice(&["binary", "ascii"]), "binary", DOWNLOAD | CHANGE | GLOBAL | ECHOED | LISTED),
    row("ftp-user", Text, "", DOWNLOAD | CHANGE | GLOBAL),
    row("gid", Text, "", DOWNLOAD),
    row("hash-check-only", Flag, "false", DOWNLOAD | CHANGE | GLOBAL | ECHOED | LISTED),
    row("header", Lines, "", DOWNLOAD | CHANGE | GLOBAL),
    row("help", Text, "#basic", LISTED),
    row("http-accept-gzip", Flag, "false", DOWNLOAD | CHANGE | GLOBAL | ECHOED | LISTED),
    row("http-auth-challenge", Flag, "false", DOWNLOAD | CHANGE | GLOBAL | ECHOED | LISTED),
    row("http-no-cache", Flag, "false", DOWNLOAD | CHANGE | GLOBAL | ECHOED | LISTED),
    row("http-passwd", Text, "", DOWNLOAD | CHANGE | GLOBAL),
    row("http-proxy", Proxy, "", DOWNLOAD | CHANGE | GLOBAL),
    row("http-proxy-passwd", Text, "", DOWNLOAD | CHANGE | GLOBAL),
    row("http-proxy-user", Text, "", DOWNLOAD | CHANGE | GLOBAL),
    row("http-user", Text, "", DOWNLOAD | CHANGE | GLOBAL),
    row("https-proxy", Proxy, "", DOWNLOAD | CHANGE | GLOBAL),
    row("https-proxy-passwd", Text, "", DOWNLOAD | CHANGE | GLOBAL),
    row("https-proxy-user", Text, "", DOWNLOAD | CHANGE | GLOBAL),
    row("human-readable", Flag, "true", LISTED),
    row("index-out", Lines, "", DOWNLOAD | CHANGE),
    row("keep-unfinished-download-result", Flag, "true", GLOBAL | LISTED),
    row("listen-port", Text, "6881-6999", LISTED),
    row("log", Text, "", GLOBAL),
    row("log-level", Choice(&["debug", "info", "notice", "warn", "error"]), "debug", GLOBAL | LISTED),
    row("lowest-speed-limit", Size(0, MAX), "0", DOWNLOAD | CHANGE | GLOBAL | ECHOED | LISTED),
    row("max-concurrent-downloads", Whole(1, MAX), "5", GLOBAL | LISTED),
    row("max-connection-per-server", Whole(1, 16), "1", DOWNLOAD | CHANGE | GLOBAL | ECHOED | LISTED),
    row("max-download-limit", Size(0, MAX), "0", DOWNLOAD | CHANGE | GLOBAL | ECHOED | LISTED),
    row("max-download-result", Whole(0, MAX), "1000", GLOBAL | LISTED),
    row("max-file-not-found", Whole(0, MAX), "0", DOWNLOAD | CHANGE | GLOBAL | ECHOED | LISTED),
    row("max-mmap-limit", Size(0, MAX), "9223372036854775807", DOWNLOAD | CHANGE | GLOBAL | ECHOED | LISTED),
    row("max-overall-download-limit", Size(0, MAX), "0", GLOBAL | LISTED),
    row("max-overall-upload-limit", Size(0, MAX), "0", GLOBAL | LISTED),
    row("max-resume-failure-tries", Whole(0, MAX), "0", DOWNLOAD | CHANGE | GLOBAL | ECHOED | LISTED),
    row("max-tries", Whole(0, MAX), "5", DOWNLOAD | CHANGE | GLOBAL | ECHOED | LISTED),
    row("max-upload-limit", Size(0, MAX), "0", DOWNLOAD | CHANGE | GLOBAL | ECHOED | LISTED),
    row("metalink-base-uri", Text, "", DOWNLOAD | GLOBAL),
    row("metalink-enable-unique-protocol", Flag, "true", DOWNLOAD | CHANGE | GLOBAL | ECHOED | LISTED),
    row("metalink-language", Text, "", DOWNLOAD | CHANGE | GLOBAL),
    row("metalink-location", Text, "", DOWNLOAD | CHANGE | GLOBAL),
    row("metalink-os", Text, "", DOWNLOAD | CHANGE | GLOBAL),
    row(
        "metalink-preferred-protocol",
        Choice(&["http", "https", "ftp", "none"]),
        "none",
        DOWNLOAD | CHANGE | GLOBAL | ECHOED | LISTED,
    ),
    row("metalink-version", Text, "", DOWNLOAD | CHANGE | GLOBAL),
    row("min-split-size", Size(1_048_576, 1_073_741_824), "20971520", DOWNLOAD | CHANGE | GLOBAL | ECHOED | LISTED),
    row("min-tls-version", Choice(&["TLSv1.1", "TLSv1.2", "TLSv1.3"]), "TLSv1.2", LISTED),
    row("netrc-path", Text, "", LISTED),
    row("no-conf", Flag, "true", LISTED),
    row("no-file-allocation-limit", Size(0, MAX), "5242880", DOWNLOAD | CHANGE | GLOBAL | ECHOED | LISTED),
    row("no-netrc", Flag, "false", DOWNLOAD | CHANGE | GLOBAL | ECHOED | LISTED),
    row("no-proxy", Text, "", DOWNLOAD | CHANGE | GLOBAL),
    row("optimize-concurrent-downloads", Text, "false", GLOBAL | LISTED),
    row("out", Text, "", DOWNLOAD | CHANGE),
    row("parameterized-uri", Flag, "false", DOWNLOAD | GLOBAL | ECHOED | LISTED),
    row("pause", Flag, "", DOWNLOAD),
    row("pause-metadata", Flag, "false", DOWNLOAD | CHANGE | GLOBAL | ECHOED | LISTED),
    row("peer-agent", Text, "aria2/1.36.0", LISTED),
    row("peer-id-prefix", Text, "A2-1-36-0-", LISTED),
    row("piece-length", Size(1_048_576, 1_073_741_824), "1048576", DOWNLOAD | GLOBAL | ECHOED | LISTED),
    row("proxy-method", Choice(&["get", "tunnel"]), "get", DOWNLOAD | CHANGE | GLOBAL | ECHOED | LISTED),
    row("quiet", Flag, "true", LISTED),
    row("realtime-chunk-checksum", Flag, "true", DOWNLOAD | CHANGE | GLOBAL | ECHOED | LISTED),
    row("referer", Text, "", DOWNLOAD | CHANGE | GLOBAL),
    row("remote-time", Flag, "false", DOWNLOAD | CHANGE | GLOBAL | ECHOED | LISTED),
    row("remove-control-file", Flag, "false", DOWNLOAD | CHANGE | GLOBAL | ECHOED | LISTED),
    row("retry-wait", Whole(0, 600), "0", DOWNLOAD | CHANGE | GLOBAL | ECHOED | LISTED),
    row("reuse-uri", Flag, "true", DOWNLOAD | CHANGE | GLOBAL | ECHOED | LISTED),
    row("rlimit-nofile", Whole(1, MAX), "1024", LISTED),
    row("rpc-allow-origin-all", Flag, "false", LISTED),
    row("rpc-listen-all", Flag, "false", LISTED),
    row("rpc-listen-port", Whole(1024, 65_535), "6800", LISTED),
    row("rpc-max-request-size", Size(0, MAX), "2097152", LISTED),
    row("rpc-save-upload-metadata", Flag, "true", DOWNLOAD | GLOBAL | ECHOED | LISTED),
    row("rpc-secure", Flag, "false", LISTED),
    row("save-cookies", Text, "", GLOBAL),
    row("save-not-found", Flag, "true", DOWNLOAD | CHANGE | GLOBAL | ECHOED | LISTED),
    row("save-session", Text, "", GLOBAL),
    row("save-session-interval", Whole(0, MAX), "0", LISTED),
    row("seed-ratio", Decimal, "1.0", DOWNLOAD | CHANGE | GLOBAL | ECHOED | LISTED),
    row("seed-time", Decimal, "", DOWNLOAD | CHANGE | GLOBAL),
    row("select-file", Ranges, "", DOWNLOAD | CHANGE),
    row("server-stat-of", Text, "", GLOBAL),
    row("server-stat-timeout", Whole(0, 2_147_483_647), "86400", LISTED),
    row("show-console-readout", Flag, "true", LISTED),
    row("show-files", Flag, "false", LISTED),
    row("socket-recv-buffer-size", Size(0, 16_777_216), "0", LISTED),
    row("split", Whole(1, MAX), "5", DOWNLOAD | CHANGE | GLOBAL | ECHOED | LISTED),
    row("ssh-host-key-md", Text, "", DOWNLOAD | CHANGE | GLOBAL),
    row("stderr", Flag, "false", LISTED),
    row("stop", Whole(0, 2_147_483_647), "0", LISTED),
    row(
        "stream-piece-selector",
        Choice(&["default", "inorder", "random", "geom"]),
        "default",
        DOWNLOAD | CHANGE | GLOBAL | ECHOED | LISTED,
    ),
    row("summary-interval", Whole(0, 2_147_483_647), "60", LISTED),
    row("timeout", Whole(1, 600), "60", DOWNLOAD | CHANGE | GLOBAL | ECHOED | LISTED),
    row("truncate-console-readout", Flag, "true", LISTED),
    row("uri-selector", Choice(&["inorder", "feedback", "adaptive"]), "feedback", DOWNLOAD | CHANGE | GLOBAL | ECHOED | LISTED),
    row("use-head", Flag, "false", DOWNLOAD | CHANGE | GLOBAL | ECHOED | LISTED),
    row("user-agent", Text, "aria2/1.36.0", DOWNLOAD | CHANGE | GLOBAL | ECHOED | LISTED),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_sorted_by_name() {
        assert!(OPTIONS.is_sorted_by_key(|option| option.name));
        assert_eq!(find("split").map(|option| option.default), Some("5"));
        assert!(find("nonsense").is_none());
    }

    #[test]
    fn number_of_returned_options_is_the_same_as_in_aria2() {
        let count = |property| OPTIONS.iter().filter(|option| option.is(property)).count();
        assert_eq!((count(ECHOED), count(LISTED)), (75, 128));
    }
}
