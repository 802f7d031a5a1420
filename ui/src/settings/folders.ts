// Maps a file category to the setting for its folder. Settings, Add dialog and command line all use this mapping.
// [pure]
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
