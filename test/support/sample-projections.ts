import type { ProjectionSchema } from '#src/ports/read-store.ts'
import { type AnyProjection, defineProjection, type WindowSpec } from '#src/runtime/fold/projection.ts'

/** Balance per account: needs the rows it changes, so it is stateful. */
export function balancesProjection(version = 1): AnyProjection {
  return defineProjection({
    name: 'balances',
    version,
    collections: { balances: { fields: { account: 'int64', balance: 'int64' }, key: ['account'] } },
  }).on('TransactionRecorded', {
    reads: ['transfers', 'memo'],
    needs: ({ transfers }, rows) => {
      for (const { accountId } of transfers) rows.want('balances', accountId)
    },
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

/** Times per aligned window of four events, and one row per event: order-free, with state that only memory holds. */
export function timesProjection({ version = 1, refuses = 'poison' }: TimesOptions = {}): AnyProjection {
  const schema = {
    name: 'times',
    version,
    collections: {
      windows: { fields: { window: 'int32', times: 'text' }, key: ['window'], appendOnly: true },
      events: {
        fields: { time: 'int64', sequence: 'int64' },
        key: ['time'],
        indexes: [['sequence']],
        appendOnly: true,
      },
    },
  } as const satisfies ProjectionSchema
  const window: WindowSpec<{ index: number; times: bigint[]; changed: boolean }> = {
    size: 4,
    open: (index) => ({ index, times: [], changed: false }),
    flush: (state, put) => {
      if (state.changed) put('windows', { window: state.index, times: state.times.join(' ') })
      state.changed = false
    },
  }
  return defineProjection(schema, { orderFree: true, window }).on('TransactionRecorded', {
    reads: ['consensusTimestamp', 'memo'],
    apply: ({ consensusTimestamp, memo }, rows, { sequence, window: state }) => {
      if (memo?.toString() === refuses) throw new Error('cannot fold poison')
      rows.put('events', { time: consensusTimestamp, sequence: BigInt(sequence) })
      state.times.push(consensusTimestamp)
      state.changed = true
    },
  })
}
