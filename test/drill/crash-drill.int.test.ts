import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allProjections } from '#projections/index.ts'
import { openSqliteLog } from '#src/adapters/sqlite/message-log.ts'
import { openSqliteReadStore } from '#src/adapters/sqlite/read-store.ts'
import { importStateSchema } from '#src/importer/state-schema.ts'
import { systemClock } from '#src/ports/clock.ts'
import { digestLog, digestRows } from '#src/runtime/digest.ts'
import { runSimulator } from '#src/simulator/run.ts'
import { importAll, projectAll, type Role, type RoleFolders } from '#test/drill/role.ts'
import { temporaryFolder } from '#test/support/temporary-folder.ts'

/** More with LEDGER_TEST_KILLS=1000; a failing run is repeated with LEDGER_TEST_SEED. */
const kills = Number(process.env['LEDGER_TEST_KILLS'] ?? 50)
const seed = Number(process.env['LEDGER_TEST_SEED'] ?? Math.floor(Math.random() * 1e9))
const blocks = 250

/** Park and Miller's generator: enough to choose moments, and the seed repeats them. */
function createRandom(start: number): () => number {
  let state = (start % 2_147_483_646) + 1
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

async function digest(data: string): Promise<object> {
  const log = openSqliteLog({ folder: data })
  const store = openSqliteReadStore({ folder: join(data, 'read') })
  const head = await log.head()
  const rows: Record<string, unknown> = {}
  for (const schema of [...allProjections.map((projection) => projection.schema), importStateSchema]) {
    const reader = await store.openReader(schema)
    rows[schema.name] = { checkpoint: await reader.checkpoint(), ...(await digestRows(reader, schema)) }
    await reader.close()
  }
  const result = { head, log: await digestLog(log, head.sequence), rows }
  await log.close()
  return result
}

/** Starts a role and kills it `afterMs` after it began to work; true when it was finished before. */
function killAfter(role: Role, { network, data }: RoleFolders, afterMs: number): Promise<boolean> {
  const file = fileURLToPath(new URL('./role.ts', import.meta.url))
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', file, role, network, data], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return new Promise((resolve, reject) => {
    let errors = ''
    let finished = false
    child.stderr.on('data', (chunk) => {
      errors += chunk
    })
    child.stdout.on('data', (chunk) => {
      const text = String(chunk)
      finished ||= text.includes('done')
      if (text.includes('ready')) setTimeout(() => child.kill('SIGKILL'), afterMs)
    })
    child.on('exit', (code, signal) => {
      if (signal === 'SIGKILL' || code === 0) resolve(finished)
      else reject(new Error(`the ${role} ended with ${code}: ${errors}`))
    })
  })
}

describe('a killed process', () => {
  let folder: { path: string; remove: () => Promise<void> }
  let network: string
  let undisturbed: object

  beforeAll(async () => {
    folder = await temporaryFolder()
    network = join(folder.path, 'network')
    const stop = new AbortController()
    let written = 0
    await runSimulator({
      folder: network,
      options: { seed: 'drill', nodes: 1, transactionsPerSecond: 15, blockSeconds: 2, addressBookUpdateBlocks: 40 },
      paced: false,
      keepBlocks: 0,
      clock: systemClock,
      signal: stop.signal,
      onBlock: () => {
        written++
        if (written === blocks) stop.abort()
      },
    })
    const data = join(folder.path, 'undisturbed')
    await importAll({ network, data })
    await projectAll({ network, data })
    undisturbed = await digest(data)
  }, 120_000)

  afterAll(() => folder.remove())

  it(
    `leaves log and rows as if it had not been killed, ${kills} times over (seed ${seed})`,
    async () => {
      const random = createRandom(seed)
      let done = 0
      for (let round = 0; done < kills; round++) {
        const data = join(folder.path, `round-${round}`)
        const folders = { network, data }
        // Only kills in the middle of the work count; a round ends when the importer once got through.
        for (let finished = false; !finished && done < kills; ) {
          const role = (['import', 'project', 'both'] as const)[Math.floor(random() * 3)] as Role
          const ended = await killAfter(role, folders, random() * 60)
          if (!ended) done++
          finished = ended && role !== 'project'
        }
        await importAll(folders)
        await projectAll(folders)
        expect(await digest(data), `round ${round}, seed ${seed}`).toEqual(undisturbed)
      }
    },
    Math.max(180_000, kills * 3_000),
  )
})
