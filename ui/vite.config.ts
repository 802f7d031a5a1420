// Builds the static page of the window. The shell serves `dist` and allows no inline script.
import { svelte } from '@sveltejs/vite-plugin-svelte'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  plugins: [svelte(), tailwindcss()],
  // Keep the build messages of the shell on the screen.
  clearScreen: false,
  // The locales are outside this folder, because the shell uses them too.
  server: { port: 1420, strictPort: true, host: '127.0.0.1', fs: { allow: ['.', '../locales'] } },
  preview: { port: 1421, strictPort: true, host: '127.0.0.1' },
  // A preload helper may become an inline script; modern browsers do not need the helper.
  build: {
    target: 'safari16',
    modulePreload: { polyfill: false },
    // Put each language into a single chunk, because all of its messages are needed together.
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
