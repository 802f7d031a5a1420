// Starts Chromium and Firefox with the extension, a temporary profile and a temporary home folder.
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import puppeteer from 'puppeteer-core'
import { startScreen } from './screen.mjs'

const here = dirname(fileURLToPath(import.meta.url))
const root = resolve(here, '../..')
const IDS = JSON.parse(readFileSync(join(root, 'ids.json'), 'utf8'))
const HOST = 'com.ashore.browser'
/** Part of the extension's address in Firefox. This part is random unless the profile sets it. */
const FIREFOX_UUID = '5c0a3c52-9a4e-4d0a-8b1e-0a5d0f3f7c11'

export const PROGRAMS = {
  chromium: ['/usr/lib/chromium/chromium', '/usr/bin/chromium', '/usr/bin/chromium-browser'].find((path) => existsSync(path)),
  firefox: ['/usr/lib/firefox-esr/firefox-esr', '/usr/bin/firefox-esr', '/usr/bin/firefox'].find((path) => existsSync(path)),
}

/** Longest wait between two checks, in milliseconds. */
const POLLED = 160

/**
 * Resolves with the first result of `check` that is true. Fails after 20 s, so that a test ends. Each wait between two
 * checks is longer than the one before, because a check can be work for a browser and several browsers share the processors.
 */
export async function until(check, what = check.toString(), limit = 20_000) {
  const end = Date.now() + limit
  for (let pause = 20; ; pause = Math.min(pause * 1.5, POLLED)) {
    const result = await Promise.race([
      Promise.resolve()
        .then(check)
        .catch(() => false),
      new Promise((resolve) => setTimeout(resolve, 2000, false)),
    ])
    if (result) return result
    if (Date.now() > end) throw new Error(`This did not happen within ${limit / 1000} s: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
}

/**
 * Removes a folder. Tries again if this fails, because processes of a browser that has just ended can still write into their
 * profile.
 */
export const removeFolder = (folder) =>
  until(() => (rmSync(folder, { recursive: true, force: true }), true), `${folder} is removed`)

/**
 * Copies the built extension. With `hasAccess`, it has from the start the permissions that a person would grant on the first
 * page.
 */
function extensionFor(folder, hasAccess) {
  const copy = join(folder, 'extension')
  cpSync(join(root, 'dist/extension'), copy, { recursive: true })
  // A page for the test that, unlike the pages of the extension, does nothing.
  writeFileSync(join(copy, 'inspector.html'), '<!doctype html><title>Inspector</title>')
  if (!hasAccess) return copy
  const path = join(copy, 'manifest.json')
  const { optional_permissions, optional_host_permissions, ...manifest } = JSON.parse(readFileSync(path, 'utf8'))
  const permissions = [...manifest.permissions, ...optional_permissions]
  writeFileSync(path, JSON.stringify({ ...manifest, permissions, host_permissions: optional_host_permissions }))
  return copy
}

/** Writes the manifest of the native host. `program` is the whole command line. */
export function connectHost(session, program) {
  const wrapper = join(session.folder, 'host')
  rmSync(wrapper, { force: true })
  if (program === null) return rmSync(session.hostManifest, { force: true })
  writeFileSync(wrapper, `#!/bin/sh\nexec ${program.map((part) => `'${part}'`).join(' ')} "$@"\n`)
  chmodSync(wrapper, 0o755)
  const caller =
    session.family === 'chromium'
      ? { allowed_origins: [`chrome-extension://${IDS.chromium}/`] }
      : { allowed_extensions: [IDS.gecko] }
  mkdirSync(dirname(session.hostManifest), { recursive: true })
  writeFileSync(
    session.hostManifest,
    JSON.stringify({ name: HOST, description: 'Ashore', path: wrapper, type: 'stdio', ...caller }),
  )
}

/** Returns the command line of the stand-in for the native host. */
export const relayTo = (socket) => [process.execPath, join(here, 'relay.mjs'), socket]

/** Returns the path of `program`, or of a script that starts it without access to the folders `hidden` and to the session bus. */
function inSandbox(program, folder, hidden) {
  if (hidden.length === 0) return program
  const script = join(folder, 'sandbox')
  const empty = hidden.map((path) => `--tmpfs '${path}'`).join(' ')
  writeFileSync(
    script,
    `#!/bin/sh\nexec bwrap --die-with-parent --dev-bind / / --unsetenv DBUS_SESSION_BUS_ADDRESS ${empty} '${program}' "$@"\n`,
  )
  chmodSync(script, 0o755)
  return script
}

const CHROMIUM_PREFERENCES = (downloads) => ({
  download: { default_directory: downloads, prompt_for_download: false, directory_upgrade: true },
  // Without this setting, a download waits indefinitely for the verdict of a Safe Browsing server.
  safebrowsing: { enabled: false },
})

const FIREFOX_PREFERENCES = (downloads) => ({
  'browser.download.folderList': 2,
  'browser.download.dir': downloads,
  'browser.download.useDownloadDir': true,
  'browser.download.always_ask_before_handling_new_types': false,
  'browser.download.alwaysOpenPanel': false,
  'browser.safebrowsing.downloads.enabled': false,
  'extensions.webextensions.uuids': JSON.stringify({ [IDS.gecko]: FIREFOX_UUID }),
  'extensions.webextOptionalPermissionPrompts': false,
  'extensions.privatebrowsing.notification': false,
  'network.proxy.type': 0,
  'privacy.userContext.enabled': true,
  // The remote agent sets this delay to 0. With that value, a window that waits for a tab to become unloadable checks
  // the tab 10,000 times a second, and never stops. This value is Firefox's own default.
  'browser.tabs.remote.unloadDelayMs': 300,
  // The cases open hundreds of pages, and Firefox would start a process in advance for each of them.
  'dom.ipc.processPrelaunch.enabled': false,
})

/**
 * Starts a browser of `family` in `folder`. The returned session contains the path of its download folder and can open pages
 * of the extension. Its `stop` ends the browser and everything that the browser started. With `hasScreen`, the browser has
 * windows on a virtual screen.
 */
export async function startBrowser(
  family,
  folder,
  {
    hasAccess = true,
    language = 'en-US',
    preferences = {},
    arguments: extra = [],
    otherExtensions = [],
    before = () => {},
    hidden = [],
    hasScreen = false,
  } = {},
) {
  const home = join(folder, 'home')
  const downloads = join(folder, 'downloads')
  const profile = join(folder, 'profile')
  for (const path of [home, downloads, profile]) mkdirSync(path, { recursive: true })
  const extension = extensionFor(folder, hasAccess)
  const isChromium = family === 'chromium'
  const hostManifest = isChromium
    ? join(profile, `NativeMessagingHosts/${HOST}.json`)
    : join(home, `.mozilla/native-messaging-hosts/${HOST}.json`)
  const session = { family, folder, home, downloads, hostManifest, profile, otherExtensions }
  before(session)
  const env = {
    ...process.env,
    HOME: home,
    XDG_CONFIG_HOME: join(home, '.config'),
    LANGUAGE: language.replace('-', '_'),
    MOZ_REMOTE_SETTINGS_DEVTOOLS: '1',
  }
  delete env.DISPLAY
  const screen = hasScreen ? await startScreen() : null
  if (screen !== null) env.DISPLAY = screen.display
  if (isChromium) {
    mkdirSync(join(profile, 'Default'), { recursive: true })
    writeFileSync(join(profile, 'Default/Preferences'), JSON.stringify({ ...CHROMIUM_PREFERENCES(downloads), ...preferences }))
  }
  const browser = await puppeteer.launch({
    browser: isChromium ? 'chrome' : 'firefox',
    executablePath: inSandbox(PROGRAMS[family], folder, hidden),
    headless: screen === null,
    // The certificate authority of the test servers is new in each run.
    acceptInsecureCerts: true,
    ...(isChromium ? { pipe: true } : { args: ['--remote-allow-system-access'] }),
    userDataDir: profile,
    env,
    defaultViewport: null,
    ...(isChromium
      ? {
          enableExtensions: [extension, ...otherExtensions],
          args: [
            '--no-sandbox',
            '--disable-gpu',
            '--no-first-run',
            '--disable-background-networking',
            `--lang=${language}`,
            ...extra,
          ],
        }
      : { extraPrefsFirefox: { ...FIREFOX_PREFERENCES(downloads), 'intl.locale.requested': language, ...preferences } }),
  })
  if (!isChromium) for (const one of [extension, ...otherExtensions]) await browser.installExtension(one)
  // Wait for the first page, which comes to the front after the installation. A page behind it would draw nothing and
  // could not be clicked.
  const first = isChromium && (await browser.waitForTarget((target) => target.url().endsWith('/welcome.html')))
  if (first) await (await first.page())?.close()
  const origin = isChromium ? `chrome-extension://${IDS.chromium}` : `moz-extension://${FIREFOX_UUID}`
  return Object.assign(session, {
    browser,
    screen,
    origin,
    /** Opens a page. A new browser context is a container in Firefox, and a private window in Chromium. */
    open: async (path, isNewContext = false) => {
      const downloadBehavior = { policy: 'allow', downloadPath: downloads }
      const context = isNewContext ? await browser.createBrowserContext(isChromium ? { downloadBehavior } : {}) : browser
      const page = await context.newPage()
      const isOwn = !path.includes('://')
      if (!isOwn || isChromium) {
        await page.goto(isOwn ? `${origin}/${path}` : path)
        return page
      }
      // Firefox does not report when a page of an extension is loaded, because the page moves to another process.
      void page.goto(`${origin}/${path}`).catch(() => undefined)
      await until(() =>
        page.evaluate((href) => location.href === href && document.readyState === 'complete', `${origin}/${path}`),
      )
      return page
    },
    files: () => readdirSync(downloads).sort(),
    stop: async () => {
      await browser.close().catch(() => undefined)
      screen?.stop()
      await removeFolder(folder)
    },
  })
}
