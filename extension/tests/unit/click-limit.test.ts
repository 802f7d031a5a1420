import { describe, expect, it } from 'vitest'

import { type Activity, countHandOff, isBypassed, NO_ACTIVITY, sourcesOf, withClick } from '../../src/handoff/click-limit'

const LINK = 'https://page.test/get'
const click = (at: number, has_key: boolean, href: string | null = null) => ({ at, has_key, href })

describe('isBypassed', () => {
  it.each<[string, ReturnType<typeof click>[], number, boolean]>([
    ['no click', [], 0, false],
    ['link with the key', [click(0, true, LINK)], 100, true],
    ['link without the key', [click(0, false, LINK)], 100, false],
    ['link with the key, and a slow server', [click(0, true, LINK)], 50_000, true],
    ['link with the key, much later', [click(0, true, LINK)], 60_001, false],
    ['other link with the key just before', [click(0, true, 'https://page.test/other'), click(10, false, LINK)], 100, false],
    ['button with the key', [click(0, true)], 4_999, true],
    ['button with the key, later', [click(0, true)], 5_000, false],
    ['button with the key, then another click', [click(0, true), click(10, false)], 100, false],
  ])('%s', (_, clicks, now, expected) => {
    const activity = clicks.reduce(withClick, NO_ACTIVITY)
    expect(isBypassed(activity, [`${LINK}#part`], now)).toBe(expected)
  })
})

describe('countHandOff', () => {
  const count = (activity: Activity, times: number, site = 'page.test', now = 0): Activity | null => {
    let current: Activity | null = activity
    for (let at = 0; at < times && current !== null; at += 1)
      current = countHandOff(current, sourcesOf(-1, [`https://${site}/`]), now)
    return current
  }

  it('ten_hand_offs_a_minute_are_allowed_without_a_click', () => {
    expect(count(NO_ACTIVITY, 10)).not.toBeNull()
    expect(count(NO_ACTIVITY, 11)).toBeNull()
  })

  it('hand_offs_of_different_sites_are_counted_separately', () => {
    expect(count(count(NO_ACTIVITY, 10)!, 1, 'other.test')).not.toBeNull()
  })

  it('thirty_hand_offs_a_minute_of_all_sites_together_are_allowed_without_a_click', () => {
    let activity: Activity | null = NO_ACTIVITY
    for (let at = 0; at < 30; at += 1) activity = count(activity!, 1, `r${at}.test`)
    expect(activity).not.toBeNull()
    expect(count(activity!, 1, 'r30.test')).toBeNull()
    expect(count(activity!, 1, 'r30.test', 60_000)).not.toBeNull()
  })

  it('hand_offs_of_different_sites_in_one_tab_are_counted_together', () => {
    let activity: Activity | null = NO_ACTIVITY
    const counted = (at: number): Activity | null => countHandOff(activity!, sourcesOf(5, [`https://r${at}.test/`]), 0)
    for (let at = 0; at < 10; at += 1) activity = counted(at)
    expect(activity).not.toBeNull()
    expect(counted(10)).toBeNull()
    expect(countHandOff(activity!, sourcesOf(6, ['https://r10.test/']), 0)).not.toBeNull()
  })

  it('old_hand_offs_are_forgotten', () => {
    const later = count(count(NO_ACTIVITY, 10)!, 1, 'other.test', 60_000)
    expect(Object.keys(later!.unclicked)).toEqual(['host other.test', 'all'])
  })

  it('site_may_hand_over_again_after_a_minute', () => {
    expect(count(count(NO_ACTIVITY, 10)!, 10, 'page.test', 60_000)).not.toBeNull()
  })

  it('click_allows_one_more_hand_off', () => {
    const clicked = withClick(count(NO_ACTIVITY, 10)!, click(0, false))
    expect(count(clicked, 1)).not.toBeNull()
    expect(count(clicked, 2)).toBeNull()
  })
})

describe('withClick', () => {
  it('at_most_twenty_clicks_are_kept', () => {
    let activity = NO_ACTIVITY
    for (let at = 0; at < 30; at += 1) activity = withClick(activity, click(at, false))
    expect(activity.clicks.map(({ at }) => at)).toEqual([...Array(20).keys()].map((at) => at + 10))
  })
})
