// Build of the window's page. The page is static: the shell serves `dist` and allows no inline script.
import { svelte } from '@sveltejs/vite-plugin-svelte'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  plugins: [svelte(), tailwindcss()],
  // Messages of the shell's own build must stay on the screen.
  clearScreen: false,
  // The words are beside the page, for the shell has them too.
  server: { port: 1420, strictPort: true, host: '127.0.0.1', fs: { allow: ['.', '../locales'] } },
  preview: { port: 1421, strictPort: true, host: '127.0.0.1' },
  // A preload helper would be an inline script in some browsers; modern ones need none.
  build: {
    target: 'safari16',
    modulePreload: { polyfill: false },
    // A language is one file, since all of it is wanted at once.
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
