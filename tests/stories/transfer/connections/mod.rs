//! Connections: addresses, TLS, proxies and redirects, and the credentials and cookies that are sent.

mod auth;
mod connect;
mod cookies;
mod digest;
mod proxy;
mod reach;
mod redirect;
mod tls;
