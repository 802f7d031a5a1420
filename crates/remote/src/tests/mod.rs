//! The server as its clients see it: real connections.

mod browser_channel;
mod page;
mod page_files;
mod page_limits;
mod page_place;
