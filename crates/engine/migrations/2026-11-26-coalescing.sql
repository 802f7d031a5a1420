-- What a program asks for again within a minute is found by all of what it asks for, and not by its address alone.
ALTER TABLE asked_lately RENAME COLUMN address TO content;
