import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openSqliteControlStore } from '#src/adapters/sqlite/control-store.ts'
import { openSqliteDecisionStore } from '#src/adapters/sqlite/decision-store.ts'
import { openSqliteLog } from '#src/adapters/sqlite/message-log.ts'
import { openSqliteReadStore } from '#src/adapters/sqlite/read-store.ts'
import { isLedgerError } from '#src/domain/errors.ts'
import type { ProjectionSchema, Row } from '#src/ports/read-store.ts'
import { scrubRows } from '#src/runtime/replay/scrub.ts'
import { logRecord, readAll } from '#test/contract/message-log.contract.ts'
import { createRandom, seed } from '#test/drill/random.ts'
import { mountSmallDisk, type SmallDisk, whyNoDisk } from '#test/drill/small-disk.ts'
import { temporaryFolder } from '#test/support/temporary-folder.ts'

/** How often the disk is full within a commit of each kind; more with LEDGER_TEST_FULL_DISKS=400. */
const rounds = Number(process.env['LEDGER_TEST_FULL_DISKS'] ?? 20)
const diskBytes = 8 << 20
/** What was committed has to fit. */
const roundsOfDisk = 20
const commitsMax = 2_000

/** One kind of commit. Numbers count what was committed, from 1. */
interface Kind {
  readonly name: string
  open(folder: string): Promise<Opened>
  /** How many are there, each as it was committed; opens all of it anew. Rejects where anything is wrong with them. */
  count(folder: string): Promise<number>
}

interface Opened {
  /** Commits as many as it likes, from one that is there on, and says through which. */
  commit(after: number): Promise<number>
  close(): Promise<void>
}

const text = (number: number): string => `${number} `.repeat(400)

const logKind: Kind = {
  name: 'events of the log, and what read models publish',
  async open(folder) {
    const log = openSqliteLog({ folder })
    const writer = await log.openWriter()
    return {
      commit: async (after) => {
        const numbers = [1, 2, 3].map((each) => after + each)
        const { sequence } = await writer.append(
          numbers.map((number) => [logRecord(number, { value: Buffer.from(text(number)) })]),
        )
        return sequence
      },
      async close() {
        await writer.close()
        await log.close()
      },
    }
  },
  async count(folder) {
    const log = openSqliteLog({ folder })
    const records = await readAll(log, 0, 100_000)
    expect(records.map(({ value }) => Buffer.from(value).toString())).toEqual(
      records.map((_, place) => text(place + 1)),
    )
    expect((await log.head()).sequence).toBe(records.length)
    await log.close()
    return records.length
  },
}

const rowsKind = (
  name: string,
  schema: ProjectionSchema,
  rowOf: (number: number) => { collection: string; row: Row },
): Kind => ({
  name,
  async open(folder) {
    const store = openSqliteReadStore({ folder })
    const writer = await store.openWriter(schema)
    return {
      async commit(after) {
        // From a row to more than the cache of a writer would ever hold.
        const to = after + 1 + (after % 40)
        const open = writer.begin(after)
        try {
          for (let number = after + 1; number <= to; number++) {
            const { collection, row } = rowOf(number)
            open.put(collection, row)
          }
        } catch (error) {
          await open.abandon()
          throw error
        }
        await open.commit({ position: to, time: BigInt(to) })
        return to
      },
      async close() {
        await writer.close()
        await store.close()
      },
    }
  },
  async count(folder) {
    const store = openSqliteReadStore({ folder })
    const scrubbed = await scrubRows({ store, schema })
    if (scrubbed?.damage !== undefined) throw scrubbed.damage
    const reader = await store.openReader(schema)
    const position = (await reader.checkpoint())?.position ?? 0
    const { collection } = rowOf(1)
    const { key } = schema.collections[collection]!
    const numbers = Array.from({ length: position }, (_, place) => place + 1)
    const fields = Object.keys(schema.collections[collection]!.fields)
    const rows = await reader.get(
      collection,
      numbers.map((number) => key.map((field) => rowOf(number).row[field]!)),
      fields,
    )
    expect(rows).toEqual(numbers.map((number) => rowOf(number).row))
    expect(scrubbed?.rows ?? 0).toBe(position)
    await reader.close()
    await store.close()
    return position
  },
})

const readModel = {
  name: 'filled',
  version: 1,
  collections: {
    rows: {
      kind: 'state',
      fields: { id: 'int64', text: 'text', hash: 'text' },
      key: ['id'],
      indexes: [['hash']],
    },
  },
} as const satisfies ProjectionSchema

const planKind: Kind = {
  name: 'the plan',
  async open(folder) {
    const control = openSqliteControlStore({ folder })
    return {
      async commit(after) {
        for (const name of ['plan', `document ${after + 1}`]) {
          const revision = (await control.get(name))?.revision ?? 0
          if (name === 'plan' && revision > after) continue
          if (!(await control.put(name, JSON.stringify({ number: after + 1, text: text(after + 1) }), revision)))
            throw new Error('nobody else writes here')
        }
        return after + 1
      },
      close: () => control.close(),
    }
  },
  async count(folder) {
    const control = openSqliteControlStore({ folder })
    const plan = await control.get('plan')
    const others = await control.list('document ')
    for (const each of others) {
      const number = Number(each.name.split(' ')[1])
      expect(JSON.parse(each.text)).toEqual({ number, text: text(number) })
    }
    await control.close()
    // Two documents are two commits.
    expect([0, 1]).toContain((plan?.revision ?? 0) - others.length)
    return others.length
  },
}

const decisionKind: Kind = {
  name: 'decisions',
  async open(folder) {
    const store = openSqliteDecisionStore({ folder })
    const metadata = {
      command_id: 'c',
      command_digest: 'd',
      actor: 'a',
      actor_role: 'operator',
      recorded_at: '',
      schema_version: 1,
    } as const
    return {
      async commit(after) {
        const number = after + 1
        await store.append(`stream-${number}`, 'none', [
          { id: `id-${number}`, type: 'Noted', data: { note: text(number) }, metadata },
        ])
        return number
      },
      close: () => store.close(),
    }
  },
  async count(folder) {
    const store = openSqliteDecisionStore({ folder })
    let count = 0
    for await (const { events } of store.readAll({ after: 0, countMax: 1_000, follow: false }))
      for (const { data, stream } of events) {
        count += 1
        expect([stream, data]).toEqual([`stream-${count}`, { note: text(count) }])
      }
    await store.close()
    return count
  },
}

const kinds: readonly Kind[] = [
  logKind,
  rowsKind('rows of a read model', readModel, (number) => ({
    collection: 'rows',
    row: { id: BigInt(number), text: text(number), hash: ((number * 2_654_435_761) % 2 ** 32).toString(16) },
  })),
  planKind,
  decisionKind,
]

if (whyNoDisk !== undefined) console.warn(`skipped: a full disk within each kind of commit: ${whyNoDisk}`)

describe.skipIf(whyNoDisk !== undefined)(
  `a disk that is full within a commit${whyNoDisk === undefined ? '' : ` (skipped: ${whyNoDisk})`}`,
  () => {
    for (const kind of kinds) {
      it(`loses nothing that was committed, and leaves nothing of what was not: ${kind.name}, ${rounds} times (seed ${seed})`, {
        timeout: 60_000 + rounds * 4_000,
      }, async () => {
        const random = createRandom(seed)
        for (let left = rounds; left > 0; left -= roundsOfDisk)
          await withSmallDisk((disk) => suffer(kind, disk, { random, rounds: Math.min(left, roundsOfDisk) }))
      })
    }
  },
)

async function withSmallDisk(use: (disk: SmallDisk) => Promise<void>): Promise<void> {
  const folder = await temporaryFolder()
  const disk = mountSmallDisk(join(folder.path, 'disk'), diskBytes)
  try {
    await use(disk)
  } finally {
    disk.unmount()
    await folder.remove()
  }
}

interface Rounds {
  readonly rounds: number
  readonly random: () => number
}

async function suffer(kind: Kind, disk: SmallDisk, { rounds, random }: Rounds): Promise<void> {
  const folder = join(disk.path, 'data')
  const first = await kind.open(folder)
  let done = await first.commit(0)
  await first.close()
  for (let round = 0; round < rounds; round++) {
    // Room for a few pages, or for some commits.
    disk.fill(Math.floor(random() ** 2 * 400_000))
    const opened = await kind.open(folder).catch((error: unknown) => {
      expectFull(error, round)
      return undefined
    })
    let failed = opened === undefined
    for (let commit = 0; !failed && commit < commitsMax; commit++) {
      try {
        done = await opened!.commit(done)
      } catch (error) {
        expectFull(error, round)
        failed = true
      }
    }
    expect(failed, `round ${round}: the disk got full`).toBe(true)
    // What cannot be asked while it is full says so; what can is right.
    const meanwhile = await kind.count(folder).catch((error: unknown) => {
      expectFull(error, round)
      return done
    })
    expect(meanwhile, `round ${round}, while it is full`).toBe(done)
    disk.free()
    // Whoever waited goes on with what it has.
    if (opened !== undefined && round % 2 === 0) done = await opened.commit(done)
    await opened?.close()
    expect(await kind.count(folder), `round ${round}, once there is room`).toBe(done)
    const again = await kind.open(folder)
    done = await again.commit(done)
    await again.close()
    expect(await kind.count(folder), `round ${round}, afterwards`).toBe(done)
  }
}

function expectFull(error: unknown, round: number): void {
  if (isLedgerError(error, 'disk_full')) return
  throw new Error(`round ${round}: ${error instanceof Error ? error.stack : String(error)}`, { cause: error })
}
