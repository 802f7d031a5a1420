// Maps a file category to the setting of its folder. Shared by settings, Add dialog and command line, so that all
// agree. [pure]
import type { Category, SettingKey } from '../api/api'

/** Setting of each category's folder; null for the category `other`, which uses the general folder. */
export const FOLDER_SETTING: { readonly [category in Category]: SettingKey | null } = {
  video: 'folder-video',
  music: 'folder-audio',
  picture: 'folder-pictures',
  document: 'folder-documents',
  archive: 'folder-archives',
  program: 'folder-programs',
  other: null,
}
