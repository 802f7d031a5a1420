//! The server as its clients see it: real connections.

mod aria2_access;
mod browser_channel;
mod health;
mod metrics;
mod openapi;
mod page;
mod page_files;
mod page_limits;
mod page_place;
mod remote_switch;
mod rest;
mod rest_events;
mod rest_network;
mod rest_uploads;
