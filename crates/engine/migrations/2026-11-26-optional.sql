-- Finds pending optional requests of a host that rests: they are skipped instead of holding their registration open.
CREATE INDEX rs_optional ON req_state(host_id, reg_id, idx) WHERE state = 0 AND optional = 1;
