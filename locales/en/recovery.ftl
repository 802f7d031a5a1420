# A damaged list that was restored, and partial files that belong to no download.

recovery-restored = The list was damaged and was restored from the copy of { $moment }. Downloads added since then may be missing. Downloads removed since then may be back.
recovery-begun = The list was damaged, and there was no copy of it. A new list was created.
recovery-found-again = Recovered from partial files and resumed: { $names }
recovery-kept = The damaged list is kept as { $path }.
recovery-ahead = The list is damaged. Close { -ashore } and start it again to restore the newest copy of the list.
recovery-seen = OK
recovery-orphans = The download folders contain partial files without a download in the list: { $names }
recovery-adopt = Resume them
recovery-later = Not now
recovery-kept-files = These files of removed downloads could not be moved to the trash. Move them there yourself, or start { -ashore } again to retry.
