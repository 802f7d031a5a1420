// Starts a headless browser with a profile of its own, and opens pages of a given size and colour scheme.
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import puppeteer from 'puppeteer-core'

const PROGRAMS = {
  chromium: ['/usr/lib/chromium/chromium', '/usr/bin/chromium', '/usr/bin/chromium-browser'],
  firefox: ['/usr/lib/firefox-esr/firefox-esr', '/usr/bin/firefox-esr', '/usr/bin/firefox'],
}

export const SIZES = { phone: [360, 640], window: [1000, 680], screen: [1440, 900] }

/** Resolves with the first result of `check` that is true. Fails after 15 s. */
export async function until(check, what = check.toString()) {
  const end = Date.now() + 15_000
  for (;;) {
    const result = await Promise.resolve()
      .then(check)
      .catch(() => false)
    if (result) return result
    if (Date.now() > end) throw new Error(`This did not happen within 15 s: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

export async function startBrowser(family = 'chromium') {
  const folder = mkdtempSync(join(tmpdir(), 'ashore-page-'))
  const downloads = join(folder, 'downloads')
  const isChromium = family === 'chromium'
  const browser = await puppeteer.launch({
    browser: isChromium ? 'chrome' : 'firefox',
    executablePath: PROGRAMS[family].find((path) => existsSync(path)),
    headless: true,
    defaultViewport: null,
    userDataDir: join(folder, 'profile'),
    ...(isChromium
      ? {
          pipe: true,
          args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--lang=en-US'],
        }
      : {
          extraPrefsFirefox: {
            'intl.locale.requested': 'en-US',
            'browser.download.folderList': 2,
            'browser.download.dir': downloads,
          },
        }),
  })
  return {
    downloads,
    /** Opens `url` in a new profile, which contains no session and no storage of another page. */
    async open(url, { size = 'window', scheme = 'light' } = {}) {
      const context = await browser.createBrowserContext(
        isChromium ? { downloadBehavior: { policy: 'allow', downloadPath: downloads } } : {},
      )
      const page = await context.newPage()
      const [width, height] = SIZES[size]
      await page.setViewport({
        width,
        height,
        hasTouch: isChromium && size === 'phone',
        isMobile: isChromium && size === 'phone',
      })
      if (isChromium) await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }])
      const faults = []
      page.on('pageerror', (error) => faults.push(String(error)))
      page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
      await page.goto(url)
      return Object.assign(page, { faults })
    },
    async stop() {
      await browser.close()
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

export const at = (testid) => `[data-testid="${testid}"]`

/** Waits for the element, and clicks on it as a user does. */
export async function click(page, testid) {
  const element = await page.waitForSelector(at(testid), { visible: true, timeout: 15_000 })
  await element.click()
}

export async function type(page, testid, text) {
  const element = await page.waitForSelector(at(testid), { visible: true, timeout: 15_000 })
  await element.type(text)
}

export async function signIn(page, token) {
  await type(page, 'sign-in-token', token)
  await click(page, 'sign-in-submit')
  await page.waitForSelector(at('list'), { timeout: 15_000 })
}
