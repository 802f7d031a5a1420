// Maps methods of the API to calls of the engine. All implementations that reach an engine share this mapping. [pure]
import type { Api } from './api'
import type { MethodCall } from './generated/MethodCall'

/** Sends a call to the engine. Rejects only with a `Failure`. */
export type SendCall = <Answer>(call: MethodCall) => Promise<Answer>

/** Methods of the API that the engine itself answers. */
export type EngineCalls = Pick<
  Api,
  | 'add'
  | 'list'
  | 'search'
  | 'show'
  | 'records'
  | 'details'
  | 'segments'
  | 'abort'
  | 'pause'
  | 'resume'
  | 'move'
  | 'rename'
  | 'retry'
  | 'remove'
  | 'limit'
  | 'limits'
  | 'totals'
  | 'statistics'
  | 'understand'
  | 'probe'
  | 'letGo'
  | 'known'
  | 'putInto'
  | 'relink'
  | 'goAnyway'
  | 'signIn'
  | 'giveCookies'
  | 'sentences'
  | 'recovery'
  | 'recoverySeen'
  | 'orphans'
  | 'keptFiles'
  | 'adopt'
  | 'settings'
  | 'set'
>

export function engineCalls(call: SendCall): EngineCalls {
  return {
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
  }
}
