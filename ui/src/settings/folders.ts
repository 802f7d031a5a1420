// Which setting says where files of a kind go. It is the one place that remembers it, so that the settings, the Add dialog and
// the command line agree. [pure]
import type { Category, SettingKey } from '../api/api'

/** Null for what is of no kind: its folder is that of all the others. */
export const FOLDER_SETTING: { readonly [category in Category]: SettingKey | null } = {
  video: 'folder-video',
  music: 'folder-audio',
  picture: 'folder-pictures',
  document: 'folder-documents',
  archive: 'folder-archives',
  program: 'folder-programs',
  other: null,
}
