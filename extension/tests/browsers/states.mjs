// Ashore in every state in which it cannot take a file, for every server of the matrix. The browser must keep its file. With
// the real Ashore, the engine is stopped by signals, and started again afterwards.
//
//   needsReal   only the real Ashore can be in this state
//   isSlow      the extension waits many seconds for an answer
//   begin       brings Ashore into the state before the click
//   holder      the only place with the file at the end; 'browser' by default
//   code        code of the reason that the browser remembers
import assert from 'node:assert/strict'
import { until } from './browsers.mjs'
import { CASES } from './cases.mjs'
import { stopWorkers } from './faults.mjs'

const lastKept = async (world) => (await world.stored()).last_kept

/**
 * Answers every request to take a file with `reply`. After such a request has arrived, the transfer of the browser may end.
 */
const replies = (reply) => (world, one) => {
  world.ashore.behave = async (message) => {
    if (message.type !== 'ask') return null
    one.gate.open()
    return reply(message, world)
  }
}
const declined = (code) =>
  replies(({ ask }) => ({ type: 'declined', ask, code, args: {}, text: 'Ashore cannot take this file.' }))

/** Lets the browser finish its own transfer as soon as the extension has asked the native host. */
const openOnceAsked = ({ ashore }, one) =>
  void until(() => ashore.messages.includes('ask'), 'the host is asked').then(one.gate.open, () => undefined)

/** Kills the engine while it requests the file. The server answers neither this request nor a repeated one. */
function killDuringRequest({ ashore }, one) {
  one.second = (_request, response) => {
    one.gate.open()
    ashore.signal('SIGKILL')
    response.on('error', () => undefined)
  }
}

const STATES = [
  { name: 'closed', code: 'browser-ashore-absent', begin: declined('browser-ashore-absent') },
  { name: 'older', code: 'browser-ashore-too-old', begin: declined('browser-ashore-too-old') },
  { name: 'newer', code: 'browser-extension-too-old', begin: declined('browser-extension-too-old') },
  {
    name: 'hanging',
    isSlow: true,
    code: 'host-silent',
    // After the extension has resumed the download, it waits for the end of the host.
    begin: replies((_ask, world) => until(() => lastKept(world), 'the reason is remembered').then(() => 'exit')),
  },
  { name: 'killed-before-commit', code: 'host-failed', begin: replies(() => 'exit') },
  {
    name: 'killed-after-commit',
    code: 'host-failed',
    begin: replies(({ ask }, { ashore }) => {
      ashore.registered.set(ask, { abort: new AbortController(), received: 0, whole: null })
      return 'exit'
    }),
  },
  {
    name: 'real-closed',
    needsReal: true,
    code: 'browser-ashore-absent',
    begin: async (world, one) => {
      await world.ashore.set('browser-starts-ashore', 'false')
      await world.ashore.signal('SIGTERM')
      openOnceAsked(world, one)
    },
  },
  // The host starts Ashore, which takes the file.
  { name: 'real-started', needsReal: true, holder: 'ashore', begin: ({ ashore }) => ashore.signal('SIGTERM') },
  {
    name: 'real-hanging',
    isSlow: true,
    needsReal: true,
    code: 'browser-ashore-silent',
    begin: (world, one) => (world.ashore.signal('SIGSTOP'), openOnceAsked(world, one)),
  },
  { name: 'real-killed-during-request', needsReal: true, code: 'browser-ashore-silent', begin: killDuringRequest },
  {
    name: 'real-killed-after-answer',
    needsReal: true,
    holder: 'ashore',
    begin: ({ ashore }) => (ashore.onAsk = () => ashore.signal('SIGKILL')),
  },
]

/**
 * Starts the engine again, and starts another worker of the extension. The worker drops those downloads in Ashore that the
 * browser has kept.
 */
async function revive(world) {
  await world.ashore.revive()
  if (world.family === 'chromium') await stopWorkers(world)
  const page = await world.session.open('popup.html')
  await page.close()
}

async function run(world, { click, settle }, template, state) {
  const { ashore } = world
  const one = world.add({ ...template, holder: state.holder ?? 'browser' })
  try {
    await state.begin(world, one)
    const page = await click(world, one)
    if (one.holder === 'ashore') await until(() => ashore.asks.length > 0, 'Ashore has taken the file')
    else await until(() => lastKept(world), 'the reason is remembered')
    if (state.needsReal) await revive(world)
    await settle(world, one)
    if (state.code !== undefined) assert.equal((await lastKept(world)).why.refusal.code, state.code)
    await page.close()
  } finally {
    if (state.needsReal) await ashore.revive()
  }
}

/**
 * Servers from whose cases the extension would hand over the file. Very large files are left out, because a file of several
 * gigabytes would fill the folder of the browser.
 */
const SERVERS = CASES.filter(({ asks, size }) => asks !== 0 && size === undefined)

export const UNREACHABLE = STATES.flatMap((state) =>
  SERVERS.filter(({ holder }) => !state.needsReal || holder === 'ashore').map((one) => ({
    name: `ashore-${state.name}-${one.name}`,
    needsReal: state.needsReal ?? false,
    isSlow: state.isSlow || one.isSlow,
    run: (world, tools) => run(world, tools, one, state),
  })),
)
