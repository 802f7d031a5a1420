-- What the file system of a finished file could not promise, as a sum: 1 permissions, 2 sync, 4 sync of the folder, 8 exclusive name,
-- 16 complete at once under its name.
ALTER TABLE response_done ADD COLUMN missing INTEGER NOT NULL DEFAULT 0;
