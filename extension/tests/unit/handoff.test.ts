import { describe, expect, it } from 'vitest'

import { pageOf } from '../../src/handoff/offered'
import { rulesOf } from '../../src/host/shared-rules'
import { ITEM, type Reply, settled, Simulation } from './simulated-browser'

const FAMILIES = ['chromium', 'firefox'] as const

function simulation(family: (typeof FAMILIES)[number]): Simulation {
  const world = new Simulation(family)
  world.headers = { 'content-length': '5000000' }
  return world
}

/** Returns a world whose worker waits for the answer of Ashore. */
async function waiting(family: (typeof FAMILIES)[number]) {
  const world = simulation(family)
  world.reply = 'hang'
  const worker = world.worker()
  void worker.consider(world.begin())
  await settled()
  return { world, worker }
}

const pairs = (world: Simulation): unknown => world.stored.session['pairs'] ?? {}
const calls = (world: Simulation): string[] => world.log.filter((name) => name !== 'set' && !name.endsWith(' alarm'))

/** Runs `check` once for each call of a worker. In each run, the worker is killed one call later than before. */
async function killedAtAnyCall(family: (typeof FAMILIES)[number], reply: Reply, check: (world: Simulation) => Promise<void>) {
  const whole = simulation(family)
  whole.reply = reply
  await whole.worker().consider(whole.begin())
  for (let callsLeft = 1; callsLeft <= whole.log.length; callsLeft += 1) {
    const world = simulation(family)
    Object.assign(world, { reply, callsLeft })
    void world.worker().consider(world.begin())
    await settled()
    world.callsLeft = Infinity
    await check(world)
  }
}

describe.each(FAMILIES)('hand-off in %s', (family) => {
  it('download_that_ashore_accepted_is_removed_from_the_browser', async () => {
    const world = simulation(family)
    await world.worker().consider(world.begin())
    expect(world.copies()).toEqual(['ashore'])
    expect(world.items.size).toBe(0)
    expect(pairs(world)).toEqual({})
  })

  it('download_that_the_browser_received_completely_is_not_cancelled', async () => {
    const world = simulation(family)
    world.beforeAnswer = () => world.heads.onCompleted({ requestId: '1' })
    await world.worker().consider(world.begin())
    expect(world.copies()).toEqual(['browser'])
    expect(calls(world).includes('cancel')).toBe(false)
    expect(world.stored.session['last_kept']).toMatchObject({ why: { rule: 'received' } })
    expect(pairs(world)).toEqual({})
  })

  it('new_worker_does_not_cancel_a_download_that_the_browser_received_completely', async () => {
    const { world, worker } = await waiting(family)
    // The next worker has no access to the memory of this worker.
    await worker.onReceived('1')
    world.reply = 'take'
    await world.worker().recover()
    expect(world.copies()).toEqual(['browser'])
    expect(calls(world).includes('cancel')).toBe(false)
  })

  it('end_of_response_stays_stored_when_ashore_accepts_the_download', async () => {
    const phases: unknown[] = []
    for (let callsLeft = 1; callsLeft < 20; callsLeft += 1) {
      const { world, worker } = await waiting(family)
      await worker.onReceived('1')
      world.callsLeft = callsLeft
      world.releaseAnswers()
      await settled()
      const pair = (pairs(world) as Record<string, { phase: string; is_received: boolean }>)['7']
      if (pair?.phase === 'taken') phases.push(pair.is_received)
    }
    expect(phases.length).toBeGreaterThan(0)
    expect(phases.every((isReceived) => isReceived)).toBe(true)
  })

  it('response_of_another_request_changes_nothing', async () => {
    const { world, worker } = await waiting(family)
    const before = world.log.length
    await worker.onReceived('2')
    expect(world.log.length).toBe(before)
  })

  it('new_rules_from_ashore_do_not_cancel_hand_off_of_clicked_download', async () => {
    const world = simulation(family)
    world.stored.local['settings'] = { ...rulesOf({}), unsent: [], is_shared: true }
    world.rules = rulesOf({ sites: ['other.test'] })
    const worker = world.worker()
    const full = { 'tab 1': Array(10).fill(world.now), all: Array(10).fill(world.now) }
    const click = { at: world.now, has_key: false, href: null }
    await worker.activity.update(() => ({ clicks: [click], unclicked: full }))
    await worker.consider(world.begin())
    expect(world.copies()).toEqual(['ashore'])
  })

  it('stored_reason_distinguishes_missing_access_from_missing_response_head', async () => {
    for (const [hasAccess, rule] of [
      [true, 'no-head'],
      [false, 'no-access'],
    ] as const) {
      const world = new Simulation(family)
      world.limitPassed = true
      world.hasAccess = hasAccess
      await world.worker().consider(world.begin())
      expect(world.stored.session['last_kept']).toMatchObject({ why: { rule } })
    }
  })

  it('ashore_keeps_a_file_that_the_browser_could_not_write', async () => {
    const world = simulation(family)
    world.beforeAnswer = () => {
      world.heads.onCompleted({ requestId: '1' })
      world.change(7, { state: 'interrupted', error: 'FILE_NO_SPACE' })
    }
    await world.worker().consider(world.begin())
    expect(world.copies()).toEqual(['ashore'])
    expect(world.items.size).toBe(0)
  })

  it('ashore_is_asked_before_the_download_is_cancelled', async () => {
    const world = simulation(family)
    await world.worker().consider(world.begin())
    const pause = family === 'chromium' ? ['pause'] : []
    expect(calls(world)).toEqual([...pause, 'ask 7', 'cancel', 'erase'])
  })

  it('download_stays_with_the_browser_if_new_rules_of_ashore_exclude_it', async () => {
    const world = simulation(family)
    world.rules = rulesOf({})
    world.stored.local['settings'] = { ...world.rules, unsent: [], is_shared: true }
    world.rules = rulesOf({ mode: 'menu' })
    await world.worker().consider(world.begin())
    expect(world.copies()).toEqual(['browser'])
    expect(calls(world).filter((name) => name.startsWith('ask') || name === 'cancel')).toEqual([])
    expect(world.stored.local['settings']).toMatchObject({ mode: 'menu', is_shared: true, unsent: [] })
    expect(world.stored.session['last_kept']).toMatchObject({ why: { rule: 'menu-only' } })
  })

  it('rules_read_from_ashore_apply_to_the_download_for_which_they_were_read', async () => {
    const world = simulation(family)
    world.stored.local['settings'] = { ...rulesOf({}), unsent: [], is_shared: true }
    world.rules = rulesOf({ sites: ['other.test'] })
    await world.worker().consider(world.begin())
    expect(world.copies()).toEqual(['ashore'])
    expect(calls(world).filter((name) => name === 'rules' || name.startsWith('ask'))).toEqual(['rules', 'ask 7'])
  })

  it('rules_of_ashore_are_read_at_most_once_a_minute_for_kept_downloads', async () => {
    const world = simulation(family)
    world.stored.local['settings'] = { ...rulesOf({ mode: 'menu' }), unsent: [], is_shared: true }
    world.rules = rulesOf({ mode: 'menu' })
    const worker = world.worker()
    await worker.consider(world.begin())
    world.rules = rulesOf({})
    await worker.consider(world.begin({ id: 8 }))
    expect([world.copies(), world.rulesRead]).toEqual([['browser', 'browser'], 1])
    world.now += 60_000
    await worker.consider(world.begin({ id: 9 }))
    expect([world.copies(), world.rulesRead]).toEqual([['browser', 'browser', 'ashore'], 2])
  })

  it.each(['refuse', 'fail', 'missing', 'take-and-fail', 'garbage'] as const)('browser_keeps_file_after_%s', async (reply) => {
    const world = simulation(family)
    world.reply = reply
    await world.worker().consider(world.begin())
    expect(world.copies()).toEqual(['browser'])
    expect(calls(world).includes('cancel')).toBe(false)
    expect(pairs(world)).toEqual({})
  })

  it('download_stays_with_the_browser_if_the_answer_has_another_id', async () => {
    const world = simulation(family)
    world.reply = 'refuse'
    await world.worker().consider(world.begin())
    world.reply = 'take'
    const other = world.begin({ id: 8 })
    await world.worker().consider(other)
    expect([...world.items.keys()]).toEqual([7])
  })

  it('download_stays_with_the_browser_if_the_host_answers_too_late', async () => {
    const world = simulation(family)
    world.reply = 'hang'
    world.limitPassed = true
    const done = world.worker().consider(world.begin())
    await settled()
    expect(world.copies()).toEqual(['browser', 'ashore'])
    expect(world.items.get(7)?.paused ?? false).toBe(false)
    world.releaseAnswers()
    await done
    expect(world.copies()).toEqual(['browser'])
    expect(pairs(world)).toEqual({})
  })

  it('download_stays_with_the_browser_if_the_extension_cannot_store_its_state', async () => {
    const world = simulation(family)
    world.beforeAnswer = () => (world.storageFails = true)
    await expect(world.worker().consider(world.begin())).rejects.toThrow('The storage is full.')
    expect(world.copies()).toContain('browser')
    expect(calls(world)).not.toContain('cancel')
  })

  it('missing_native_host_is_not_asked_to_release_the_download', async () => {
    const world = simulation(family)
    world.reply = 'missing'
    await world.worker().consider(world.begin())
    expect(calls(world)).not.toContain('let_go')
    expect(world.stored.session['last_kept']).toMatchObject({ why: { refusal: { code: 'host-missing' } } })
  })

  it.each(['browser-ashore-silent', 'browser-pairing.removed'])('ashore_drops_the_download_after_%s', async (code) => {
    const world = simulation(family)
    world.reply = 'take-and-silent'
    world.silentCode = code
    await world.worker().consider(world.begin())
    expect(calls(world).filter((name) => name === 'let_go')).toHaveLength(1)
    expect(world.copies()).toEqual(['browser'])
    expect(pairs(world)).toEqual({})
  })

  it('failed_release_is_repeated_at_each_start_for_a_day', async () => {
    const world = simulation(family)
    world.reply = 'take-and-fail'
    world.canRelease = false
    await world.worker().consider(world.begin())
    expect(calls(world).filter((name) => name === 'let_go')).toHaveLength(1)
    await world.worker().recover()
    expect(world.held.size).toBe(1)
    world.canRelease = true
    await world.worker().recover()
    expect(world.copies()).toEqual(['browser'])
    world.canRelease = false
    await world.worker().consider(world.begin({ id: 8 }))
    for (let start = 0; start < 5; start += 1) await world.worker().recover()
    expect(calls(world).filter((name) => name === 'let_go')).toHaveLength(9)
    world.now += 24 * 60 * 60 * 1000
    for (let start = 0; start < 5; start += 1) await world.worker().recover()
    expect(calls(world).filter((name) => name === 'let_go')).toHaveLength(10)
    expect(pairs(world)).toEqual({})
  })

  it('browser_that_finishes_first_keeps_its_file', async () => {
    const world = simulation(family)
    world.beforeAnswer = () => world.change(7, { state: 'complete', paused: false })
    await world.worker().consider(world.begin())
    expect(world.copies()).toEqual(['browser'])
    expect(calls(world).includes('let_go')).toBe(true)
  })

  it('complete_download_of_the_browser_is_not_offered', async () => {
    const world = simulation(family)
    await world.worker().consider(world.begin({ state: 'complete' }))
    expect(world.copies()).toEqual(['browser'])
    expect(calls(world)).toEqual([])
  })

  it('ashore_drops_a_download_that_the_person_stopped', async () => {
    const world = simulation(family)
    world.beforeAnswer = () => world.change(7, { state: 'interrupted', error: 'USER_CANCELED' })
    await world.worker().consider(world.begin())
    expect(world.held.size).toBe(0)
  })

  it('download_that_fails_during_the_request_stays_with_ashore', async () => {
    const world = simulation(family)
    world.beforeAnswer = () => world.change(7, { state: 'interrupted', error: 'SERVER_FAILED' })
    await world.worker().consider(world.begin())
    expect(world.copies()).toEqual(['ashore'])
    expect(world.items.size).toBe(0)
    expect(pairs(world)).toEqual({})
    expect(calls(world).filter((name) => name === 'cancel')).toHaveLength(1)
  })

  it('failed_download_is_removed_from_the_browser_at_the_next_start', async () => {
    let tried = 0
    await killedAtAnyCall(family, 'take', async (world) => {
      const [pair] = Object.values(pairs(world) as Record<string, { phase: string }>)
      if (pair?.phase !== 'taken' || world.items.get(7)?.state !== 'in_progress') return
      tried += 1
      world.change(7, { state: 'interrupted', error: 'NETWORK_FAILED', paused: false })
      await world.worker().recover()
      expect(world.items.size).toBe(0)
      expect(world.copies()).toEqual(['ashore'])
      expect(pairs(world)).toEqual({})
    })
    expect(tried).toBeGreaterThan(0)
  })

  it('exactly_one_copy_remains_if_the_worker_is_killed_at_any_call', async () => {
    for (const reply of ['take', 'refuse', 'fail', 'take-and-fail', 'take-and-silent'] as const) {
      const whole = simulation(family)
      whole.reply = reply
      await whole.worker().consider(whole.begin())
      const most = whole.log.length
      expect(most).toBeGreaterThan(3)
      for (let callsLeft = 1; callsLeft <= most; callsLeft += 1) {
        const world = simulation(family)
        world.reply = reply
        world.callsLeft = callsLeft
        void world.worker().consider(world.begin())
        await settled()
        const inBrowser = world.items.get(7)
        expect(world.held.size + (inBrowser?.state === 'in_progress' ? 1 : 0), `${reply} ${callsLeft}`).toBeGreaterThan(0)
        world.callsLeft = Infinity
        await world.worker().recover()
        // The third call stores the pair. If a worker is killed before this call, it never asks Ashore.
        const holder = reply === 'take' && callsLeft >= 3 ? 'ashore' : 'browser'
        expect(world.copies(), `${reply} ${callsLeft}`).toEqual([holder])
        expect(pairs(world)).toEqual({})
      }
    }
  })

  it.each(['take', 'refuse', 'fail'] as const)(
    'one_copy_remains_if_the_extension_is_updated_during_a_hand_off_with_reply_%s',
    async (reply) => {
      await killedAtAnyCall(family, reply, async (world) => {
        // Firefox downloads are not paused, so they continue without the extension.
        if (family === 'firefox' && world.held.size > 0) return
        for (const key of Object.keys(world.stored.session)) delete world.stored.session[key]
        await world.worker().recover()
        expect(world.copies()).toHaveLength(1)
        expect(world.stored.local['paused'] ?? {}).toEqual({})
        expect(world.alarm).toBeNull()
      })
    },
  )

  it('downloads_of_a_site_stay_with_the_browser_for_30_days_after_two_refusals', async () => {
    const world = simulation(family)
    world.reply = 'refuse'
    const worker = world.worker()
    for (const id of [1, 2, 3]) await worker.consider(world.begin({ id }))
    expect(calls(world).filter((name) => name.startsWith('ask'))).toEqual(['ask 1', 'ask 2'])
    world.now += 30 * 24 * 3600 * 1000 + 1
    await worker.consider(world.begin({ id: 4 }))
    expect(calls(world).filter((name) => name.startsWith('ask'))).toEqual(['ask 1', 'ask 2', 'ask 4'])
  })

  it('refusals_caused_by_ashore_do_not_count_against_the_site', async () => {
    const world = simulation(family)
    world.reply = 'refuse'
    world.refusalCode = 'browser-ashore-absent'
    const worker = world.worker()
    for (const id of [1, 2, 3]) await worker.consider(world.begin({ id }))
    expect(calls(world).filter((name) => name.startsWith('ask'))).toHaveLength(3)
  })

  it('eleventh_download_of_a_site_without_a_click_stays_with_the_browser', async () => {
    const world = simulation(family)
    const worker = world.worker()
    for (let id = 1; id <= 11; id += 1) await worker.consider(world.begin({ id }))
    expect(world.held.size).toBe(10)
    expect([...world.items.keys()]).toEqual([11])
    world.now += 60_001
    await worker.consider(world.begin({ id: 12 }))
    expect(world.held.size).toBe(11)
  })

  it('ashore_is_asked_with_cookies_and_response_head', async () => {
    const world = simulation(family)
    world.headers = { 'content-length': '5000000', etag: '"a"', 'content-disposition': 'attachment; filename="given.iso"' }
    await world.worker().consider(world.begin())
    expect([...world.held.values()][0]).toMatchObject({
      url: ITEM.url,
      first_url: null,
      name: 'given.iso',
      size: 5_000_000,
      etag: '"a"',
      referrer: ITEM.referrer,
      page: 'https://page.test/list',
      was_clicked: false,
    })
  })

  it.each(['tab', 'initiator'])(
    'eleventh_download_of_a_%s_stays_with_the_browser_even_from_another_file_host',
    async (source) => {
      const world = simulation(family)
      world.headers = null
      world.tab = null
      const worker = world.worker()
      for (let id = 1; id <= 11; id += 1) {
        const url = `https://r${id}.test/disk.iso`
        const tabId = source === 'tab' ? 1 : id
        world.seeHead(
          { 'content-length': '5000000' },
          { url, tabId, ...(source === 'initiator' && { initiator: 'https://evil.test' }) },
        )
        await worker.consider(world.begin({ id, url, referrer: '' }))
      }
      expect([...world.items.keys()]).toEqual([11])
      expect(world.stored.session['last_kept']).toMatchObject({ why: { rule: 'too-many' } })
    },
  )

  it('cookies_match_those_of_the_request_of_the_browser', async () => {
    const world = simulation(family)
    const cookie = (name: string, more: object) => ({ name, value: '1', path: '/', ...more })
    world.cookies = [
      cookie('strict', { sameSite: 'strict' }),
      cookie('lax', { sameSite: 'lax' }),
      cookie('none', { sameSite: 'no_restriction' }),
      cookie('page', { sameSite: 'no_restriction', partitionKey: { topLevelSite: 'https://page.test' } }),
      cookie('file', { sameSite: 'no_restriction', partitionKey: { topLevelSite: 'https://files.test' } }),
    ]
    const initiator = family === 'chromium' ? { initiator: 'https://page.test' } : { originUrl: 'https://page.test/list' }
    const offered = async (id: number, details: object): Promise<string | null | undefined> => {
      world.headers = null
      world.seeHead({ 'content-length': '5000000' }, details)
      await world.worker().consider(world.begin({ id }))
      return [...world.held.values()].at(-1)?.cookies
    }
    expect(await offered(1, {})).toBe('strict=1; lax=1; none=1; file=1')
    expect(await offered(2, initiator)).toBe('lax=1; none=1; file=1')
    expect(await offered(3, { ...initiator, type: 'sub_frame' })).toBe('none=1; page=1')
    world.tab = null
    expect(await offered(4, { ...initiator, type: 'sub_frame' })).toBe('none=1')
  })

  it('download_without_a_response_head_stays_with_the_browser', async () => {
    const world = new Simulation(family)
    world.limitPassed = true
    world.hasAccess = false
    await world.worker().consider(world.begin())
    expect(calls(world)).toEqual([])
    expect(world.copies()).toEqual(['browser'])
  })

  it('reason_of_the_refusal_is_remembered', async () => {
    const world = simulation(family)
    world.reply = 'refuse'
    await world.worker().consider(world.begin())
    const refusal = { code: 'browser-not-same-file', text: 'Not the same file.' }
    expect(world.stored.session['last_kept']).toEqual({ name: 'disk.iso', site: 'page.test', at: world.now, why: { refusal } })
  })

  it('private_download_is_neither_offered_nor_stored', async () => {
    const world = simulation(family)
    await world.worker().consider(world.begin({ incognito: true }))
    expect(world.log).toEqual([])
    expect(world.stored).toEqual({ local: {}, session: {} })
  })

  it('request_ids_are_not_repeated_after_a_restart_of_the_browser', async () => {
    const world = simulation(family)
    await world.worker().consider(world.begin())
    for (const key of Object.keys(world.stored.session)) delete world.stored.session[key]
    await world.worker().consider(world.begin())
    expect(world.held.size).toBe(2)
  })
})

describe('response head in firefox', () => {
  it('response_head_is_used_even_if_it_arrives_after_the_download', async () => {
    const world = new Simulation('firefox')
    const done = world.worker().consider(world.begin({ totalBytes: -1 }))
    await settled()
    expect(world.log).toEqual([])
    world.seeHead({ 'content-length': '5000000' })
    await done
    expect([...world.held.values()][0]?.size).toBe(5_000_000)
  })

  it('download_stays_with_the_browser_if_no_response_head_arrives', async () => {
    const world = new Simulation('firefox')
    world.limitPassed = true
    await world.worker().consider(world.begin())
    expect(world.copies()).toEqual(['browser'])
    expect(world.stored.session['last_kept']).toMatchObject({ why: { rule: 'no-head' } })
  })

  it('extension_without_access_does_not_wait_for_response_head', async () => {
    const world = new Simulation('firefox')
    world.hasAccess = false
    await world.worker().consider(world.begin())
    expect(world.copies()).toEqual(['browser'])
  })
})

describe('warning of chromium', () => {
  it('download_with_a_warning_stays_with_the_browser_and_ashore_is_not_asked', async () => {
    const world = simulation('chromium')
    const item = world.begin()
    world.change(7, { danger: 'content' })
    await world.worker().consider(item)
    expect(calls(world)).toEqual([])
    expect(world.stored.session['last_kept']).toMatchObject({ why: { rule: 'danger' } })
  })

  it('only_the_browser_keeps_the_download_if_a_warning_appears_while_ashore_is_asked', async () => {
    const world = simulation('chromium')
    world.beforeAnswer = () => world.change(7, { danger: 'content' })
    await world.worker().consider(world.begin())
    expect(world.copies()).toEqual(['browser'])
    expect(pairs(world)).toEqual({})
    expect(world.stored.session['last_kept']).toMatchObject({ why: { rule: 'danger' } })
  })
})

describe('pause in chromium', () => {
  it('alarm_is_set_as_long_as_the_extension_pauses_a_download', async () => {
    await killedAtAnyCall('chromium', 'refuse', async (world) => {
      if (world.items.get(7)?.paused === true) expect(world.alarm).toBe('paused')
      await world.worker().recover()
      expect(world.items.get(7)?.paused ?? false).toBe(false)
      if (Object.keys(pairs(world) as object).length === 0) expect(world.alarm).toBeNull()
    })
  })

  it('download_resumes_at_the_next_start_if_storage_fails', async () => {
    await killedAtAnyCall('chromium', 'refuse', async (world) => {
      world.storageFails = true
      await world.worker().recover()
      expect(world.items.get(7)?.paused ?? false).toBe(false)
    })
  })

  it('download_that_the_person_paused_is_not_resumed', async () => {
    const world = simulation('chromium')
    world.begin({ paused: true })
    await world.worker().recover()
    expect(world.items.get(7)?.paused).toBe(true)
  })

  it('paused_download_resumes_after_a_restart_of_the_browser', async () => {
    const world = simulation('chromium')
    world.begin({ state: 'interrupted', error: 'USER_SHUTDOWN' })
    world.stored.local['paused'] = { 7: 'a/7' }
    await world.worker().recover()
    expect(world.items.get(7)?.state).toBe('in_progress')
    expect(world.stored.local['paused']).toEqual({})
  })
})

const PAGE = 'https://page.test/list'
const FILE = 'https://files.test/disk.iso'

it.each([
  [PAGE, 'https://page.test/', PAGE],
  ['https://frame.test/', PAGE, 'https://frame.test/'],
  [null, PAGE, PAGE],
  ['about:blank', PAGE, PAGE],
  [FILE, PAGE, PAGE],
  ['chrome://newtab/', null, null],
  [null, 'android-app://app.test/', null],
  [FILE, FILE, null],
])('with_tab_page_%s_and_referrer_%s_the_page_of_the_download_is_%s', (top, referrer, expected) => {
  expect(pageOf(top, referrer, [FILE])).toBe(expected)
})
