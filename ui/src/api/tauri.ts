// Connects the page to the engine through the window. No other file imports Tauri.
import { convertFileSrc, invoke } from '@tauri-apps/api/core'
import { listen } from '@tauri-apps/api/event'

import { type Afterwards, type Api, type Event, Failure, type Look } from './api'
import type { MethodCall as Call } from './generated/MethodCall'
import type { UserMessage } from './generated/UserMessage'
import { browsersApi } from './browsers-api'
import { WINDOW_CAPABILITIES } from './capabilities'
import { devicesApi } from './devices-api'
import { engineCalls } from './engine-calls'
import { syncApi } from './sync-api'

async function ask<Answer>(command: string, parameters?: Record<string, unknown>): Promise<Answer> {
  try {
    return await invoke<Answer>(command, parameters)
  } catch (thrown) {
    throw Failure.of(thrown)
  }
}

const call = <Answer>(call: Call): Promise<Answer> => ask('call', { call })

export const api: Api = {
  can: WINDOW_CAPABILITIES,
  remote: null,
  sync: syncApi(call, ask),
  ...engineCalls(call),

  events: (listener) => listen<Event>('engine', (event) => listener(event.payload)),
  links: (listener) => listen<string[]>('links', (event) => listener(event.payload)),
  leaving: (last) => listen('leaving', () => void last().finally(() => ask('gone').catch(() => undefined))),
  takeLinks: () => ask('take_links'),
  looks: (listener) => listen<Look>('look', (event) => listener(event.payload)),
  takeLook: () => ask('take_look'),
  afterwards: (listener) => listen<Afterwards>('afterwards', (event) => listener(event.payload)),
  whatAfterwards: () => ask('afterwards'),
  chooseAfterwards: (then) => ask('choose_afterwards', { then }),
  copied: (listener) => listen<string>('copied', (event) => listener(event.payload)),
  takeCopied: () => ask('take_copied'),
  troubles: (listener) => listen<UserMessage>('trouble', (event) => listener(Failure.of(event.payload))),
  takeTroubles: async () => (await ask<UserMessage[]>('take_troubles')).map((trouble) => Failure.of(trouble)),

  browsers: browsersApi(ask),
  devices: devicesApi(ask),
  lacking: () => ask('lacking'),
  open: (uniqueId, index) => ask('open_file', { uniqueId, index }),
  showInFolder: (uniqueId, index) => ask('show_in_folder', { uniqueId, index }),
  openPage: (uniqueId) => ask('open_page', { uniqueId }),
  showFolder: (uniqueId) => ask('show_in_folder', { uniqueId, index: null }),
  carry: (files) => ask('carry', { files }),
  chooseFolder: () => ask('choose_folder'),
  chooseFile: (key) => ask('choose_file', { key }),
  saveList: () => ask('save_list'),
  takeInList: () => ask('take_in_list'),
  picture: (path) => convertFileSrc(path),
  ready: () => ask('ready'),
  closeWindow: () => ask('close_window'),
  quit: () => ask('quit'),
}
