// Downloads of other machines: groups, descriptions of states, and possible actions. [pure, except for the language]
import type { RemoteChange, RemoteDownload } from '../api/sync-api'
import { clause } from '../i18n/engine-messages'
import { say } from '../i18n/i18n.svelte'

export interface MachineGroup {
  device: string
  name: string
  downloads: readonly RemoteDownload[]
}

/** Groups downloads by machine, in the order of the machines' names. */
export function byMachine(downloads: readonly RemoteDownload[]): MachineGroup[] {
  const groups = new Map<string, RemoteDownload[]>()
  for (const download of downloads) {
    const group = groups.get(download.device)
    if (group === undefined) groups.set(download.device, [download])
    else group.push(download)
  }
  return [...groups]
    .map(([device, downloads]) => ({ device, name: downloads[0]!.device_name, downloads }))
    .sort((one, other) => one.name.localeCompare(other.name) || one.device.localeCompare(other.device))
}

export function stateText({ state, device_name: machine, failure }: RemoteDownload): string {
  switch (state) {
    case 'running':
      return say('others.running', { machine })
    case 'paused':
      return say('others.paused', { machine })
    case 'done':
      return say('others.done', { machine })
    case 'failed':
      return failure === null ? say('others.failed-plain', { machine }) : say('others.failed', { machine, why: clause(failure) })
    default:
      return say('others.queued', { machine })
  }
}

/** State that was requested but that the download's own machine has not reached yet; null if there is none. */
export function requestedText({ state, requested }: RemoteDownload): string | null {
  if (requested === 'removed') return say('others-requested.removed')
  if (isSettled(state)) return null
  if (requested === 'paused' && state !== 'paused') return say('others-requested.paused')
  return requested === 'run' && state === 'paused' ? say('others-requested.run') : null
}

/** Possible actions in the order of the menu. The first action has a separate button. */
export function actionsOn({ state, requested }: RemoteDownload): RemoteChange[] {
  if (requested === 'removed') return ['fetch-here']
  if (state === 'done') return ['fetch-here', 'remove']
  if (state === 'failed') return ['fetch-here', 'move-here', 'remove']
  return [requested === 'paused' ? 'resume' : 'pause', 'fetch-here', 'move-here', 'remove']
}

/** Whether this machine can carry out the action: fetching needs the links of the download. */
export function isPossible({ is_complete }: RemoteDownload, change: RemoteChange): boolean {
  return is_complete || (change !== 'fetch-here' && change !== 'move-here')
}

function isSettled(state: string): boolean {
  return state === 'done' || state === 'failed'
}
