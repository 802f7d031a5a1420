# A list that was damaged and is restored, and partial files that nothing in the list knows.

recovery-restored = The list was damaged. It was restored from the copy of { $moment }. What was added later may be missing, and what was removed later may be back.
recovery-begun = The list was damaged, and there was no copy of it. A new one was begun.
recovery-found-again = Found again by their partial files, and going on: { $names }
recovery-kept = The damaged list is kept as { $path }.
recovery-ahead = The list is damaged. Close { -ashore } and start it again: it is then restored from its newest copy.
recovery-seen = All right
recovery-orphans = The download folders have partial files that nothing in the list knows: { $names }
recovery-adopt = Go on with them
recovery-later = Not now
recovery-kept-files = These files of removed downloads could not be moved to the trash. Move them there yourself, or start { -ashore } again to retry.
