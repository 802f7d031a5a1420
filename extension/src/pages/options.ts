// The settings of the extension. Every change takes effect at once.
import { DEFAULTS } from '../host/shared-rules'
import { endingsOf, hostNameOf, type Settings, withSite } from '../settings/settings'
import { changeSettings, shareSettings } from '../settings/shared'
import { button, type Child, el, toggle } from './dom'
import { askForAccess, hasAccess, removeAccess } from './access'
import { continueIn, focusedIn } from './focus'
import { absentText, browser, host, memory, say } from './page'

const MEBIBYTE = 1_048_576
const main = el('main', {})

const change = (how: (settings: Settings) => Settings): Promise<void> => changeSettings(memory, host, how).then(show)

async function show(): Promise<void> {
  const [settings, isAllowed] = await Promise.all([memory.settings.get(), hasAccess(browser)])
  const focused = focusedIn(main)
  main.replaceChildren(
    mode(settings),
    least(settings),
    sites(settings),
    endings(settings),
    key(settings, isAllowed),
    access(isAllowed),
  )
  main.append(connection())
  if (focused !== null) continueIn(main, focused)
}

const section = (title: string, ...children: Child[]): HTMLElement => el('section', {}, el('h2', {}, title), ...children)

function mode({ mode }: Settings): HTMLElement {
  const choice = (value: Settings['mode'], label: string, hint: string): HTMLElement =>
    el(
      'label',
      { class: 'choice' },
      el('input', {
        type: 'radio',
        name: 'mode',
        value,
        checked: mode === value,
        onchange: () => void change((settings) => ({ ...settings, mode: value })),
      }),
      el('span', {}, el('b', {}, label), el('small', {}, hint)),
    )
  return section(
    say('setting-browser-hand-over'),
    choice('automatic', say('setting-browser-hand-over.automatic'), say('extension-mode.automatic-hint')),
    choice('menu', say('setting-browser-hand-over.menu'), say('extension-mode.menu-hint')),
  )
}

function least({ least_size }: Settings): HTMLElement {
  const input = el('input', {
    type: 'number',
    min: 0,
    step: 'any',
    value: String(Math.round((least_size / MEBIBYTE) * 100) / 100),
    'aria-label': say('setting-browser-least-size'),
    onchange: () => {
      input.defaultValue = input.value
      const mebibytes = input.valueAsNumber
      const size = Number.isFinite(mebibytes) && mebibytes >= 0 ? Math.round(mebibytes * MEBIBYTE) : DEFAULTS.least_size
      void change((settings) => ({ ...settings, least_size: size }))
    },
  })
  return section(say('setting-browser-least-size'), el('p', { class: 'hint' }, say('extension-least.hint')), input)
}

function sites(settings: Settings): HTMLElement {
  const rows = settings.sites.map((name) => {
    const remove = button(
      say('remove'),
      'plain',
      () => void change((now) => withSite(now, name, false)),
      say('extension-sites.remove', { site: name }),
    )
    return el('li', {}, el('span', { dir: 'ltr' }, name), remove)
  })
  const trouble = el('p', { class: 'trouble', role: 'alert' })
  const input = el('input', {
    type: 'text',
    placeholder: say('extension-sites.add'),
    'aria-label': say('extension-sites.add'),
  })
  const form = el(
    'form',
    { class: 'line', onsubmit: (event) => (event.preventDefault(), add()) },
    input,
    el('button', { class: 'plain' }, say('add')),
  )
  const add = (): void => {
    const typed = input.value.trim()
    const name = hostNameOf(typed.includes('://') ? typed : `https://${typed}`)
    if (name === null) trouble.textContent = say('extension-sites.trouble')
    else {
      // The text is stored now, so a new field is empty.
      input.value = ''
      void change((now) => withSite(now, name, true))
    }
  }
  const list =
    rows.length > 0 ? el('ul', { class: 'sites' }, ...rows) : el('p', { class: 'hint' }, say('setting-browser-sites.none'))
  return section(say('setting-browser-sites'), list, form, trouble)
}

function endings(settings: Settings): HTMLElement {
  const input = el('input', {
    type: 'text',
    dir: 'ltr',
    value: settings.endings.join(' '),
    'aria-label': say('setting-browser-endings'),
    onchange: () => {
      input.defaultValue = input.value
      void change((now) => ({ ...now, endings: endingsOf(input.value) }))
    },
  })
  return section(say('setting-browser-endings'), el('p', { class: 'hint' }, say('setting-browser-endings.about')), input)
}

function key({ has_bypass_key }: Settings, isAllowed: boolean): HTMLElement {
  const hint = say(isAllowed ? 'setting-browser-bypass-key.about' : 'extension-bypass-access')
  return section(
    say('setting-browser-bypass-key'),
    toggle(hint, has_bypass_key, (isOn) => void change((settings) => ({ ...settings, has_bypass_key: isOn }))),
  )
}

function access(isAllowed: boolean): HTMLElement {
  const press = isAllowed
    ? button(say('extension-access.revoke'), 'plain', () => void removeAccess(browser).then(show))
    : button(say('extension-access.allow'), 'primary', () => void askForAccess(browser).then(show))
  return section(
    say('extension-access'),
    el('p', { class: 'hint' }, say(isAllowed ? 'extension-access.given' : 'extension-access.missing')),
    !isAllowed && el('p', { class: 'hint' }, say('extension-welcome-access.without')),
    press,
  )
}

function connection(): HTMLElement {
  const state = el('p', { class: 'hint', role: 'status' })
  const check = async (): Promise<void> => {
    const greeting = await host.greet()
    state.textContent =
      greeting === null ? absentText(await host.pairing()) : say('extension-connection.version', { version: greeting.program })
  }
  void check()
  return section(
    say('extension-connection'),
    state,
    button(say('browsers-check'), 'plain', () => void check()),
  )
}

document.title = say('settings')
document.body.append(
  el('header', {}, el('img', { src: 'icons/128.png', alt: '', width: 40, height: 40 }), el('h1', {}, say('settings'))),
  main,
)
void show()
void shareSettings(memory, host).then((isChanged) => (isChanged ? show() : undefined))
