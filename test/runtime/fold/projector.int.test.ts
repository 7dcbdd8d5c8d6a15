import { afterEach, describe, expect, it } from 'vitest'
import { openSqliteLog } from '#src/adapters/sqlite/message-log.ts'
import { openSqliteReadStore } from '#src/adapters/sqlite/read-store.ts'
import { isLedgerError, LedgerError } from '#src/domain/errors.ts'
import type { MessageLog } from '#src/ports/message-log.ts'
import type { ProjectionSchema, ProjectionWriter, ReadStore, Row } from '#src/ports/read-store.ts'
import { type AnyProjection, defineProjection } from '#src/runtime/fold/projection.ts'
import { runProjections } from '#src/runtime/fold/projector.ts'
import type { ProjectionProgress } from '#src/runtime/fold/projector-limits.ts'
import { alice, publish, recordOf, transactionRecorded } from '#test/support/events.ts'

/** Balance per account: needs the rows it changes. */
const balancesSchema = {
  name: 'balances',
  version: 1,
  collections: { balances: { kind: 'state', fields: { account: 'int64', balance: 'int64' }, key: ['account'] } },
} as const satisfies ProjectionSchema

const balances = defineProjection(balancesSchema).on('TransactionRecorded', {
  reads: ['transfers'],
  apply: ({ transfers }, rows) => {
    for (const { accountId, amount } of transfers) {
      const balance = rows.get('balances', accountId)?.balance ?? 0n
      rows.put('balances', { account: accountId, balance: balance + amount })
    }
  },
})

/** A row per event: depends on no other. */
const timesSchema = {
  name: 'times',
  version: 1,
  collections: { times: { kind: 'facts', untimed: 'sample', fields: { time: 'int64' }, key: ['time'] } },
} as const satisfies ProjectionSchema

const times = defineProjection(timesSchema, { orderFree: true }).on('TransactionRecorded', {
  reads: ['consensusTimestamp', 'memo'],
  apply: ({ consensusTimestamp, memo }, rows) => {
    if (memo?.toString() === 'poison') throw new Error('cannot fold poison')
    rows.put('times', { time: consensusTimestamp })
  },
})

/** The store's methods, so that single ones can be replaced. */
function passedOn(store: ReadStore): ReadStore {
  return {
    openReader: (schema) => store.openReader(schema),
    openWriter: (schema) => store.openWriter(schema),
    remove: (schema) => store.remove(schema),
    close: () => store.close(),
  }
}

function passedOnWriter(writer: ProjectionWriter): ProjectionWriter {
  return {
    checkpoint: writer.checkpoint,
    epoch: writer.epoch,
    load: (collection, keys) => writer.load(collection, keys),
    commit: (batch) => writer.commit(batch),
    begin: (from) => writer.begin(from),
    unpark: (sequences) => writer.unpark(sequences),
    close: () => writer.close(),
  }
}

describe('runProjections', () => {
  let log: MessageLog
  let store: ReadStore
  const open = () => {
    log = openSqliteLog({ folder: ':memory:', pollMs: 1 })
    store = openSqliteReadStore({ folder: ':memory:' })
  }
  afterEach(async () => {
    await store.close()
    await log.close()
  })

  const readSide = (): Omit<ReadStore, 'openWriter'> => ({
    openReader: (schema) => store.openReader(schema),
    remove: (schema) => store.remove(schema),
    close: () => store.close(),
  })
  const record = (time: bigint, memo?: string) =>
    recordOf(
      'TransactionRecorded',
      transactionRecorded({ consensusTimestamp: time, memo: memo === undefined ? null : Buffer.from(memo) }),
    )
  const run = (projections: readonly AnyProjection[], options: object = {}) =>
    runProjections({ log, store, projections, follow: false, ...options })
  const rowsOf = async (schema: ProjectionSchema, collection: string, key: string): Promise<Row[]> => {
    const reader = await store.openReader(schema)
    const select = Object.keys(schema.collections[collection]?.fields ?? {})
    return (await reader.find({ collection, index: [key], limit: 1_000, select })).map((row) => ({ ...row }))
  }
  const timesOf = async () => (await rowsOf(timesSchema, 'times', 'time')).map((row) => Number(row['time']))

  it('folds the same rows whatever the batch sizes and however often it stops and starts again', async () => {
    const all = Array.from({ length: 23 }, (_, index) => BigInt(index + 1))
    const results: Row[][] = []
    for (const [readCountMax, commitEventsMax, step] of [
      [100, 100, 23],
      [1, 1, 23],
      [3, 2, 5],
      [7, 100, 1],
    ] as const) {
      open()
      for (let start = 0; start < all.length; start += step) {
        await publish(
          log,
          all.slice(start, start + step).map((time) => record(time)),
        )
        await run([times, balances], { limits: { readCountMax, commitEventsMax } })
      }
      results.push([
        ...(await rowsOf(timesSchema, 'times', 'time')),
        ...(await rowsOf(balancesSchema, 'balances', 'account')),
      ])
    }
    expect(results[0]).toContainEqual({ time: 23n })
    expect(results[0]).toContainEqual({ account: alice, balance: -23n })
    for (const rows of results) expect(rows).toEqual(results[0])
  })

  it('commits no more events at once than the store takes', async () => {
    open()
    const bounded: ReadStore = {
      ...passedOn(store),
      openWriter: async (schema) => ({ ...passedOnWriter(await store.openWriter(schema)), commitEventsMax: 4 }),
    }
    await publish(
      log,
      Array.from({ length: 10 }, (_, index) => record(BigInt(index + 1))),
    )
    const commits: number[] = []
    const onProgress = ({ events }: ProjectionProgress) => commits.push(events)
    await runProjections({
      log,
      store: bounded,
      projections: [balances],
      follow: false,
      limits: { readCountMax: 2 },
      onProgress,
    })
    expect(commits).toEqual([4, 4, 2])
  })

  it('moves the checkpoint over events that a projection does not read', async () => {
    open()
    await publish(log, [
      recordOf('SnapshotStarted', { network: 'test', asOf: 0n }),
      record(5n),
      recordOf('SnapshotCompleted', { count: 0n }),
    ])
    await run([balances])
    const reader = await store.openReader(balancesSchema)
    expect(await reader.checkpoint()).toMatchObject({ position: 3, time: 5n })
  })

  it('parks an event that an order-free live fold refuses, and goes on', async () => {
    open()
    await publish(log, [record(1n), record(2n, 'poison'), record(3n)])
    await run([times])
    expect(await timesOf()).toEqual([1, 3])
    expect(await (await store.openReader(timesSchema)).parkedCount()).toBe(1)
  })

  it('stops at the first refused event when strict, keeping what came before only as far as it was committed', async () => {
    open()
    await publish(log, [record(1n), record(2n, 'poison')])
    const stopped = run([times], { strict: true })
    await expect(stopped).rejects.toSatisfy((error) => isLedgerError(error, 'fold_failed'))
    await expect(stopped).rejects.toThrow(
      /times v1 cannot fold the TransactionRecorded at sequence 2: cannot fold poison/,
    )
    expect(await (await store.openReader(timesSchema)).checkpoint()).toBeUndefined()
  })

  it('stops a stateful projection at an event that it cannot fold', async () => {
    open()
    const broken = defineProjection(balancesSchema).on('TransactionRecorded', {
      reads: [],
      apply: () => {
        throw new Error('overflow')
      },
    })
    await publish(log, [record(1n)])
    await expect(run([broken])).rejects.toSatisfy((error) => isLedgerError(error, 'fold_failed'))
  })

  it('refuses read models that are ahead of the log', async () => {
    open()
    await publish(log, [record(1n), record(2n)])
    await run([balances])
    const other = openSqliteLog({ folder: ':memory:' })
    await publish(other, [record(1n)])
    const ahead = runProjections({ log: other, store, projections: [balances], follow: false })
    await expect(ahead).rejects.toSatisfy((error) => isLedgerError(error, 'checkpoint_ahead'))
    await other.close()
  })

  it('brings a projection that lags far behind up on its own, while the others go on', async () => {
    open()
    await publish(
      log,
      Array.from({ length: 60 }, (_, index) => record(BigInt(index + 1))),
    )
    await run([balances])
    const stop = new AbortController()
    const reached = new Map<string, number>()
    const othersWentOn = Promise.withResolvers<void>()
    // The new projection gets no further than this before the other one has folded what came meanwhile.
    const gated: ReadStore = {
      ...passedOn(store),
      openWriter: async (schema) => {
        const writer = await store.openWriter(schema)
        if (schema.name !== 'times') return writer
        return {
          ...passedOnWriter(writer),
          begin: (from) => {
            const commit = writer.begin(from)
            return {
              ...commit,
              commit: async (to) => {
                if (to.position === 20) await othersWentOn.promise
                await commit.commit(to)
              },
            }
          },
        }
      },
    }
    await publish(log, [record(61n)])
    await runProjections({
      log,
      store: gated,
      projections: [balances, times],
      follow: true,
      signal: stop.signal,
      limits: { sharedLagMax: 10, readCountMax: 4, commitEventsMax: 4 },
      onProgress: ({ name, position }) => {
        reached.set(name, position)
        if (name === 'balances' && position === 61) othersWentOn.resolve()
        if (reached.get('times') === 61 && reached.get('balances') === 61) stop.abort()
      },
    })
    expect((await timesOf()).at(-1)).toBe(61)
  })

  it('hands a projection that has caught up over to the shared reader without losing an event', async () => {
    open()
    await publish(
      log,
      Array.from({ length: 30 }, (_, index) => record(BigInt(index + 1))),
    )
    await run([balances])
    const stop = new AbortController()
    const running = run([balances, times], {
      follow: true,
      signal: stop.signal,
      limits: { sharedLagMax: 10, readCountMax: 3, commitEventsMax: 3 },
      onProgress: ({ name, position }: { name: string; position: number }) => {
        if (name === 'times' && position === 50) stop.abort()
      },
    })
    for (let time = 31n; time <= 50n; time++) {
      await publish(log, [record(time)])
      await new Promise((resolve) => setImmediate(resolve))
    }
    await running
    expect(await timesOf()).toEqual(Array.from({ length: 50 }, (_, index) => index + 1))
  })

  it('follows new events until it is told to stop', async () => {
    open()
    const stop = new AbortController()
    const running = runProjections({
      log,
      store,
      projections: [times],
      follow: true,
      signal: stop.signal,
      onProgress: ({ position }) => {
        if (position === 2) stop.abort()
      },
    })
    await publish(log, [record(1n)])
    await publish(log, [record(2n)])
    await running
    expect(await timesOf()).toEqual([1, 2])
  })

  it('says how far rows reach by what a projection reads: a block counts only once it is recorded', async () => {
    open()
    const blocksOnly = defineProjection({ ...balancesSchema, name: 'blocks-only' }).on('BlockRecorded', {
      reads: ['number'],
      apply: () => {},
    })
    await publish(log, [record(5n), record(7n)])
    await run([blocksOnly])
    const reader = await store.openReader(blocksOnly.schema)
    expect(await reader.checkpoint()).toEqual({ position: 2, time: 0n })
    await publish(log, [recordOf('BlockRecorded', { number: 1n, consensusEnd: 7n })])
    await run([blocksOnly])
    expect(await reader.checkpoint()).toEqual({ position: 3, time: 7n, whole: { position: 3, time: 7n } })
  })

  it('reports what made it stop, also when closing fails too', async () => {
    open()
    await publish(log, [record(1n)])
    const failing: ReadStore = {
      ...passedOn(store),
      openWriter: async (schema) => ({
        ...passedOnWriter(await store.openWriter(schema)),
        begin: () => {
          throw new LedgerError('disk_full', 'The disk is full')
        },
        close: async () => {
          throw new Error('close failed')
        },
      }),
    }
    const stopped = runProjections({ log, store: failing, projections: [balances, times], follow: false })
    await expect(stopped).rejects.toSatisfy((error) => isLedgerError(error, 'disk_full'))
  })

  it('stops with what the store says when a row cannot be loaded, which is no fault of the event', async () => {
    open()
    await publish(log, [recordOf('TransactionRecorded', transactionRecorded({ transfers: [[7n, 1n]] }))])
    const failing: ReadStore = {
      ...passedOn(store),
      openWriter: async (schema) => ({
        ...passedOnWriter(await store.openWriter(schema)),
        loadSync: () => {
          throw new LedgerError('store_damaged', 'The file is damaged')
        },
      }),
    }
    const stopped = runProjections({ log, store: failing, projections: [balances], follow: false })
    await expect(stopped).rejects.toSatisfy((error) => isLedgerError(error, 'store_damaged'))
  })

  it('says what the last commit failed of when it was told to stop', async () => {
    open()
    await publish(log, [record(1n)])
    const stop = new AbortController()
    const away: ReadStore = {
      ...readSide(),
      openWriter: async () => {
        stop.abort()
        throw new LedgerError('store_unavailable', 'The store is away')
      },
    }
    const stopped = runProjections({ log, store: away, projections: [balances], follow: true, signal: stop.signal })
    await expect(stopped).rejects.toSatisfy((error) => isLedgerError(error, 'store_unavailable'))
  })

  /** A store whose writer can be had only after this many refusals. */
  const reluctant = (refusals: number, error: LedgerError): ReadStore => {
    let left = refusals
    return {
      ...readSide(),
      openWriter: async (schema) => {
        if (left-- > 0) throw error
        return store.openWriter(schema)
      },
    }
  }

  it('goes on from the checkpoints when the store was away', async () => {
    open()
    await publish(log, [record(1n), record(2n), record(3n)])
    const away = reluctant(2, new LedgerError('store_unavailable', 'The store is away'))
    await runProjections({ log, store: away, projections: [balances], follow: false, limits: { retryMinMs: 1 } })
    expect(await rowsOf(balancesSchema, 'balances', 'account')).toContainEqual({ account: alice, balance: -3n })
  })

  it('waits for another owner to leave only where it follows the log', async () => {
    open()
    await publish(log, [record(1n)])
    const busy = new LedgerError('owner_busy', 'Another process keeps it up to date')
    const once = runProjections({ log, store: reluctant(1, busy), projections: [balances], follow: false })
    await expect(once).rejects.toBe(busy)
    const stop = new AbortController()
    await runProjections({
      log,
      store: reluctant(2, busy),
      projections: [balances],
      follow: true,
      signal: stop.signal,
      limits: { retryMinMs: 1 },
      onProgress: () => stop.abort(),
    })
    expect(await rowsOf(balancesSchema, 'balances', 'account')).toContainEqual({ account: alice, balance: -1n })
  })

  it('opens the log anew when its reader ends although it was to follow', async () => {
    open()
    await publish(log, [record(1n), record(2n)])
    let readers = 0
    const ending: MessageLog = {
      openWriter: () => log.openWriter(),
      identity: () => log.identity(),
      head: () => log.head(),
      close: () => log.close(),
      read: (options) => {
        if (options.follow) readers += 1
        if (readers === 2) void publish(log, [record(3n)])
        return log.read({ ...options, follow: readers > 1 && options.follow })
      },
    }
    const stop = new AbortController()
    await runProjections({
      log: ending,
      store,
      projections: [balances],
      follow: true,
      signal: stop.signal,
      limits: { retryMinMs: 1 },
      onProgress: ({ position }) => {
        if (position === 3) stop.abort()
      },
    })
    expect(readers).toBe(2)
    expect(await rowsOf(balancesSchema, 'balances', 'account')).toContainEqual({ account: alice, balance: -3n })
  })

  it('refuses a log that holds other events up to its checkpoint', async () => {
    open()
    await publish(log, [record(1n), record(2n)])
    await run([balances])
    const other = openSqliteLog({ folder: ':memory:' })
    await publish(other, [record(1n), record(7n), record(8n)])
    const foreign = runProjections({ log: other, store, projections: [balances], follow: false })
    await expect(foreign).rejects.toSatisfy((error) => isLedgerError(error, 'checkpoint_ahead'))
    await other.close()
  })

  it('stops at a hole in the sequence', async () => {
    open()
    await publish(log, [record(1n), record(2n), record(3n)])
    const holed: MessageLog = {
      openWriter: () => log.openWriter(),
      identity: () => log.identity(),
      head: () => log.head(),
      close: () => log.close(),
      async *read(options) {
        for await (const { records, head } of log.read(options))
          yield { records: records.filter(({ sequence }) => sequence !== 2), head }
      },
    }
    const stopped = runProjections({ log: holed, store, projections: [balances], follow: false })
    await expect(stopped).rejects.toMatchObject({ code: 'log_gap', details: { expected: 2, found: 3 } })
  })
})
