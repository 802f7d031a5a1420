//! Formats times and sizes for display. The subcommands print these texts through `ashore_terminal`.

pub use ashore_terminal::{TerminalOutput, clean};

/// Formats a time for display.
pub fn moment(milliseconds: i64) -> String {
    match jiff::Timestamp::from_millisecond(milliseconds) {
        Ok(time) if milliseconds > 0 => time.to_zoned(jiff::tz::TimeZone::system()).strftime("%Y-%m-%d %H:%M").to_string(),
        _ => "never".to_owned(),
    }
}

/// Formats a number of bytes for display.
pub fn size(bytes: i64) -> String {
    match bytes {
        ..1024 => format!("{bytes} B"),
        1024..1_048_576 => format!("{:.1} KiB", bytes as f64 / 1024.0),
        1_048_576..1_073_741_824 => format!("{:.1} MiB", bytes as f64 / 1_048_576.0),
        _ => format!("{:.1} GiB", bytes as f64 / 1_073_741_824.0),
    }
}
