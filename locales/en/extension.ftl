# The extension of the browser: its popup, settings page, first page and menu entries.

extension-name = { -ashore }: download manager
extension-description = Hands downloads of the browser over to { -ashore }. The browser keeps each download until { -ashore } holds the file.
