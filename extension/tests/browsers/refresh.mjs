// Cases in which a click gives an expired download its new link. They need the real Ashore, whose engine continues the
// download.
import assert from 'node:assert/strict'
import { until } from './browsers.mjs'
import { EXPIRES_AFTER } from './servers.mjs'

/** Maximum number of bytes that Ashore compares before it resumes. */
const OVERLAP = 256 * 1024

export const REFRESHES = [
  {
    name: 'signed-link-expires',
    run: async (world, { click }) => {
      const { ashore, session, servers } = world
      await ashore.set('connections', '1')
      const signed = servers.signed()
      const one = world.add({ name: 'signed', page: signed.page, second: signed.send })
      const first = await click(world, one)
      await until(async () => (await ashore.list())[0]?.failure?.code === 'link-expired', 'the link has expired')
      one.gate.open()
      await until(() => session.files().length === 0, 'the folder of the browser is empty')
      const [failed] = await ashore.list()
      assert.equal(failed.downloaded, EXPIRES_AFTER)
      assert.equal(failed.page, first.url())
      await first.close()

      // Press the button in the window, which opens the page, and click the link there.
      assert.equal(await ashore.call('await_link', { unique_id: failed.unique_id }), failed.page)
      const again = await click(world, one)
      await until(async () => (await ashore.list())[0]?.result === 'success', 'the download is complete')
      await until(async () => (await world.listed()).length === 0, 'the list of the browser is empty')
      const held = await ashore.held()
      assert.equal(held.length, 1, 'the click continued the download')
      assert.ok(held[0].content().equals(one.body))
      assert.deepEqual(session.files(), [])
      const answers = ashore.asks.map(({ answer }) => [answer.type, answer.unique_id])
      assert.deepEqual(answers, [
        ['taken', failed.unique_id],
        ['taken', failed.unique_id],
      ])
      const repeated = signed.ranges.reduce((sum, [from, to]) => sum + Math.max(0, Math.min(to, EXPIRES_AFTER) - from), 0)
      assert.ok(
        signed.ranges.length > 0 && repeated <= OVERLAP,
        `${repeated} bytes were sent again: ${JSON.stringify(signed.ranges)}`,
      )
      await again.close()
    },
  },
]
