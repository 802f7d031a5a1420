import { describe, expect, it } from 'vitest'

import { afterRefusal, afterTaken, leftUntil, recordsOf, type SiteRecords } from '../../src/settings/site-record'
import { rulesOf } from '../../src/host/shared-rules'
import {
  changesOf,
  endingsOf,
  hostNameOf,
  type Settings,
  settingsOf,
  sharedRules,
  withChange,
  withRules,
  withSite,
} from '../../src/settings/settings'

const DEFAULTS = settingsOf(undefined)

describe('settingsOf', () => {
  it.each([undefined, null, 5, [], {}, { mode: 'other', least_size: 'large', sites: 'page.test', endings: 1 }])(
    'stored_settings_%j_give_the_defaults',
    (stored) => {
      expect(settingsOf(stored)).toEqual({ ...rulesOf(undefined), unsent: [], is_shared: false })
    },
  )

  it('valid_values_are_kept', () => {
    const settings = { mode: 'menu', least_size: 0, sites: ['page.test'], endings: [], has_bypass_key: false }
    const stored = { ...settings, unsent: ['sites', 'later'], is_shared: true }
    expect(settingsOf(stored)).toEqual({ ...stored, unsent: ['sites'] })
  })

  it('rules_that_the_user_chose_before_the_first_exchange_with_ashore_count_as_unsent', () => {
    expect(settingsOf({ mode: 'menu', least_size: 5 }).unsent).toEqual(['mode', 'least_size'])
  })
})

describe('rules of Ashore', () => {
  const ashore = { ...rulesOf(undefined), sites: ['ashore.test'], least_size: 7 }
  const shared = withRules(DEFAULTS, DEFAULTS, ashore)
  const menuOnly = (settings: Settings): Settings => withChange(settings, { ...settings, mode: 'menu' })

  it('unchanged_settings_are_replaced_by_the_rules_of_ashore', () => {
    expect(sharedRules(settingsOf(undefined))).toEqual(rulesOf(undefined))
    expect(sharedRules(shared)).toEqual(ashore)
    expect(withRules(shared, shared, ashore)).toBe(shared)
  })

  it('changed_rule_is_sent_and_kept_until_ashore_confirms_it', () => {
    const changed = menuOnly(shared)
    expect([changesOf(changed), sharedRules(changed)]).toEqual([{ mode: 'menu' }, null])
    expect(withRules(changed, shared, ashore)).toMatchObject({ mode: 'menu', unsent: ['mode'] })
    const answered = withRules(changed, changed, { ...ashore, mode: 'menu' })
    expect(sharedRules(answered)).toEqual({ ...ashore, mode: 'menu' })
  })

  it('rule_stays_unsent_if_changed_during_the_exchange', () => {
    const sent = menuOnly(shared)
    const now = withChange(sent, { ...sent, mode: 'automatic' })
    expect(withRules(now, sent, { ...ashore, mode: 'menu' })).toMatchObject({ mode: 'automatic', unsent: ['mode'] })
  })

  it('refused_value_is_replaced_by_the_value_that_ashore_uses', () => {
    const sent = withChange(shared, { ...shared, sites: ['not a site'] })
    expect(withRules(sent, sent, ashore)).toMatchObject({ sites: ['ashore.test'], unsent: [] })
  })

  it('setting_a_rule_to_its_current_value_changes_nothing', () => {
    expect(withChange(shared, { ...shared, sites: ['ashore.test'] })).toBe(shared)
  })
})

describe('withSite', () => {
  it('site_is_listed_only_once_if_it_is_added_twice', () => {
    expect(withSite(withSite(DEFAULTS, 'page.test', true), 'page.test', true).sites).toEqual(['page.test'])
  })

  it('removal_of_a_subdomain_removes_its_listed_domain', () => {
    expect(withSite({ ...DEFAULTS, sites: ['page.test', 'other.test'] }, 'www.page.test', false).sites).toEqual(['other.test'])
  })
})

describe('endingsOf', () => {
  it('list_of_endings_may_have_any_separators_dots_and_case', () => {
    expect(endingsOf(' .HTML, *.js;css\njs ')).toEqual(['html', 'js', 'css'])
    expect(endingsOf('')).toEqual([])
  })
})

describe('hostNameOf', () => {
  it.each([
    ['https://www.page.test:8443/a?b', 'www.page.test'],
    ['http://[::1]/', '[::1]'],
    ['about:blank', null],
    ['moz-extension://5/', null],
    ['', null],
    [undefined, null],
  ])('%s', (address, name) => {
    expect(hostNameOf(address)).toBe(name)
  })
})

describe('site records', () => {
  const refuse = (records: SiteRecords, now = 0, code = 'browser-not-same-file', reason?: string) =>
    afterRefusal(records, 'page.test', { code, text: '', ...(reason !== undefined && { reason }) }, now)

  it('site_and_its_subdomains_stay_with_the_browser_for_30_days_after_two_refusals', () => {
    const records = refuse(refuse({}))
    const end = 30 * 24 * 3600 * 1000
    expect(leftUntil(records, 'page.test', 1)).toBe(end)
    expect(leftUntil(records, 'www.page.test', 1)).toBe(end)
    expect(leftUntil(records, 'other.test', 1)).toBeNull()
    expect(leftUntil(records, 'page.test', end)).toBeNull()
  })

  it('single_refusal_does_not_exclude_the_site', () => {
    expect(leftUntil(refuse({}), 'page.test', 1)).toBeNull()
  })

  it('download_accepted_between_two_refusals_resets_the_count_of_refusals', () => {
    expect(leftUntil(refuse(afterTaken(refuse({}), 'page.test')), 'page.test', 1)).toBeNull()
  })

  it.each(['browser-ashore-absent', 'host-silent', 'browser-waiting', 'unknown'])(
    'refusal_%s_does_not_count_against_the_site',
    (code) => {
      expect(refuse({}, 0, code)).toEqual({})
    },
  )

  it.each([undefined, 'dns', 'timeout', 'keychain', 'bad-status.proxy'])(
    'reason_%s_of_this_computer_does_not_count_against_the_site',
    (reason) => {
      expect(refuse({}, 0, 'browser-refused', reason)).toEqual({})
    },
  )

  it.each(['bad-status', 'bad-status.gone', 'bad-status.status'])('reason_%s_of_the_server_counts_against_the_site', (reason) => {
    expect(refuse({}, 0, 'browser-refused', reason)).toMatchObject({ 'page.test': { refusals: 1 } })
  })

  it('at_most_five_hundred_sites_are_kept', () => {
    let records: SiteRecords = {}
    for (let at = 0; at < 600; at += 1)
      records = afterRefusal(records, `s${at}.test`, { code: 'browser-not-same-file', text: '' }, 0)
    expect(Object.keys(records)).toHaveLength(500)
    expect(records['s599.test']).toBeDefined()
  })

  it.each([null, 'x', { 'a.test': null }, { 'a.test': { refusals: 'two' } }])('broken_site_records_%j_are_dropped', (stored) => {
    expect(recordsOf(stored)).toEqual({})
  })
})
