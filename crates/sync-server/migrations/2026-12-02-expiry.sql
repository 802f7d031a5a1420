-- Expired objects of one user, oldest first, for the purge and the quota.
CREATE INDEX bsos_user_expiry_idx ON bsos (user_id, expiry, collection_id) WHERE expiry IS NOT NULL;
