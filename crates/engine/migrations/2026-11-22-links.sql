-- Which registrations have a link, whoever's they are: the address comes first. Whoever looks for it within one registration
-- finds it as before.
DROP INDEX request_key;
CREATE INDEX request_key ON request (url_key, reg_id);
