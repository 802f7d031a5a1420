// Selects the settings that a page can offer. [pure]
import type { Setting, SettingKey } from '../api/api'
import type { Capabilities } from '../api/capabilities'

/** Settings of the desktop program: its window, tray, clipboard and notifications. */
const OF_DESKTOP: readonly SettingKey[] = ['close-to-tray', 'start-at-login', 'offer-copied-links']

/** Whether the setting has an effect that concerns the user of this page. */
export function isPossible({ key, group }: Setting, can: Pick<Capabilities, 'connectBrowsers' | 'useDesktop'>): boolean {
  if (group === 'browsers') return can.connectBrowsers
  return can.useDesktop || (group !== 'notifications' && !OF_DESKTOP.includes(key))
}
