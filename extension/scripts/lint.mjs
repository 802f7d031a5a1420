// Checks the package with addons-linter, which the store of Firefox also uses. Fails on every unexpected message.
import { execFileSync } from 'node:child_process'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
/**
 * Expected messages.
 *
 * The same source serves both browser families. Firefox therefore gets a property and a name that only Chromium knows, and
 * ignores them.
 */
const EXPECTED = new Set([
  'BACKGROUND_SERVICE_WORKER_IGNORED',
  'UNSUPPORTED_API: downloads.onDeterminingFilename is not supported',
])

function run() {
  const [linter, file] = [join(root, 'node_modules/.bin/addons-linter'), join(root, 'dist/ashore.xpi')]
  try {
    return execFileSync(linter, ['--output', 'json', file], { encoding: 'utf8' })
  } catch (error) {
    // If there are errors, the linter exits with status 1, but its output still contains them.
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
