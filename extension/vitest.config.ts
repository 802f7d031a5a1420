// Runs the unit tests of the pure modules, and those of the loops with a simulated browser. Tests with real browsers
// are in `tests/browsers`.
import { defineConfig } from 'vitest/config'

export default defineConfig({ test: { include: ['tests/unit/**/*.test.ts'], environment: 'node' } })
