// The welcome page: asks once for access to all sites and states the reason. The extension also works after "Not now".
import { button, el } from './dom'
import { askForAccess, hasAccess } from './access'
import { browser, host, say } from './page'

const access = el('section', { class: 'card' })
const state = el('p', { class: 'note', hidden: true })

async function showAccess(): Promise<void> {
  if (await hasAccess(browser))
    return access.replaceChildren(el('p', { class: 'given', role: 'status' }, say('extension-welcome-access.given')))
  const without = el('p', { class: 'hint' }, say('extension-welcome-access.without'))
  const later = (): void => access.replaceChildren(el('p', { role: 'status' }, say('extension-welcome-access.refused')), without)
  const ask = (): void => void askForAccess(browser).then((isGiven) => (isGiven ? showAccess() : later()))
  access.replaceChildren(
    el('h2', {}, say('extension-welcome-access')),
    el('p', {}, say('extension-welcome-access.why')),
    el('p', { class: 'hint' }, say('extension-welcome-access.what')),
    without,
    el(
      'div',
      { class: 'actions' },
      button(say('extension-access.allow'), 'primary', ask),
      button(say('recovery-later'), 'plain', later),
    ),
  )
}

async function showHost(): Promise<void> {
  if ((await host.greet()) !== null) return
  state.hidden = false
  state.textContent = say('extension-state.missing-cure')
}

document.title = say('extension-welcome')
document.body.append(
  el(
    'main',
    {},
    el('img', { src: 'icons/128.png', alt: '', width: 72, height: 72 }),
    el('h1', {}, say('extension-welcome')),
    el('p', { class: 'body' }, say('extension-welcome.body')),
    state,
    access,
    el('p', { class: 'hint' }, say('extension-bypass')),
  ),
)
void Promise.all([showAccess(), showHost()])
