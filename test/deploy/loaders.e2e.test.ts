import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { repositoryRoot } from '../../scripts/services/folders.ts'
import { installGoSource } from '../../scripts/services/install.ts'
import { hasTool } from '../../scripts/services/run-tool.ts'
import { dashboardQueries, readCompose } from './files.ts'

const run = promisify(execFile)
const buildTimeoutMs = 10 * 60_000
const reason = hasTool('go') ? '' : ' (skipped: go is not on the PATH, and builds the programs that check them)'
if (reason) console.warn(`files for Docker, Prometheus and Grafana, read as these read them${reason}`)

const checks = {
  compose: { file: 'compose-check.go', modules: ['github.com/compose-spec/compose-go/v2@v2.9.0'] },
  rules: { file: 'rules-check.go', modules: ['github.com/prometheus/prometheus@v0.305.0'] },
} as const

async function check(name: keyof typeof checks, args: readonly string[]): Promise<string> {
  const { file, modules } = checks[name]
  const program = await installGoSource({ file: join(import.meta.dirname, file), modules })
  const { stdout } = await run(program, args, { cwd: repositoryRoot, maxBuffer: 10_000_000 })
  return stdout
}

interface Loaded {
  readonly services: Readonly<Record<string, { readonly environment?: Readonly<Record<string, string>> }>>
}

describe.skipIf(reason !== '')(`files for Docker, Prometheus and Grafana${reason}`, () => {
  it('make a project that the loader of Docker Compose accepts and understands as we do', {
    timeout: buildTimeoutMs,
  }, async () => {
    const loaded = JSON.parse(await check('compose', ['docker-compose.yml'])) as Loaded
    expect(Object.keys(loaded.services).sort()).toEqual(Object.keys(readCompose().services).sort())
    expect(loaded.services['api-2']?.environment).toMatchObject({
      LEDGER_ENGINE_LOG: 'kafka',
      LEDGER_LOG_LEVEL: 'info',
    })
    expect(loaded.services['network']?.environment).toEqual({
      LEDGER_SIMULATION_KEEP_BLOCKS: '5000',
      LEDGER_SIMULATION_TRANSACTIONS_PER_SECOND: '20',
    })
  })

  it('have alarms and queries that Prometheus can read', { timeout: buildTimeoutMs }, async () => {
    const queries = dashboardQueries().map(({ query }) => query)
    await check('rules', ['deploy/prometheus/alerts.yml', JSON.stringify(queries)])
    await expect(check('rules', ['deploy/prometheus/alerts.yml', '["rate(broken"]'])).rejects.toThrow(/broken/)
  })
})
