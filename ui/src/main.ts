// Begins the page: picks the body, mounts the views.
import { mount } from 'svelte'

import { pickApi } from './api/pick'
import Window from './App.svelte'
import './styles/app.css'
import { App } from './stores/app.svelte'

const theme = new URLSearchParams(location.search).get('theme')
if (theme === 'dark' || theme === 'light') document.documentElement.dataset.theme = theme

const app = new App(await pickApi())
mount(Window, { target: document.getElementById('app')!, props: { app } })
