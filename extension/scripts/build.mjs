// Builds the extension into `dist/extension`, and packs that folder into `dist/ashore.zip` and `dist/ashore.xpi`.
//
//   node scripts/build.mjs          everything
//   node scripts/build.mjs --texts  only checks that every text can be generated
//
// The packages are reproducible: one tree, sorted names, fixed times, and a compressor written in JavaScript, because the
// output of zlib depends on the version of Node.js and on the processor.
import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { zipSync } from 'fflate'
import { textsOf, TAGS } from './texts.mjs'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const dist = process.env.ASHORE_EXTENSION_DIST ?? join(root, 'dist')
const tree = join(dist, 'extension')
/** `--texts` reads the catalogues, and fails if a message has no form in `messages.json`. */
const texts = TAGS.map((tag) => [tag, textsOf(tag)])
if (process.argv.includes('--texts')) process.exit(0)

/** Pages of the extension. Each has a script and a style of its own. */
const PAGES = ['popup', 'options', 'welcome']

rmSync(dist, { recursive: true, force: true })
mkdirSync(join(tree, 'icons'), { recursive: true })
await build({
  absWorkingDir: root,
  entryPoints: ['background', 'clicks/page', ...PAGES.map((name) => `pages/${name}`)].map((name) => `src/${name}.ts`),
  outdir: tree,
  entryNames: '[name]',
  bundle: true,
  format: 'iife',
  // The oldest browsers that the manifest accepts.
  target: ['chrome123', 'firefox142'],
  // Names stay readable, because the reviewers of the stores read the code.
  minifySyntax: true,
  legalComments: 'none',
  charset: 'utf8',
  logLevel: 'warning',
})
cpSync(join(root, 'static'), tree, { recursive: true })
const page = readFileSync(join(root, 'src/pages/page.html'), 'utf8')
for (const name of PAGES) writeFileSync(join(tree, `${name}.html`), page.replaceAll('PAGE', name))
writeFileSync(join(tree, 'tokens.css'), tokens())
copyFileSync(join(root, 'manifest.json'), join(tree, 'manifest.json'))
for (const size of [32, 128]) copyFileSync(join(root, `../icons/${size}x${size}.png`), join(tree, `icons/${size}.png`))
for (const [tag, messages] of texts) {
  // Chromium and Firefox write the language tags in their folder names with an underscore.
  const folder = join(tree, '_locales', tag.replace('-', '_'))
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'messages.json'), `${JSON.stringify(messages, null, 1)}\n`)
}

const paths = readdirSync(tree, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => relative(tree, join(entry.parentPath, entry.name)))
  .sort()
// The zip format stores local time. The earliest day that it can store is the same in every time zone.
const mtime = new Date(1980, 0, 1)
const files = Object.fromEntries(
  paths.map((path) => [path, [readFileSync(join(tree, path)), { mtime, os: 3, attrs: 0o644 << 16 }]]),
)
const packed = zipSync(files, { level: 9 })
for (const name of ['ashore.zip', 'ashore.xpi']) writeFileSync(join(dist, name), packed)
console.log(`${relative(process.cwd(), dist)}/ashore.zip and ashore.xpi: ${paths.length} files, ${packed.length} bytes`)

/**
 * Returns the colours of Ashore's window, so that the extension looks like the window.
 *
 * The colours are the first rules of the window's style sheet.
 */
function tokens() {
  const sheet = readFileSync(join(root, '../ui/src/styles/app.css'), 'utf8')
  const [start, end] = [sheet.indexOf(':root {'), sheet.indexOf('@media (forced-colors: active)')]
  if (start < 0 || end < start) throw new Error('ui/src/styles/app.css has no rules of colours where the extension reads them.')
  return sheet.slice(start, end)
}
