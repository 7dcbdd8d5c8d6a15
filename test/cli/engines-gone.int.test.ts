import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Program } from './support.ts'

/** Takes connections and never says a word, as a machine does whose disk hangs: no client is told that it is gone. */
const silent = createServer()
let port = 0
let folder: string

beforeAll(async () => {
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  port = (silent.address() as AddressInfo).port
  folder = mkdtempSync(join(tmpdir(), 'ledger-engines-gone-'))
})
afterAll(() => {
  silent.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('with log and store gone', () => {
  it.each([
    ['start', '--port', '0'],
    ['serve', '--port', '0', '--network', 'simulated'],
    ['project', '--lanes', '1', '--network', 'simulated'],
  ])(
    '%s stops within 5 s',
    async (...verb) => {
      const engines = ['--log', 'kafka', '--kafka-brokers', `127.0.0.1:${port}`, '--store', 'mongodb']
      const program = new Program([...verb, ...engines, '--mongodb-uri', `mongodb://127.0.0.1:${port}/`], {
        cwd: folder,
      })
      await once(silent, 'connection', { signal: AbortSignal.timeout(30_000) })
      // Long enough to be in the midst of asking.
      await sleep(2_000)
      expect(program.child.exitCode, program.err).toBeNull()
      const askedMs = performance.now()
      const { code, err } = await program.stop('SIGTERM')
      expect(performance.now() - askedMs, err).toBeLessThan(5_000)
      expect([0, 75], err).toContain(code)
    },
    60_000,
  )
})
