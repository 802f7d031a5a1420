-- Values that the clients of an owner choose for a registration.
ALTER TABLE given ADD COLUMN connections INTEGER NOT NULL DEFAULT 0; -- maximum for each file; 0 for the setting
ALTER TABLE given ADD COLUMN owner_data TEXT NOT NULL DEFAULT '';    -- text of the owner's clients
