// Faults of host, worker and browser. Each test starts its own browser.
import assert from 'node:assert/strict'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { connectHost, until } from './browsers.mjs'
import { bodyOf } from './servers.mjs'

const lastKept = async (world) => (await world.stored()).last_kept

/** Downloads one file; the browser keeps it although the host fails. */
async function keeps(world, { click, settle }, expected) {
  const one = world.add({ name: 'kept' })
  await click(world, one)
  await until(() => lastKept(world), 'the reason is remembered')
  one.gate.open()
  await settle(world, one, 'browser')
  assert.equal((await lastKept(world)).why.refusal.code, expected)
}

/** Stops the worker of the extension, as Chromium does at any time. */
export async function stopWorkers(world) {
  const client = await world.inspector.createCDPSession()
  await client.send('ServiceWorker.enable')
  await client.send('ServiceWorker.stopAllWorkers')
}

export const FAULTS = [
  {
    name: 'host-missing',
    run: (world, tools) => (connectHost(world.session, null), keeps(world, tools, 'host-missing')),
  },
  {
    name: 'host-not-executable',
    run: (world, tools) => (chmodSync(join(world.session.folder, 'host'), 0o644), keeps(world, tools, 'host-failed')),
  },
  {
    name: 'host-prints-garbage',
    run: (world, tools) => (
      (world.ashore.behave = ({ type }) => (type === 'ask' ? 'garbage' : null)),
      keeps(world, tools, 'host-failed')
    ),
  },
  {
    name: 'host-ends-without-answer',
    run: (world, tools) => (
      (world.ashore.behave = ({ type }) => (type === 'ask' ? 'exit' : null)),
      keeps(world, tools, 'host-failed')
    ),
  },
  {
    name: 'ashore-of-older-version',
    run: (world, tools) => (
      (world.ashore.behave = ({ type, ask }) =>
        type === 'ask' ? { type: 'declined', ask, code: 'browser-ashore-too-old', args: {}, text: 'Update Ashore.' } : null),
      keeps(world, tools, 'browser-ashore-too-old')
    ),
  },
  {
    name: 'answer-to-another-ask',
    run: (world, tools) => (
      (world.ashore.behave = ({ type }) => (type === 'ask' ? { type: 'taken', ask: 'other/1', unique_id: '1' } : null)),
      keeps(world, tools, 'no-answer')
    ),
  },
  {
    name: 'host-ends-after-commit',
    run: async (world, tools) => {
      const { ashore } = world
      ashore.behave = async ({ type, ...message }) => {
        if (type !== 'ask') return null
        ashore.registered.set(message.ask, { abort: new AbortController(), received: 0, whole: null })
        return 'exit'
      }
      await keeps(world, tools, 'host-failed')
      assert.equal(ashore.released.length, 1)
    },
  },
  {
    name: 'browser-finishes-first',
    only: 'firefox',
    run: async (world, { click, settle }) => {
      const one = world.add({ name: 'first' })
      world.ashore.behave = async ({ type }) => {
        if (type !== 'ask') return null
        one.gate.open()
        await until(async () => (await world.listed())[0]?.state === 'complete', 'the browser has the file')
        return null
      }
      await click(world, one)
      await settle(world, one, 'browser')
      assert.equal(world.ashore.released.length, 1)
    },
  },
  {
    // Chromium receives a small file completely although its download is paused.
    name: 'browser-receives-paused-file',
    only: 'chromium',
    run: async (world, { click, settle }) => {
      const { ashore, inspector } = world
      await inspector.evaluate(() => chrome.storage.local.set({ settings: { least_size: 0 } }))
      const one = world.add({ name: 'received', body: bodyOf(1, 64 * 1024) })
      ashore.onAsk = async () => {
        const received = inspector.evaluate(
          () =>
            new Promise((resolve) =>
              chrome.webRequest.onCompleted.addListener(({ url }) => resolve(url), { urls: ['http://*/file/*'] }),
            ),
        )
        // The page runs its script before the server sends the rest.
        await inspector.evaluate(() => true)
        one.gate.open()
        await received
      }
      await click(world, one)
      await settle(world, one, 'browser')
      assert.equal(ashore.released.length, 1)
      assert.equal((await lastKept(world)).why.rule, 'received')
    },
  },
  {
    name: 'worker-stopped-while-asking',
    only: 'chromium',
    run: async (world, { click, settle }) => {
      const one = world.add({ name: 'stopped' })
      const stopped = new Promise((resolve) => {
        world.ashore.onAsk = async () => {
          world.ashore.onAsk = () => undefined
          await stopWorkers(world)
          const isWorker = (target) => target.type() === 'service_worker'
          await until(() => !world.session.browser.targets().some(isWorker), 'the worker has stopped')
          resolve()
        }
      })
      await click(world, one)
      await stopped
      // Any event starts the worker again. In this test, the event is the response to a page.
      await world.session.open(`${world.servers.origins.plain}/page/stopped`)
      await settle(world, one, 'ashore')
      assert.deepEqual(
        world.ashore.asks.map(({ answer }) => answer.type),
        ['taken', 'already'],
      )
    },
  },
  {
    name: 'worker-stopped-after-answer',
    only: 'chromium',
    run: async (world, { click, settle }) => {
      const one = world.add({ name: 'answered' })
      const stopped = new Promise((resolve) => {
        // Only the first answer stops the worker. If the second answer did too, only the alarm would start the next worker.
        world.ashore.onAsk = () => {
          world.ashore.onAsk = () => undefined
          setTimeout(() => resolve(stopWorkers(world)), 0)
        }
      })
      await click(world, one)
      await stopped
      // Any event starts the worker again. In this test, the event is the response to a page.
      await world.session.open(`${world.servers.origins.plain}/page/answered`)
      await settle(world, one, 'ashore')
      assert.deepEqual(new Set(world.ashore.asks.map(({ ask }) => ask)).size, 1)
    },
  },
  {
    name: 'browser-closed-while-asking',
    needsOwnBrowser: true,
    run: async (world, { click }) => {
      const one = world.add({ name: 'closed' })
      const asked = new Promise((resolve) => (world.ashore.onAsk = resolve))
      await click(world, one)
      await asked
      await world.session.browser.close()
      one.gate.open()
      const [held] = await world.ashore.held()
      await until(() => held.content()?.equals(one.body), 'Ashore has the whole file')
    },
  },
  {
    name: 'two-refusals-leave-the-site',
    run: async (world, { click }) => {
      const refuse = (_request, response) => response.writeHead(403).end()
      for (const [at, asks] of [1, 2, 2].entries()) {
        const one = world.add({ name: `refused-${at}`, second: refuse })
        const page = await click(world, one)
        await until(async () => (await lastKept(world))?.name === `refused-${at}.bin`, 'the reason is remembered')
        one.gate.open()
        await until(
          async () => (await world.listed()).filter(({ state }) => state === 'complete').length === at + 1,
          'the file is whole',
        )
        await until(async () => Object.keys((await world.stored()).pairs ?? {}).length === 0, 'the hand-off has ended')
        assert.equal(world.ashore.asks.length, asks)
        await page.close()
      }
      assert.equal((await lastKept(world)).why.rule, 'site-refused')
    },
  },
  {
    name: 'without-access',
    needsOwnBrowser: true,
    options: { hasAccess: false },
    run: async (world, { click, settle }) => {
      const one = world.add({ name: 'plain' })
      one.gate.open()
      await click(world, one)
      await settle(world, one, 'browser')
      assert.equal(world.ashore.asks.length, 0)
    },
  },
]
