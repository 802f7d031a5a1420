-- Whose turn it is, and how much of one registration at once.
--
-- Ranks move apart, so that one more fits between two of them. What is runnable is found by its owner: owners take turns,
-- and one that has a hundred thousand waiting is not read through on the way to another.
ALTER TABLE registration ADD COLUMN parallel INTEGER NOT NULL DEFAULT 0;  -- requests active at once; 0: no limit of its own
UPDATE registration SET lane_rank = lane_rank * 1048576;
DROP INDEX reg_runnable;
CREATE INDEX reg_runnable ON registration (priority, owner_id, lane_rank, reg_id)
  WHERE active = 1 AND paused = 0 AND n_pending > 0 AND (parallel = 0 OR n_active < parallel);
