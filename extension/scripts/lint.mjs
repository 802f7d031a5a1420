// Runs addons-linter, which the store of Firefox runs too, on the package. Fails on every message that is not expected.
import { execFileSync } from 'node:child_process'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
/** One source serves both families, so Firefox gets a property and a name of Chromium that it ignores. */
const EXPECTED = new Set([
  'BACKGROUND_SERVICE_WORKER_IGNORED',
  'UNSUPPORTED_API: downloads.onDeterminingFilename is not supported',
])

function run() {
  const [linter, file] = [join(root, 'node_modules/.bin/addons-linter'), join(root, 'dist/ashore.xpi')]
  try {
    return execFileSync(linter, ['--output', 'json', file], { encoding: 'utf8' })
  } catch (error) {
    // The linter also reports errors in its output, and ends with 1.
    return error.stdout
  }
}

const { errors, warnings, notices } = JSON.parse(run())
const unexpected = [...errors, ...warnings, ...notices].filter(
  ({ code, message }) => !EXPECTED.has(code) && !EXPECTED.has(`${code}: ${message.replaceAll(/\s+/g, ' ')}`),
)
for (const { _type, code, message, file, line } of unexpected) console.error(`${_type} ${code}: ${message} (${file}:${line})`)
console.log(`addons-linter: ${unexpected.length} problems`)
process.exit(Math.min(unexpected.length, 1))
