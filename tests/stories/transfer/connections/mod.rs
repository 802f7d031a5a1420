//! Connections: addresses, TLS, proxies, redirects, credentials and cookies.

mod auth;
mod connect;
mod cookies;
mod digest;
mod proxy;
mod reach;
mod redirect;
mod tls;
