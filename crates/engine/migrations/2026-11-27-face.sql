-- What people see of a registration: a description beside the title, and several icons of different sizes.
ALTER TABLE face ADD COLUMN description TEXT NOT NULL DEFAULT '';
ALTER TABLE face ADD COLUMN icons TEXT NOT NULL DEFAULT '[]';             -- JSON: src, sizes, type, label of each, in their order
UPDATE face SET icons = json_array(json_object('src', icon)) WHERE icon IS NOT NULL;
ALTER TABLE face DROP COLUMN icon;
