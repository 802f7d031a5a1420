// Icons of the file categories. The engine decides the category.
import { File, FileArchive, FileImage, FileMusic, FilePlay, FileText, type IconNode, Package } from 'lucide'

import type { Category } from '../../api/api'

export const KINDS: { [category in Category]: IconNode } = {
  video: FilePlay,
  music: FileMusic,
  picture: FileImage,
  document: FileText,
  archive: FileArchive,
  program: Package,
  other: File,
}
