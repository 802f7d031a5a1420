// The popup: Ashore's downloads with their progress, the current tab's site and media, and the latest download that the
// browser kept. The port to the host is open only while the popup is open.
import type { FollowedDownload, Refusal } from '../host/protocol'
import type { MediaFile } from '../links/media'
import { hostNameOf, isWithin, withSite } from '../settings/settings'
import { changeSettings, shareSettings } from '../settings/shared'
import { leftUntil } from '../settings/site-record'
import type { Tab } from '../browser/api'
import { hasAccess } from './access'
import { button, el, toggle } from './dom'
import { absentText, browser, formats, host, memory, reasonText, say, words } from './page'

const status = el('p', { class: 'status', role: 'status' })
const downloads = el('ul', { class: 'downloads' })
const notes = el('div', { class: 'notes' })
const pairing = el('div', { class: 'notes' })
const site = el('section', { class: 'site' })
const media = el('section', { class: 'media', hidden: true })
const hint = el('p', { class: 'hint' })

async function open(): Promise<void> {
  const [tab] = await browser.tabs.query({ active: true, currentWindow: true })
  const settings = button(say('settings'), 'plain', () => void browser.runtime.openOptionsPage().then(() => close()))
  const links = button(say('extension-all-links'), 'plain', () => void addLinks(tab))
  // Extensions may not read the links of the browser's own pages.
  links.disabled = hostNameOf(tab?.url) === null && tab?.url !== undefined
  const main = el('main', { 'aria-busy': 'true' }, downloads, pairing, notes, site, media)
  document.body.append(
    el('header', {}, el('img', { src: 'icons/32.png', alt: '', width: 24, height: 24 }), el('h1', {}, 'Ashore'), status),
    main,
    el('footer', {}, hint, el('div', { class: 'actions' }, links, settings)),
  )
  await Promise.all([follow(), showSite(tab), showKept(), showMedia(tab), showHint()])
  if (await shareSettings(memory, host)) await showSite(tab)
  main.removeAttribute('aria-busy')
}

/** Shows the reports of the host. If the host is missing, shows advice. */
async function follow(): Promise<void> {
  const greeting = await host.greet()
  if (greeting === null) {
    status.textContent = say('extension-state.missing')
    status.classList.add('trouble')
    return showPairing()
  }
  status.classList.remove('trouble')
  pairing.replaceChildren()
  status.textContent = say(greeting.is_running ? 'extension-state.running' : 'extension-state.idle')
  if (greeting.is_running) downloads.replaceChildren(el('li', { class: 'empty' }, say('totals-idle')))
  host.follow(
    (known) => {
      status.textContent = say(known.is_running ? 'extension-state.running' : 'extension-state.idle')
      const rows = known.downloads.map(row)
      downloads.replaceChildren(
        ...(rows.length > 0 ? rows : known.is_running ? [el('li', { class: 'empty' }, say('totals-idle'))] : []),
      )
    },
    () => {
      downloads.replaceChildren()
      // If the host ends at once, it must not be started again without a pause.
      setTimeout(() => void follow(), 1000)
    },
  )
}

/** Offers to pair this browser if it cannot start the native host or has none. */
async function showPairing(): Promise<void> {
  const cure = absentText(await host.pairing())
  const trouble = el('p', { class: 'trouble', role: 'alert' })
  const input = el('input', {
    type: 'text',
    class: 'code',
    dir: 'ltr',
    autocomplete: 'off',
    spellcheck: 'false',
    placeholder: say('extension-pair.code'),
    'aria-label': say('extension-pair.code'),
  })
  let isPairing = false
  const pair = async (): Promise<void> => {
    // A second use of the code would be refused while the first one waits for its answer.
    if (isPairing) return
    isPairing = true
    const refusal = await host.pair(input.value)
    isPairing = false
    if (refusal === null) return follow()
    trouble.textContent = reasonText({ refusal })
  }
  const form = el(
    'form',
    {
      class: 'note',
      onsubmit: (event) => {
        event.preventDefault()
        void pair()
      },
    },
    el('p', {}, say('extension-pair.why')),
    input,
    el('button', { type: 'submit', class: 'plain' }, say('extension-pair')),
    trouble,
  )
  pairing.replaceChildren(el('p', { class: 'note' }, cure), form)
}

function row(one: FollowedDownload): HTMLElement {
  const { title, state, downloaded, expected_total: total, speed, trouble } = one
  const isRunning = state === 'running'
  const left = isRunning && total !== null && speed > 0 ? (total - downloaded) / speed : null
  const amount = state === 'complete' || total === null ? formats.size(total ?? downloaded) : formats.part(downloaded, total)
  const facts = [
    trouble ?? stateText(state),
    trouble === null && amount,
    isRunning && speed > 0 && formats.rate(speed),
    left !== null && say('time-left', { time: formats.span(left) }),
  ].filter((fact): fact is string => Boolean(fact))
  const share = total === null || total === 0 ? null : Math.min(100, Math.floor((downloaded / total) * 100))
  const bar = el('div', {
    class: isRunning ? 'bar' : 'bar still',
    role: 'progressbar',
    'aria-label': title,
    'aria-valuemin': 0,
    'aria-valuemax': 100,
    'aria-valuenow': share,
    style: `--share: ${share ?? 0}%`,
  })
  const isEnded = state === 'complete' || state === 'failed'
  return el(
    'li',
    { class: state === 'failed' ? 'failed' : '' },
    el('p', { class: 'title', dir: 'auto', title }, title),
    !isEnded && bar,
    el('p', { class: 'facts', dir: trouble === null ? null : 'auto' }, facts.join(' · ')),
  )
}

function stateText(state: string): string | null {
  if (state === 'paused') return say('row-paused')
  if (state === 'waiting') return say('row-waits')
  if (state === 'complete') return say('filter-done')
  return state === 'failed' ? say('filter-failed') : null
}

async function showSite(tab: Tab | undefined): Promise<void> {
  const name = hostNameOf(tab?.url)
  if (name === null) return
  const [settings, records] = await Promise.all([memory.settings.get(), memory.records.get()])
  const isLeft = settings.sites.some((listed) => isWithin(name, listed))
  const change = (isOn: boolean): void => {
    void changeSettings(memory, host, (now) => withSite(now, name, isOn)).then(() => showSite(tab))
  }
  const until = leftUntil(records, name, Date.now())
  const again = button(say('extension-site-again'), 'plain', () => {
    const without = (known: typeof records): typeof records =>
      Object.fromEntries(Object.entries(known).filter(([listed]) => !isWithin(name, listed)))
    void memory.records.update(without).then(() => showSite(tab))
  })
  site.replaceChildren(
    el('p', { class: 'name', dir: 'ltr' }, name),
    toggle(say('extension-site'), isLeft, change),
    ...(until === null || isLeft
      ? []
      : [
          el(
            'div',
            { class: 'note' },
            el('p', {}, say('extension-site-refused', { site: name, date: words.date(until) })),
            again,
          ),
        ]),
  )
}

async function showKept(): Promise<void> {
  await browser.action.setBadgeText({ text: '' })
  const kept = await memory.lastKept.get()
  if (kept === null) return
  notes.append(
    el(
      'div',
      { class: 'note' },
      el('p', { class: 'title', dir: 'auto' }, say('extension-kept', { name: kept.name || kept.site })),
      el('p', { dir: 'auto' }, reasonText(kept.why)),
    ),
  )
}

async function showMedia(tab: Tab | undefined): Promise<void> {
  const files = ((await browser.runtime.sendMessage({ type: 'media', tab })) ?? []) as MediaFile[]
  if (files.length === 0) return
  const kinds = { video: 'kind-video', audio: 'kind-music', stream: 'extension-media-stream' }
  const rows = files.map(({ url, name, kind, size }) => {
    const facts = [say(kinds[kind]), size !== null && formats.size(size), hostNameOf(url)].filter(Boolean).join(' · ')
    const add = button(say('add'), 'plain', () => void addFile(add, tab, url), say('extension-media-add', { name }))
    return el(
      'li',
      {},
      el('div', {}, el('p', { class: 'title', dir: 'auto', title: url }, name), el('p', { class: 'facts' }, facts)),
      add,
    )
  })
  media.hidden = false
  media.replaceChildren(el('h2', {}, say('extension-media')), el('ul', {}, ...rows))
}

async function addFile(add: HTMLButtonElement, tab: Tab | undefined, url: string): Promise<void> {
  add.disabled = true
  const refusal = (await browser.runtime.sendMessage({ type: 'add', tab, url })) as Refusal | null
  if (refusal === null) add.textContent = say('extension-added')
  else {
    add.disabled = false
    add.after(el('p', { class: 'reason', role: 'alert' }, reasonText({ refusal })))
  }
}

async function addLinks(tab: Tab | undefined): Promise<void> {
  const refusal = (await browser.runtime.sendMessage({ type: 'links', tab })) as Refusal | null
  if (refusal === null) close()
  else notes.replaceChildren(el('p', { class: 'note', role: 'alert' }, reasonText({ refusal })))
}

async function showHint(): Promise<void> {
  const [{ has_bypass_key }, isAllowed] = await Promise.all([memory.settings.get(), hasAccess(browser)])
  if (!isAllowed) hint.textContent = say('extension-welcome-access.without')
  else if (has_bypass_key) hint.textContent = say('extension-bypass')
}

void open()
