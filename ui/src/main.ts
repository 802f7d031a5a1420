// Begins the page: picks the body and the language, mounts the views.
import { mount } from 'svelte'

import { pickApi } from './api/pick'
import Window from './shell/App.svelte'
import './styles/app.css'
import { App } from './shell/app.svelte'
import { REMEMBERED } from './settings/settings.svelte'
import { speak } from './i18n/i18n.svelte'

const theme = new URLSearchParams(location.search).get('theme')
if (theme === 'dark' || theme === 'light') document.documentElement.dataset.theme = theme

// What it was the last time: the settings are read only when the engine answers.
const [api] = await Promise.all([pickApi(), speak(localStorage.getItem(REMEMBERED) ?? 'auto')])
const app = new App(api)
mount(Window, { target: document.getElementById('app')!, props: { app } })
