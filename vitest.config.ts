import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.unit.test.ts', 'test/**/*.int.test.ts', 'test/**/*.e2e.test.ts'],
    globalSetup: ['./test/support/global-setup.ts'],
    pool: 'forks',
    // Node runs the TypeScript as it runs the product's, and keeps what it compiled: nothing is transformed anew for each run.
    experimental: { viteModuleRunner: false },
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    reporters: ['default', './test/support/count-reporter.ts'],
  },
})
