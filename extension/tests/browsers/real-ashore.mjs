// The real Ashore for the matrix: `ashore serve`, and `ashore-browser` as the native host of the browser. Both use a home
// folder and a list of their own.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, connect } from 'node:net'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { until } from './browsers.mjs'

const run = promisify(execFile)
/** Maximum number of registrations that a case creates. */
const MOST = 10_000
const here = dirname(fileURLToPath(import.meta.url))

/** Starts Ashore from the folder `programs`. The result has all members of the stand-in that the cases use. */
export async function startRealAshore(folder, programs, authority) {
  const place = (name) => join(folder, `ashore-${name}`)
  for (const name of ['home', 'run', 'files']) mkdirSync(place(name), { recursive: true })
  const own = { HOME: place('home'), XDG_RUNTIME_DIR: place('run'), ASHORE_DATA_DIR: place('data'), LANG: 'C.UTF-8' }
  const env = { ...process.env, ...own }
  const ashore = (...words) => run(join(programs, 'ashore'), words, { env, maxBuffer: 16 * 1024 * 1024 })
  await ashore('settings', 'folder', place('files'))
  // The servers of the test are on this machine, which programs may not reach by default.
  await ashore('settings', 'local-for-programs', 'true')
  await ashore('settings', 'ca-certificate', authority)
  installHost()
  const state = { asks: [], released: [], starts: 0, messages: [], output: '', onAsk: () => undefined }
  /** Puts the host into a folder of its own, beside a program that starts the engine instead of the desktop program. */
  function installHost() {
    const [host, app] = ['ashore-browser', 'ashore-desktop'].map((name) => join(place('programs'), name))
    mkdirSync(dirname(host))
    copyFileSync(join(programs, 'ashore-browser'), host)
    writeFileSync(app, `#!/bin/sh\necho $$ > '${place('started')}'\nexec '${join(programs, 'ashore')}' serve\n`)
    chmodSync(app, 0o755)
  }
  /** Ends an engine that the host has started. */
  const endStarted = async () => {
    if (!existsSync(place('started'))) return
    const pid = Number(readFileSync(place('started'), 'utf8'))
    rmSync(place('started'))
    if (existsSync(`/proc/${pid}`)) process.kill(pid, 'SIGTERM')
    await until(() => !existsSync(`/proc/${pid}`), 'the started engine has ended')
  }
  let engine
  const start = async () => {
    engine = spawn(join(programs, 'ashore'), ['serve', '--json'], { env, stdio: ['ignore', 'pipe', 'pipe'] })
    engine.ended = once(engine, 'exit')
    for (const stream of [engine.stdout, engine.stderr]) stream.on('data', (part) => (state.output += part))
    const [ready] = await once(engine.stdout, 'data')
    return JSON.parse(ready).socket
  }
  // A test that fails before `stop` must not leave the engine behind.
  const kill = () => engine.kill('SIGKILL')
  process.on('exit', kill)
  const door = await start()
  /** Resolves when a signal has ended the engine; null as long as the engine should run. */
  let ending = null
  const changed = new Set()
  const set = async (name, ...words) => (changed.add(name), await ashore('settings', name, ...words))
  const socket = join(folder, 'wiretap.sock')
  const tap = createServer((connection) => listen(state, connection))
  await new Promise((resolve) => tap.listen(socket, resolve))
  /** Returns all registrations. Uses the socket, because the cases poll the list, and each command would be a new process. */
  const list = () => call(door, 'list', { limit: MOST })
  return Object.assign(state, {
    /** Environment variables of this Ashore. */
    own,
    /** Returns the process id of the engine. */
    pid: () => engine.pid,
    /** Sends a signal to the engine. If the signal ends the engine, waits for the end. */
    signal: async (name) => {
      engine.kill(name)
      if (name !== 'SIGSTOP') await (ending = engine.ended)
    },
    /** Continues the engine after a signal that stopped or ended it. */
    revive: async () => {
      if (ending === null) return engine.kill('SIGCONT')
      await ending
      ending = null
      await endStarted()
      await start()
    },
    /** Folder of everything that Ashore stores. Its subfolders begin with `ashore-`. */
    folder,
    files: place('files'),
    list,
    call: (method, params) => call(door, method, params),
    /** Changes a setting until the next case. */
    set,
    setting: async (name) => JSON.parse((await ashore('settings', name, '--json')).stdout).value,
    /** Command line of the native host. */
    host: [
      'env',
      ...Object.entries(own).map(([name, value]) => `${name}=${value}`),
      process.execPath,
      join(here, 'wiretap.mjs'),
      socket,
      join(place('programs'), 'ashore-browser'),
    ],
    /** Folders of the programs, and of everything that the programs write except the downloaded files. */
    folders: [programs, ...['programs', 'home', 'run', 'data'].map(place)],
    /** Runs a command of the program `ashore`, and returns its output. */
    command: async (...words) => (await ashore(...words)).stdout,
    held: async () => (await list()).map((one) => ({ content: () => contentOf(one), received: one.downloaded })),
    reset: async () => {
      Object.assign(state, { asks: [], released: [], starts: 0, messages: [], onAsk: () => undefined })
      for (const name of changed) await ashore('settings', name, '--default')
      changed.clear()
      await ashore('settings', 'local-for-programs', 'true')
      const all = await list()
      if (all.length > 0) await ashore('remove', ...all.map((one) => one.unique_id))
      rmSync(place('files'), { recursive: true, force: true })
      mkdirSync(place('files'))
    },
    stop: async () => {
      tap.close()
      await endStarted()
      engine.kill('SIGTERM')
      await engine.ended
      process.off('exit', kill)
    },
  })
}

const contentOf = ({ result, path }) => (result === 'success' && existsSync(path) ? readFileSync(path) : null)

/** Calls a method of the engine, as the window does, and returns its result. */
async function call(socket, method, params) {
  const connection = connect(socket).setEncoding('utf8')
  connection.end(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })}\n`)
  let text = ''
  for await (const part of connection) {
    text += part
    const answer = text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line))
      .find(({ id }) => id === 1)
    if (answer?.error) throw new Error(JSON.stringify(answer.error))
    if (answer) return answer.result
  }
  throw new Error(`no answer to ${method}`)
}

function listen(state, connection) {
  state.starts += 1
  connection.setEncoding('utf8')
  connection.on('error', () => undefined)
  const offered = new Map()
  let text = ''
  connection.on('data', (part) => {
    const lines = (text + part).split('\n')
    text = lines.pop()
    for (const { asked, answered } of lines.map((line) => JSON.parse(line))) {
      if (asked !== undefined) state.messages.push(asked.type)
      if (asked?.type === 'ask') offered.set(asked.ask, asked.download)
      if (asked?.type === 'let_go') state.released.push(asked.ask)
      const download = offered.get(answered?.ask)
      if (download === undefined || answered.type === 'released') continue
      state.asks.push({ ask: answered.ask, download, answer: answered })
      state.onAsk(answered.ask, download, answered)
    }
  })
}
