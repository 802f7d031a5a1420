-- What each step of a first start found. Both steps of the first version are done where that is recorded.
CREATE TABLE bootstrap_step (
  step TEXT PRIMARY KEY,                       -- data-folder, ledger, defaults, download-folder, keychain, notifications
  version INTEGER NOT NULL,                    -- of the work that performed it
  missing TEXT NOT NULL DEFAULT '',            -- why it is not available here; empty where it is done
  checked_us INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO bootstrap_step (step, version, checked_us)
  SELECT 'data-folder', version, 0 FROM bootstrap WHERE version > 0
  UNION ALL SELECT 'download-folder', version, 0 FROM bootstrap WHERE version > 0;
