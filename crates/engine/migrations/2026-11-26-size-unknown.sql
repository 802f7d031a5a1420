-- Finds out with one lookup whether a registration has a file whose size nobody stated: most have none.
CREATE INDEX done_unmeasured ON response_done (reg_id) WHERE verified = 3;
