-- How long a try took and what it brought. Null where nobody wrote that down: an older Ashore, or a try that a crash cut short.
ALTER TABLE attempt ADD COLUMN started_us INTEGER;
ALTER TABLE attempt ADD COLUMN brought INTEGER;         -- durable body bytes that were not there before
ALTER TABLE attempt ADD COLUMN url_chain TEXT;          -- JSON, where it was sent on before it failed
ALTER TABLE response_done ADD COLUMN started_us INTEGER;
ALTER TABLE response_done ADD COLUMN brought INTEGER;
