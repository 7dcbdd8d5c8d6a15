import { defineConfig } from 'vitest/config'

const include = ['test/**/*.unit.test.ts', 'test/**/*.int.test.ts', 'test/**/*.e2e.test.ts']
/** What replaces modules (`vi.mock`) needs vitest's own loader, which costs each file half as much again. */
const replacing = [
  'test/simulator/known-fields.unit.test.ts',
  'test/events/older-schemas.int.test.ts',
  'test/runtime/fold/shared-decode.int.test.ts',
]

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    reporters: ['default', './test/support/count-reporter.ts'],
    // Node runs the TypeScript as it runs the product's, and keeps what it compiled: nothing is transformed anew for each run.
    projects: [
      {
        extends: true,
        test: {
          name: 'plain',
          globalSetup: ['./test/support/global-setup.ts'],
          include,
          exclude: replacing,
          experimental: { viteModuleRunner: false, nodeLoader: false },
        },
      },
      { extends: true, test: { name: 'replacing', include: replacing, experimental: { viteModuleRunner: false } } },
    ],
  },
})
