import { expect, test } from 'vitest'

import type { BrowserReport } from '../../src/api/browsers-api'
import { inEnglish } from '../../src/i18n/engine-messages'
import { PretendedBrowsers } from '../../src/mock/browsers'
import { buttonOf, stateName } from '../../src/settings/browser-labels'

const report = (others: Partial<BrowserReport>): BrowserReport => ({
  name: 'firefox',
  title: 'Firefox',
  state: 'connected',
  manifest: null,
  program: '/usr/bin/ashore-browser',
  is_of_package: false,
  fault: null,
  ...others,
})
const fault = inEnglish('browser-manifest.program', { path: '/usr/bin/ashore-browser' })

test.each<[string, Partial<BrowserReport>, string, 'connect' | 'disconnect' | null]>([
  ['a connection of the user', {}, 'Connected', 'disconnect'],
  ['a connection of a package', { is_of_package: true }, 'Connected by the Ashore package', null],
  ['no connection', { state: 'not-connected', program: null }, 'Not connected', 'connect'],
])('%s has its state and its button', (_, others, state, button) => {
  expect([stateName(report(others)), buttonOf(report(others))]).toEqual([state, button])
})

test('a broken connection to a browser can be repaired, even if a package installed it', () => {
  expect(buttonOf(report({ fault }))).toBe('connect')
  expect(buttonOf(report({ fault, is_of_package: true }))).toBe('connect')
})

test('a connection file of another program has no button', () => {
  expect(buttonOf(report({ state: 'foreign', program: null, fault }))).toBeNull()
})

test('the buttons change the state of the simulated browsers', async () => {
  const browsers = new PretendedBrowsers({ answer: async () => undefined, parameters: new URLSearchParams() })
  const state = async (name: string) => (await browsers.browsers()).find((one) => one.name === name)
  await browsers.connectBrowser('firefox', true)
  expect(await state('firefox')).toMatchObject({ state: 'connected', fault: null })
  await browsers.connectBrowser('firefox', false)
  expect(await state('firefox')).toMatchObject({ state: 'not-connected', program: null })
})
