//! Tests the views of the window: adding, the list, details, settings, and statistics.

mod add;
mod browsers;
mod clipboard;
mod details;
mod drag;
mod keyboard;
mod language;
mod list;
mod opening;
mod other_devices;
mod settings;
mod statistics;
mod steps;
mod sync;
