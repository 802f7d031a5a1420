-- Finds the record of a collection that the server stored last, without a read of the whole collection.
CREATE INDEX sync_record_modified ON sync_record (collection, modified) WHERE modified > 0;
