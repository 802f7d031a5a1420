-- How long something stays in the list when it is over. What is kept for good has no time.
ALTER TABLE registration ADD COLUMN keep_for_us INTEGER;              -- as its creator said; null: as the wish says
ALTER TABLE registration ADD COLUMN takes_files INTEGER NOT NULL DEFAULT 0;  -- its files go to the trash with it
ALTER TABLE registration ADD COLUMN expires_us INTEGER;               -- null while it is active
CREATE INDEX reg_expires ON registration (expires_us) WHERE active = 0 AND doomed = 0 AND event <> 1 AND expires_us IS NOT NULL;
ALTER TABLE wish ADD COLUMN forget_after_us INTEGER;                  -- the setting, as the last engine that fetched had it
