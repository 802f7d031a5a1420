// Builds the static page of the window. The desktop program serves `dist` and permits no inline script. The HTTP server of
// Ashore serves the same files under any path, so all addresses in them are relative.
import { svelte } from '@sveltejs/vite-plugin-svelte'
import tailwindcss from '@tailwindcss/vite'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'

/** Adds the icons of the page that a browser installs as an app. The desktop program has its own icons. */
function icons(): Plugin {
  return {
    name: 'icons',
    apply: 'build',
    async generateBundle() {
      for (const size of ['256x256', '512x512']) {
        const source = await this.fs.readFile(new URL(`../icons/${size}.png`, import.meta.url).pathname)
        this.emitFile({ type: 'asset', fileName: `icons/${size}.png`, source })
      }
    },
  }
}

export default defineConfig({
  base: './',
  plugins: [svelte(), tailwindcss(), icons()],
  // Keep the build messages of the desktop program on the screen.
  clearScreen: false,
  // Allow the locales, which are outside this folder because the desktop program uses them too.
  server: { port: 1420, strictPort: true, host: '127.0.0.1', fs: { allow: ['.', '../locales'] } },
  preview: { port: 1421, strictPort: true, host: '127.0.0.1' },
  // Disable the preload helper, which may become an inline script. Modern browsers do not need it.
  build: {
    target: 'safari16',
    modulePreload: { polyfill: false },
    // Put each language into one chunk, because all of its messages are needed together.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [{ name: (id) => /\/locales\/(?!en\/)([^/]+)\//.exec(id)?.[1] ?? null, test: /\/locales\/(?!en\/)/ }],
        },
      },
    },
  },
  test: { include: ['tests/**/*.test.ts'], environment: 'node' },
})
