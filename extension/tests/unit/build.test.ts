import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHash } from 'node:crypto'
import { unzipSync } from 'fflate'
import { afterAll, describe, expect, it } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'ashore-build-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function build(name: string, TZ: string, umask: string): string {
  const dist = join(folder, name)
  const env = { ...process.env, TZ, ASHORE_EXTENSION_DIST: dist }
  execFileSync('sh', ['-c', `umask ${umask} && exec "$0" scripts/build.mjs`, process.execPath], { env })
  return dist
}

const sum = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex')

describe('packages', () => {
  const [one, other] = [build('one', 'UTC', '022'), build('other', 'Asia/Kolkata', '077')]

  it('builds_in_two_environments_are_equal', () => {
    expect(sum(join(one, 'ashore.zip'))).toBe(sum(join(other, 'ashore.zip')))
    expect(sum(join(one, 'ashore.xpi'))).toBe(sum(join(one, 'ashore.zip')))
  })

  it('package_has_at_most_120_kilobytes', () => {
    expect(statSync(join(one, 'ashore.xpi')).size).toBeLessThanOrEqual(120_000)
  })

  it('package_contains_every_file_to_which_its_manifest_and_pages_refer', () => {
    const files = new Map(Object.entries(unzipSync(readFileSync(join(one, 'ashore.xpi')))))
    const texts = [...files]
      .filter(([path]) => /^manifest\.json$|\.html$/.test(path))
      .map(([, bytes]) => Buffer.from(bytes).toString())
    const named = texts.flatMap((text) => [...text.matchAll(/"([\w/.]+\.(?:js|css|html|png))"/g)].map(([, path]) => path!))
    expect(named.length).toBeGreaterThan(8)
    for (const path of named) expect(files.has(path), path).toBe(true)
  })

  it('code_runs_no_remote_or_generated_code', () => {
    const files = Object.entries(unzipSync(readFileSync(join(one, 'ashore.xpi')))).filter(([path]) => /\.(js|html)$/.test(path))
    for (const [path, bytes] of files) {
      expect(Buffer.from(bytes).toString(), path).not.toMatch(
        /\beval\(|new Function|\bimport\(|importScripts|innerHTML|src="https?:/,
      )
    }
  })
})

describe('ids.json', () => {
  it('chromium_extension_id_is_derived_from_the_key_in_the_manifest', () => {
    const { key, browser_specific_settings: settings } = JSON.parse(readFileSync('manifest.json', 'utf8'))
    const digest = createHash('sha256').update(Buffer.from(key, 'base64')).digest('hex').slice(0, 32)
    const chromium = [...digest].map((digit) => String.fromCharCode(97 + parseInt(digit, 16))).join('')
    expect(JSON.parse(readFileSync('ids.json', 'utf8'))).toEqual({ chromium, gecko: settings.gecko.id })
  })

  it('version_is_the_same_in_manifest_and_package', () => {
    const version = (path: string): string => JSON.parse(readFileSync(path, 'utf8')).version
    expect(version('manifest.json')).toBe(version('package.json'))
  })
})
