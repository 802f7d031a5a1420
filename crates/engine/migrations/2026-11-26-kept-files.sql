-- Why a file could not be unlinked or moved to the trash; null where nobody has tried yet.
ALTER TABLE file_gc ADD COLUMN why TEXT;
