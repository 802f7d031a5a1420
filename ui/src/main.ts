// Begins the page: picks the body, mounts the views.
import { mount } from 'svelte'

import { pickApi } from './api/pick'
import Window from './App.svelte'
import './styles/app.css'
import { App } from './stores/app.svelte'

const asked = new URLSearchParams(location.search)
const [theme, direction] = [asked.get('theme'), asked.get('dir')]
if (theme === 'dark' || theme === 'light') document.documentElement.dataset.theme = theme
if (direction === 'rtl' || direction === 'ltr') document.documentElement.dir = direction

const app = new App(await pickApi())
mount(Window, { target: document.getElementById('app')!, props: { app } })
