// Texts of sync. The texts are Fluent messages in `locales/*/sync.ftl`. This file maps each place in the window to its
// message. [pure, except for the language]
import type { ReadingProgress, RemoteChange } from '../api/sync-api'
import type { HistoryAge } from './dialogs/history-age'
import type { Way } from './set-up.svelte'
import type { ListSummary } from './sync-link'
import { span } from '../i18n/format'
import { say, spoken } from '../i18n/i18n.svelte'

export const syncWords = spoken({
  title: 'sync',
  about: 'sync.about',
  open: 'sync.open',
  back: 'statistics.back',
  reading: 'statistics.reading',
  isOff: 'sync-is-off',
  isOn: 'sync-is-on',
  begin: 'sync-begin',
  ways: {
    server: { name: 'sync-way-server', about: 'sync-way-server.about', submit: 'sync-way-server.submit' },
    link: { name: 'sync-way-link', about: 'sync-way-link.about', submit: 'sync-way-link.submit' },
    words: { name: 'sync-way-words', about: 'sync-way-words.about', submit: 'sync-way-words.submit' },
  } satisfies { [way in Way]: object },
  step: (step: number, count: number) => say('sync-step', { step, count }),
  goBack: 'sync-go-back',
  name: { label: 'sync-name', hint: 'sync-name.hint', about: 'sync-name.about' },
  link: {
    label: 'sync-link',
    kinds: { join: 'sync-link.joins', 'set-up': 'sync-link.sets-up' },
    /** Asks whether to join the list that the link describes. */
    joins: ({ machine, downloads, past }: ListSummary) => say('sync-link.joins-list', { machine, count: downloads, past }),
    submit: { join: 'sync-link.join', 'set-up': 'sync-link.set-up' },
    wrong: 'message-sync-link',
    alreadyOn: 'message-wrong-state.syncing',
  },
  address: 'sync-address',
  number: { label: 'sync-number' },
  working: 'sync-working',
  joined: 'sync-joined',

  words: {
    title: 'sync-words',
    written: 'sync-words.written',
    writeDown: 'sync-write-down',
    writeDownNew: (machine: string) => say('sync-write-down-new', { machine }),
    explained: 'sync-words.explained',
    count: (count: number) => say('sync-words.count', { count }),
    show: 'sync-words.show',
  },

  state: {
    title: 'sync-state',
    last: 'sync-last',
    never: 'sync-last.never',
    reading: {
      title: 'sync-reading.title',
      // `received` may exceed `total`, because other machines may add records while this machine reads.
      progress: ({ received, total }: ReadingProgress) => say('sync-reading', { received: Math.min(received, total), total }),
    },
    /**
     * Warns that the clock of this machine is ahead of the server's clock by this many milliseconds, or behind it if the
     * number is negative.
     */
    clock: (aheadMs: number) =>
      say(aheadMs > 0 ? 'sync-clock.ahead' : 'sync-clock.behind', { time: span(Math.abs(aheadMs) / 1000) }),
    server: 'sync-server',
    fingerprint: 'sync-fingerprint',
    fingerprintAbout: 'sync-fingerprint.about',
    now: 'sync-now',
    running: 'sync-now.running',
    waiting: (count: number) => say('sync-waiting', { count }),
  },
  shared: {
    title: 'sync-shared',
    what: 'sync-column.what',
    here: 'sync-column.here',
    there: 'sync-column.there',
    waiting: 'sync-column.waiting',
    held: 'sync-column.held',
    heldAbout: 'sync-held',
  },
  clearHistory: {
    open: 'clear-history',
    title: 'clear-history-question',
    about: 'clear-history-question.about',
    choice: 'clear-history-question.choice',
    ages: {
      month: 'clear-history-question.month',
      year: 'clear-history-question.year',
      all: 'clear-history-question.all',
    } satisfies { [age in HistoryAge]: string },
    submit: 'clear-history-question.submit',
    done: 'clear-history-question.done',
  },
  off: {
    open: 'sync-off',
    title: 'sync-off-question',
    body: 'sync-off-question.body',
    serverRuns: 'sync-off-question.server',
    submit: 'sync-off-question.submit',
  },

  server: {
    title: 'own-server',
    address: 'own-server.address',
    runs: 'own-server.runs',
    stopped: 'own-server.stopped',
    asleep: 'own-server.asleep',
    // Pass the port as a string, because it must not be formatted as a number.
    firewall: (port: string) => say('own-server.firewall', { port }),
    start: 'own-server.start',
    stop: 'own-server.stop',
    question: { title: 'own-server-question', body: 'own-server-question.body', submit: 'own-server-question.submit' },
  },

  machines: {
    title: 'machines',
    own: 'machines.own',
    seen: (when: string) => say('machines.seen', { when }),
    unseen: 'machines-unseen',
    trust: 'machines.trust',
    trustOf: (machine: string) => say('machines.trust-of', { machine }),
    add: 'machines.add',
    rename: { open: 'machines-rename.open', title: 'machines-rename', submit: 'machines-rename.submit' },
    remove: 'machines.remove',
    removeOf: (machine: string) => say('machines.remove-of', { machine }),
  },
  invite: {
    title: 'machines-invite',
    about: 'machines-invite.about',
    link: 'machines-invite.link',
    code: 'machines-invite.code',
    copy: 'machines-invite.copy',
    until: (time: string) => say('machines-invite.until', { time }),
    late: 'machines-invite.late',
    again: 'machines-invite.again',
  },

  conflicts: {
    title: 'conflicts',
    about: 'conflicts.about',
    actionOn: (action: string, title: string) => say('conflicts.action-on', { action, title }),
  },

  others: {
    title: 'others',
    short: 'others.short',
    empty: 'others.empty',
    emptyAbout: 'others.empty-about',
    actions: {
      pause: 'others-action.pause',
      resume: 'others-action.resume',
      'fetch-here': 'others-action.fetch',
      'move-here': 'others-action.move',
      remove: 'others-action.remove',
    } satisfies { [change in RemoteChange]: string },
    incomplete: 'others.incomplete',
    more: (count: number) => say('others-more', { count }),
    question: {
      title: (machine: string) => say('others-remove-question', { machine }),
      body: (machine: string) => say('others-remove-question.body', { machine }),
      submit: 'others-remove-question.submit',
    },
    fetched: (title: string) => say('others-fetched', { title }),
    moved: (title: string, machine: string) => say('others-moved', { title, machine }),
  },

  send: {
    to: 'send-to',
    toMany: (count: number) => say('send-to.many', { count }),
    question: 'send-to.question',
    about: 'send-to.about',
    sent: (title: string, machine: string) => say('send-to.sent', { title, machine }),
    sentMany: (count: number, machine: string) => say('send-to.sent-many', { count, machine }),
    alone: 'send-to.alone',
    gone: (machine: string) => say('send-to.gone', { machine }),
    on: 'send-to.on',
    here: 'send-to.here',
  },
  sends: 'sends',
  missedSends: 'sends.missed',
  sentBy: (machine: string) => say('sent-by', { machine }),
  start: 'sent-by.start',
  alwaysStart: (machine: string) => say('sent-by.always', { machine }),
  past: (machine: string, day: string) => say('add-past', { machine, day }),
  pastOf: (machine: string, title: string, day: string) => say('add-past.title', { machine, title, day }),
})
