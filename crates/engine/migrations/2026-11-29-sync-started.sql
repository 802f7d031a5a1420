-- Whether the registration received a successful response since its home moved to this machine or since it was reopened.
-- Until then, another machine that still has a partial of this download must keep it.
ALTER TABLE sync_mark ADD COLUMN started INTEGER NOT NULL DEFAULT 0;
UPDATE sync_mark SET started = 1 WHERE EXISTS (
  SELECT 1 FROM response_head h WHERE h.reg_id = sync_mark.reg_id AND h.status BETWEEN 200 AND 299);
