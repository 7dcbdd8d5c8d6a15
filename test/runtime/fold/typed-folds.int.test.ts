import { describe, expect, it } from 'vitest'
import type { ProjectionSchema } from '#src/ports/read-store.ts'
import { type AnyProjection, defineProjection } from '#src/runtime/fold/projection.ts'
import { alice, bob, publish, recordOf, transactionRecorded } from '#test/support/events.ts'
import { foldGround } from '#test/support/fold-ground.ts'

const entitiesSchema = {
  name: 'entities',
  version: 1,
  collections: {
    entities: { kind: 'state', fields: { id: 'int64', memo: 'text?', seen: 'int32' }, key: ['id'] },
    aliases: { kind: 'state', fields: { alias: 'bytes', id: 'int64' }, key: ['alias'] },
    facts: { kind: 'facts', untimed: 'sample', fields: { time: 'int64', id: 'int64' }, key: ['time'] },
  },
} as const satisfies ProjectionSchema

/** Who is named by an alias (the memo) is found through the alias, then counted: two stages. */
const entities = defineProjection(entitiesSchema).on('TransactionRecorded', {
  reads: ['consensusTimestamp', 'payerAccountId', 'memo', 'nonce'],
  apply: ({ consensusTimestamp: time, payerAccountId, memo, nonce }, rows) => {
    if (nonce === 1 && memo !== null) {
      rows.put('aliases', { alias: memo, id: payerAccountId })
      rows.put('entities', { id: payerAccountId, memo: memo.toString(), seen: 0 })
      return
    }
    const id = memo === null ? payerAccountId : rows.get('aliases', memo)?.id
    if (id === undefined) return
    const before = rows.get('entities', id)
    rows.put('entities', { id, memo: before?.memo ?? null, seen: (before?.seen ?? 0) + 1 })
    rows.put('facts', { time, id })
    if (nonce === 2) rows.remove('entities', id)
  },
})

describe('a fold', () => {
  const ground = foldGround()

  const run = ground.fold
  const allRows = ({ schema }: AnyProjection) => ground.allRows(schema)
  const event = (time: bigint, payer: bigint, memo: string | null, nonce = 0) => {
    const bytes = memo === null ? null : Buffer.from(memo)
    const facts = { consensusTimestamp: time, payerAccountId: payer, memo: bytes, nonce }
    return recordOf('TransactionRecorded', transactionRecorded(facts))
  }
  const story = [
    event(1n, alice, 'a', 1),
    event(2n, bob, 'a'),
    event(3n, bob, null),
    event(4n, bob, 'b'),
    event(5n, bob, 'b', 1),
    event(6n, alice, 'b'),
    event(7n, bob, 'a', 2),
    event(8n, alice, null),
  ]

  it('sees what earlier events of its batch wrote, whatever the batches, the commits, the room for rows and where they are', async () => {
    await publish(ground.log, story)
    const found: unknown[] = []
    for (const limits of [
      {},
      { readCountMax: 1 },
      { readCountMax: 3, commitEventsMax: 2 },
      { commitRowsMax: 1 },
      { readCountMax: 2, cacheBytesMax: 0 },
    ])
      for (const isFar of [false, true]) {
        await ground.emptyStore()
        await run([entities], limits, isFar)
        found.push(await allRows(entities))
      }
    expect(found[0]).toMatchObject({
      entities: [
        { id: alice, memo: null, seen: 1 },
        { id: bob, memo: 'b', seen: 1 },
      ],
      facts: [2n, 3n, 6n, 7n, 8n].map((time) => ({ time })),
    })
    for (const rows of found) expect(rows).toEqual(found[0])
  })

  it('sees the fields that it declares and no others, whatever its neighbours declare', async () => {
    const schema = {
      name: 'memos',
      version: 1,
      collections: { memos: { kind: 'state', fields: { time: 'int64', text: 'text?' }, key: ['time'] } },
    } as const
    const undeclared = defineProjection(schema).on('TransactionRecorded', {
      reads: ['consensusTimestamp'],
      apply: (facts, rows) => {
        // @ts-expect-error: the memo is not declared
        const text = facts.memo?.toString() ?? null
        rows.put('memos', { time: facts.consensusTimestamp, text })
      },
    })
    await publish(ground.log, [event(1n, alice, 'a'), event(2n, alice, 'b')])
    await run([undeclared, entities])
    const live = await allRows(undeclared)
    await ground.emptyStore()
    await run([undeclared])
    expect(live).toEqual(await allRows(undeclared))
    expect(live['memos']).toEqual([
      { time: 1n, text: null },
      { time: 2n, text: null },
    ])
  })

  it('finds in a spread of an event, and in the rest of one, what it finds by name', async () => {
    const schema = {
      name: 'spreads',
      version: 1,
      collections: { spreads: { kind: 'facts', time: 'time', fields: { time: 'int64', text: 'text' }, key: ['time'] } },
    } as const
    const spreads = defineProjection(schema).on('TransactionRecorded', {
      reads: ['consensusTimestamp', 'memo', 'transfers'],
      apply: (facts, rows) => {
        const { memo, ...rest } = facts
        const whole = { ...facts }
        const text = `${whole.memo} ${whole.transfers === facts.transfers} ${rest.transfers === facts.transfers} ${memo}`
        rows.put('spreads', { time: rest.consensusTimestamp, text })
      },
    })
    await publish(ground.log, [event(1n, alice, 'a'), event(2n, alice, 'b')])
    await run([spreads])
    expect((await allRows(spreads))['spreads']).toEqual([
      { time: 1n, text: 'a true true a' },
      { time: 2n, text: 'b true true b' },
    ])
  })

  it('is not run ahead where it hints at what it reads', async () => {
    const applied: bigint[] = []
    const hinting = entities.on('TransactionRecorded', {
      reads: ['consensusTimestamp', 'payerAccountId'],
      needs: ({ payerAccountId }, rows) => void rows.get('entities', payerAccountId),
      apply: ({ consensusTimestamp: time }) => void applied.push(time),
    })
    await publish(ground.log, story)
    await run([hinting], {}, true)
    // The third is the first whose rows are not here: it is folded again, and those behind it once.
    expect(applied).toEqual([1n, 2n, 3n, 3n, 4n, 5n, 6n, 7n, 8n])
  })

  it('composes the handlers of a module that it embeds, which come first and whose rows it sees', async () => {
    const seen = { seen: { kind: 'state', fields: { id: 'int64', times: 'int32' }, key: ['id'] } } as const
    const module = defineProjection({ name: 'seen', version: 1, collections: seen }).on('TransactionRecorded', {
      reads: ['payerAccountId'],
      apply: ({ payerAccountId: id }, rows) => rows.put('seen', { id, times: (rows.get('seen', id)?.times ?? 0) + 1 }),
    })
    const own = {
      firsts: { kind: 'facts', untimed: 'sample', fields: { time: 'int64', id: 'int64' }, key: ['time'] },
    } as const
    const projection = defineProjection({ name: 'firsts', version: 1, collections: { ...seen, ...own } })
      .embed(module)
      .on('TransactionRecorded', {
        reads: ['consensusTimestamp', 'payerAccountId'],
        apply: ({ consensusTimestamp: time, payerAccountId: id }, rows) => {
          if (rows.get('seen', id)?.times === 1) rows.put('firsts', { time, id })
        },
      })
    await publish(ground.log, [event(1n, alice, null), event(2n, bob, null), event(3n, alice, null)])
    await run([projection])
    expect(await allRows(projection)).toEqual({
      seen: [
        { id: alice, times: 2 },
        { id: bob, times: 1 },
      ],
      firsts: [
        { time: 1n, id: alice },
        { time: 2n, id: bob },
      ],
    })
  })

  it('that fails for want of a row is folded again, and parked only where it fails with all of them', async () => {
    const schema = {
      name: 'chains',
      version: 1,
      collections: { chains: { kind: 'state', fields: { id: 'int64', next: 'int64' }, key: ['id'] } },
    } as const
    const last = 40n
    const chains = defineProjection(schema, { orderFree: true }).on('TransactionRecorded', {
      reads: ['payerAccountId', 'nonce'],
      apply: ({ nonce }, rows) => {
        if (nonce === 0) for (let id = 0n; id < last; id++) rows.put('chains', { id, next: id + 1n })
        else {
          let at = 0n
          while (at < last) {
            const row = rows.get('chains', at)
            if (row === undefined) throw new Error(`chain ends at ${at}`)
            at = row.next
          }
          if (nonce === 2) throw new Error('poison')
          rows.put('chains', { id: last, next: at })
        }
      },
    })
    await publish(ground.log, [event(1n, alice, null)])
    await run([chains], {}, true)
    await publish(ground.log, [event(2n, alice, null, 2), event(3n, alice, null, 1)])
    await run([chains], {}, true)
    expect((await allRows(chains))['chains']).toHaveLength(Number(last) + 1)
    const reader = await ground.store.openReader(schema)
    expect(await reader.parked(0, 10)).toEqual([{ sequence: 2, error: 'poison' }])
  })

  it('changes nothing of an event that it refuses, also where it had written before', async () => {
    const schema = {
      name: 'sums',
      version: 1,
      collections: { sums: { kind: 'state', fields: { id: 'int64', sum: 'int64' }, key: ['id'] } },
    } as const
    const sums = defineProjection(schema, { orderFree: true }).on('TransactionRecorded', {
      reads: ['payerAccountId', 'memo'],
      apply: ({ payerAccountId: id, memo }, rows) => {
        rows.put('sums', { id, sum: (rows.get('sums', id)?.sum ?? 0n) + 1n })
        rows.put('sums', { id: -id, sum: 1n })
        if (memo !== null) throw new Error('poison')
      },
    })
    await publish(ground.log, [
      event(1n, alice, null),
      event(2n, alice, 'poison'),
      event(3n, bob, 'poison'),
      event(4n, alice, null),
    ])
    await run([sums])
    const { sums: rows } = await allRows(sums)
    expect(rows).toEqual([
      { id: -alice, sum: 1n },
      { id: alice, sum: 2n },
    ])
    expect(await (await ground.store.openReader(schema)).parkedCount()).toBe(2)
  })

  it('does not compile what its schema and its fields do not have', () => {
    defineProjection(entitiesSchema).on('TransactionRecorded', {
      // @ts-expect-error: there is no such field
      reads: ['payer'],
      apply: () => {},
    })
    defineProjection(entitiesSchema).on('TransactionRecorded', {
      reads: ['payerAccountId'],
      apply: ({ payerAccountId: id }, rows) => {
        // @ts-expect-error: a column is missing
        rows.put('entities', { id, memo: null })
        // @ts-expect-error: a column has another type
        rows.put('entities', { id, memo: null, seen: 1n })
      },
    })
  })
})
