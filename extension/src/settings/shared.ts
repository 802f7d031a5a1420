// Makes the settings of the extension follow the rules in the settings of Ashore, and the reverse.
//
// - Ashore stores the rules, so that its window and every browser show the same rules. The extension decides by its own
//   copy.
// - A change in the extension is sent as soon as Ashore runs. Until then, it takes precedence over a change in Ashore.
import type { Host } from '../host/host'
import type { Memory } from './memory'
import { changesOf, type Settings, withChange, withRules } from './settings'

/** Changes settings, and sends the change to Ashore. Resolves when the change is stored and Ashore has answered. */
export async function changeSettings(memory: Memory, host: Host, how: (settings: Settings) => Settings): Promise<void> {
  await memory.settings.update((before) => withChange(before, how(before)))
  await shareSettings(memory, host)
}

/**
 * Exchanges the rules with Ashore. Resolves to false if the settings stayed the same, for example because Ashore does not
 * run.
 */
export async function shareSettings(memory: Memory, host: Host): Promise<boolean> {
  const sent = await memory.settings.get()
  const rules = await host.rules(changesOf(sent))
  if (rules === null) return false
  let before = sent
  const after = await memory.settings.update((now) => withRules((before = now), sent, rules))
  return after !== before
}
