import type { ProjectionSchema } from '#src/ports/read-store.ts'
import { type AnyProjection, defineProjection } from '#src/runtime/fold/projection.ts'

/** Balance per account: needs the rows it changes, so it is stateful. */
export function balancesProjection(version = 1): AnyProjection {
  return defineProjection({
    name: 'balances',
    version,
    collections: { balances: { kind: 'state', fields: { account: 'int64', balance: 'int64' }, key: ['account'] } },
  }).on('TransactionRecorded', {
    reads: ['transfers', 'memo'],
    apply: ({ transfers, memo }, rows) => {
      if (memo?.toString() === `poison ${version}`) throw new Error('cannot fold poison')
      for (const { accountId, amount } of transfers) {
        const balance = rows.get('balances', accountId)?.balance ?? 0n
        rows.put('balances', { account: accountId, balance: balance + amount })
      }
    },
  })
}

export interface TimesOptions {
  readonly version?: number
  /** Memo of events that the fold refuses. */
  readonly refuses?: string
}

/** Two rows per event, order-free. */
export function timesProjection({ version = 1, refuses = 'poison' }: TimesOptions = {}): AnyProjection {
  const schema = {
    name: 'times',
    version,
    collections: {
      memos: { kind: 'facts', untimed: 'sample', fields: { sequence: 'int32', memo: 'text' }, key: ['sequence'] },
      events: {
        kind: 'facts',
        untimed: 'sample',
        fields: { time: 'int64', sequence: 'int64' },
        key: ['time'],
        indexes: [['sequence']],
      },
    },
  } as const satisfies ProjectionSchema
  return defineProjection(schema, { orderFree: true }).on('TransactionRecorded', {
    reads: ['consensusTimestamp', 'memo'],
    apply: ({ consensusTimestamp, memo }, rows, { sequence }) => {
      if (memo?.toString() === refuses) throw new Error('cannot fold poison')
      rows.put('events', { time: consensusTimestamp, sequence: BigInt(sequence) })
      rows.put('memos', { sequence, memo: memo?.toString() ?? 'none' })
    },
  })
}
