import { writeSync } from 'node:fs'
import type { Reporter, TestModule } from 'vitest/node'

/** Prints one closing line, `N passed, M failed, K skipped`, that tools and people can read at a glance. */
export default class CountReporter implements Reporter {
  onTestRunEnd(testModules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    let passed = 0
    let failed = unhandledErrors.length
    let skipped = 0
    for (const module of testModules) {
      failed += module.errors().length
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        if (state === 'passed') passed++
        else if (state === 'failed') failed++
        else skipped++
      }
    }
    // The default reporter prints its summary at this same event, and vitest what it has to say of open handles later.
    process.once('exit', () => writeSync(1, `${passed} passed, ${failed} failed, ${skipped} skipped\n`))
  }
}
