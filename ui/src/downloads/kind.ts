// Which picture stands for a kind of file. What kind a file is, the engine says.
import File from '@lucide/svelte/icons/file'
import FileArchive from '@lucide/svelte/icons/file-archive'
import FileImage from '@lucide/svelte/icons/file-image'
import FileMusic from '@lucide/svelte/icons/file-music'
import FilePlay from '@lucide/svelte/icons/file-play'
import FileText from '@lucide/svelte/icons/file-text'
import Package from '@lucide/svelte/icons/package'

import type { Category } from '../api/api'

export const KINDS: { [category in Category]: typeof File } = {
  video: FilePlay,
  music: FileMusic,
  picture: FileImage,
  document: FileText,
  archive: FileArchive,
  program: Package,
  other: File,
}
