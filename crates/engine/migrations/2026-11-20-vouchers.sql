-- Checksum files (by_idx) and the files of the same registration (idx) that they may be about. The two come in any order:
-- each leaves what it knows here, and whoever is last compares.
CREATE TABLE voucher (
  reg_id INTEGER NOT NULL REFERENCES registration ON DELETE CASCADE,
  by_idx INTEGER NOT NULL,
  idx INTEGER NOT NULL,
  algorithm TEXT NOT NULL,                     -- the same for all vouchers of one file
  said TEXT NOT NULL DEFAULT '',               -- sha-256=HEX, once the checksum file is there and names it
  found TEXT NOT NULL DEFAULT '',              -- sha-256=HEX, once the file is there
  PRIMARY KEY (reg_id, by_idx, idx)
) STRICT, WITHOUT ROWID;
CREATE INDEX voucher_of ON voucher (reg_id, idx);

-- 1: was never what it should be, and does not go to the trash.
ALTER TABLE file_gc ADD COLUMN outright INTEGER NOT NULL DEFAULT 0;
