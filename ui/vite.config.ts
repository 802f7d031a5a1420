// Builds the static page of the window. The desktop program serves `dist` and permits no inline script.
import { svelte } from '@sveltejs/vite-plugin-svelte'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  plugins: [svelte(), tailwindcss()],
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
