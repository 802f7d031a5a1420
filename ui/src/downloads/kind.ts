// Which picture stands for a file, by the ending of its name.
import File from '@lucide/svelte/icons/file'
import FileArchive from '@lucide/svelte/icons/file-archive'
import FileImage from '@lucide/svelte/icons/file-image'
import FileMusic from '@lucide/svelte/icons/file-music'
import FilePlay from '@lucide/svelte/icons/file-play'
import FileText from '@lucide/svelte/icons/file-text'
import Disc from '@lucide/svelte/icons/disc-3'
import Package from '@lucide/svelte/icons/package'

const KINDS = [
  [FilePlay, 'mp4 mkv webm mov avi m4v mpg mpeg ts ogv'],
  [FileMusic, 'mp3 flac ogg opus wav m4a aac wma aiff'],
  [FileImage, 'png jpg jpeg gif webp avif svg tif tiff bmp heic raw cr2 psd'],
  [FileArchive, 'zip gz tgz xz bz2 zst 7z rar tar lz lzma'],
  [FileText, 'pdf txt md doc docx odt rtf epub mobi tex html htm csv json xml ods xls xlsx ppt pptx odp'],
  [Disc, 'iso img dmg qcow2 vmdk'],
  [Package, 'deb rpm appimage flatpak snap exe msi apk jar'],
] as const

const byEnding = new Map(KINDS.flatMap(([icon, endings]) => endings.split(' ').map((ending) => [ending, icon] as const)))

export function kindOf(name: string): typeof File {
  const ending = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase()
  return (ending && byEnding.get(ending)) || File
}
