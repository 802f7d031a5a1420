-- A file that is there already, and right, is not fetched again.
ALTER TABLE expectation ADD COLUMN skip_existing INTEGER NOT NULL DEFAULT 0;
