-- What kind of file a registration is, or most of its files are, by the names that it was asked for with. Of a single file
-- its own row knows it better, once its head is there. Sets from before are "other": their names are not looked at again.
ALTER TABLE given ADD COLUMN category INTEGER NOT NULL DEFAULT 6;  -- as in req_state
