//! Ports for programs that cannot choose one themselves.

use std::{
    io,
    net::{Ipv4Addr, TcpListener},
};

/// Returns distinct loopback ports that are currently free. Another program may take a port before the caller uses it.
pub fn free_ports<const COUNT: usize>() -> io::Result<[u16; COUNT]> {
    let (mut ports, mut held) = ([0; COUNT], Vec::with_capacity(COUNT));
    for port in &mut ports {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        *port = listener.local_addr()?.port();
        // Keep each port bound until all ports are chosen. Otherwise, a port could be chosen twice.
        held.push(listener);
    }
    Ok(ports)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn free_ports_are_different_and_can_be_bound() {
        let [one, two] = free_ports().unwrap();
        assert_ne!(one, two);
        assert!([one, two].into_iter().all(|port| TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_ok()));
    }
}
