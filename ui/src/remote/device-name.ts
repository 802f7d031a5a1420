// Browser and system of this device, as a proposal for its name. [pure]

/** Names in the order of the tests. A browser that pretends to be another browser comes before that browser. */
const BROWSERS: readonly [pattern: RegExp, name: string][] = [
  [/Edg(?:e|A|iOS)?\//, 'Edge'],
  [/OPR\/|Opera/, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\/|Chromium\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]

const SYSTEMS: readonly [pattern: RegExp, name: string][] = [
  [/Android/, 'Android'],
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/CrOS/, 'ChromeOS'],
  [/Windows/, 'Windows'],
  [/Macintosh|Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
]

/** Names of the browser and the system according to a `User-Agent`; null for an unknown browser or system. */
export function deviceOf(userAgent: string): { browser: string; system: string } | null {
  const named = (names: typeof BROWSERS): string | undefined => names.find(([pattern]) => pattern.test(userAgent))?.[1]
  const [browser, system] = [named(BROWSERS), named(SYSTEMS)]
  return browser === undefined || system === undefined ? null : { browser, system }
}
