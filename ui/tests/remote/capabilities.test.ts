import { expect, test } from 'vitest'

import { REMOTE_CAPABILITIES, WINDOW_CAPABILITIES } from '../../src/api/capabilities'
import { type Step, possibleStep } from '../../src/i18n/phase'
import { pretendSettings } from '../../src/mock/settings'
import { isPossible } from '../../src/settings/possible-settings'
import { registration } from '../registration'

const STEPS: readonly Step[] = ['pause', 'anyway', 'space', 'retry', 'folder', 'open', 'show', 'remove']

test('the window offers every next step unchanged', () => {
  for (const step of STEPS) expect(possibleStep(step, registration(), WINDOW_CAPABILITIES)).toBe(step)
})

test('a page without access to the desktop replaces steps that need it by equivalent ones', () => {
  const [running, failed] = [registration({ state: 'waiting' }), registration({ state: 'settled' })]
  const stepsOf = (one: typeof running): Step[] => STEPS.map((step) => possibleStep(step, one, REMOTE_CAPABILITIES))
  expect(stepsOf(running)).toEqual(['pause', 'anyway', 'pause', 'retry', 'folder', 'save', 'files', 'remove'])
  expect(stepsOf(failed)[2]).toBe('retry')
})

test('a page without access to the desktop hides the settings for the desktop and the browsers', () => {
  const { settings } = pretendSettings(false)
  const hidden = settings.filter((setting) => !isPossible(setting, REMOTE_CAPABILITIES)).map(({ key }) => key)
  expect(hidden).toEqual(
    expect.arrayContaining(['close-to-tray', 'start-at-login', 'offer-copied-links', 'quiet-hours', 'browser-channel']),
  )
  expect(hidden).not.toContain('folder')
  expect(settings.filter((setting) => !isPossible(setting, WINDOW_CAPABILITIES))).toEqual([])
})
