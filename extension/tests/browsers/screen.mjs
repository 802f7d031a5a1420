// A virtual screen with a window manager, for programs that need a screen and for keys that reach the browser itself.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'

/**
 * Starts the screen. `display` is its name, `press` presses keys in the window in front, `windows` counts the visible windows
 * (an open menu is one of them), and `stop` ends the screen.
 */
export async function startScreen() {
  const failed = (one) =>
    Promise.race([once(one, 'error'), once(one, 'exit')]).then(([error]) => Promise.reject(new Error(`no screen: ${error}`)))
  const screen = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1280x900x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  const [number] = await Promise.race([once(screen.stdio[3], 'data'), failed(screen)])
  const display = `:${String(number).trim()}`
  const env = { ...process.env, DISPLAY: display }
  const manager = spawn('openbox', { env, stdio: 'ignore' })
  await Promise.race([once(manager, 'spawn'), failed(manager)])
  const stop = () => (manager.kill(), screen.kill())
  process.on('exit', stop)
  const xdotool = (...words) => execFileSync('xdotool', words, { env, encoding: 'utf8' })
  return {
    display,
    press: (...keys) => xdotool('key', ...keys),
    windows: () => xdotool('search', '--onlyvisible', '--name', '').split('\n').length,
    stop,
  }
}
