//! Transfers against good and bad servers.
