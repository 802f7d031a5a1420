// Connects the page to the engine. No other file imports Tauri.
import { convertFileSrc, invoke } from '@tauri-apps/api/core'
import { listen } from '@tauri-apps/api/event'

import { type Afterwards, type Api, type Event, Failure, type Look } from './api'
import type { MethodCall as Call } from './generated/MethodCall'
import type { UserMessage } from './generated/UserMessage'
import { browsersApi } from './browsers-api'
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
  sync: syncApi(call, ask),
  add: (registration) => call({ method: 'add', params: registration }),
  list: (query) => call({ method: 'list', params: query }),
  search: (text) => call({ method: 'search', params: { text } }),
  show: (unique_id) => call({ method: 'show', params: { unique_id } }),
  records: (unique_id, from, limit) => call({ method: 'records', params: { unique_id, from, limit } }),
  details: (unique_id, index) => call({ method: 'details', params: { unique_id, index } }),
  segments: (unique_id) => call({ method: 'segments', params: { unique_id } }),
  abort: (unique_id) => call({ method: 'abort', params: { unique_id } }),
  pause: (unique_id) => call({ method: 'pause', params: { unique_id } }),
  resume: (unique_id) => call({ method: 'resume', params: { unique_id } }),
  move: (unique_id, place) => call({ method: 'move', params: { unique_id, place } }),
  rename: (unique_id, title) => call({ method: 'update_ui', params: { unique_id, title, icon: null } }),
  retry: (unique_id) => call({ method: 'retry', params: { unique_id } }),
  remove: (unique_id, files) => call({ method: 'remove', params: { unique_id, files } }),
  limit: (unique_id, bytes_per_second) =>
    call({
      method: 'limit',
      params: { scope: unique_id === null ? { type: 'all' } : { type: 'registration', unique_id }, bytes_per_second },
    }),
  limits: () => call({ method: 'limits' }),
  totals: () => call({ method: 'totals' }),
  statistics: (days) => call({ method: 'statistics', params: { days } }),
  understand: (text) => call({ method: 'understand', params: { text } }),
  probe: (request) => call({ method: 'probe', params: request }),
  letGo: (probe) => call({ method: 'let_go', params: { probe } }),
  known: (links, folder, name) => call({ method: 'known', params: { links, folder, name } }),
  putInto: (unique_id, folder) => call({ method: 'put_into', params: { unique_id, folder } }),
  relink: (unique_id, index, url, headers) => call({ method: 'relink', params: { unique_id, index, url, headers } }),
  goAnyway: (unique_id) => call({ method: 'go_anyway', params: { unique_id } }),
  signIn: (url, sign_in, lasting) => call({ method: 'sign_in', params: { url, sign_in, lasting } }),
  giveCookies: (url, cookies, lasting) => call({ method: 'give_cookies', params: { url, cookies, lasting } }),
  sentences: (language) => call({ method: 'sentences', params: { language } }),
  recovery: () => call({ method: 'recovery' }),
  recoverySeen: () => call({ method: 'acknowledge_recovery' }),
  orphans: () => call({ method: 'orphans' }),
  keptFiles: () => call({ method: 'kept_files' }),
  adopt: (partials) => call({ method: 'adopt', params: { partials: [...partials] } }),
  settings: () => call({ method: 'settings' }),
  set: (key, value) => call({ method: 'set', params: { key, value } }),

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
}
