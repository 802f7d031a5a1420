-- Origin of a link that a browser handed over, so that a later click can replace the link after it has expired. These
-- columns are neither exported nor synced.
ALTER TABLE given ADD COLUMN page TEXT NOT NULL DEFAULT '';      -- page with the link
ALTER TABLE given ADD COLUMN first_url TEXT NOT NULL DEFAULT ''; -- address of the link before redirects
ALTER TABLE given ADD COLUMN click_id TEXT NOT NULL DEFAULT '';  -- developer_id of the click that replaced the link
CREATE INDEX given_click ON given (click_id) WHERE click_id <> '';
