// Starts the page: chooses the API implementation and the language, and mounts the views.
import { mount } from 'svelte'

import { pickApi } from './app/pick-api'
import Window from './shell/App.svelte'
import './styles/app.css'
import { App } from './app/app.svelte'
import { adaptToPhones } from './components/phone.svelte'
import { theme } from './components/theme.svelte'
import { REMEMBERED } from './settings/settings.svelte'
import { requestSentencesFrom } from './i18n/engine-messages'
import { speak } from './i18n/i18n.svelte'

theme.start(new URLSearchParams(location.search).get('theme'))

// Use the language of the last session, because the settings are available only after the engine answers. If the
// language cannot be loaded, the page stays in English.
const language = speak(localStorage.getItem(REMEMBERED) ?? 'auto').catch(() => undefined)
const [api] = await Promise.all([pickApi(), language])
requestSentencesFrom((language) => api.sentences(language))
const target = document.getElementById('app')!
if (api.can.adaptToPhones) adaptToPhones()
if (api.remote !== null) await (await import('./remote/start')).startRemote(api.remote, target)
const app = new App(api)
mount(Window, { target, props: { app } })
