-- Messages are data: a code, and beside it the variant and the arguments of its sentence, as JSON. Rows of before keep
-- their sentence.
ALTER TABLE attempt RENAME COLUMN text TO detail;
UPDATE attempt SET detail = json_object('text', detail);
ALTER TABLE registration RENAME COLUMN trouble_text TO trouble_detail;
UPDATE registration SET trouble_detail = json_object('text', trouble_detail) WHERE trouble_detail <> '';
