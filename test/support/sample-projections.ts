import type { ProjectionSchema } from '#src/ports/read-store.ts'
import { type AnyProjection, defineProjection } from '#src/runtime/fold/projection.ts'

/** Balance per account: needs the rows it changes, so it is stateful. */
export function balancesProjection(version = 1): AnyProjection {
  return defineProjection({
    schema: {
      name: 'balances',
      version,
      collections: { balances: { fields: { account: 'int64', balance: 'int64' }, key: ['account'] } },
    } satisfies ProjectionSchema,
    reads: { TransactionRecorded: ['transfers', 'memo'] },
    orderFree: false,
    needs: (event) =>
      event.type === 'TransactionRecorded'
        ? event.event.transfers.map(({ accountId }) => ({ collection: 'balances', key: [accountId] }))
        : [],
    apply: (event, { get, put }) => {
      if (event.type !== 'TransactionRecorded') return
      if (event.event.memo?.toString() === `poison ${version}`) throw new Error('cannot fold poison')
      for (const { accountId, amount } of event.event.transfers) {
        const balance = (get('balances', [accountId])?.['balance'] as bigint | undefined) ?? 0n
        put('balances', { account: accountId, balance: balance + amount })
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
  return defineProjection<{ index: number; times: bigint[]; changed: boolean }>({
    schema: {
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
    } satisfies ProjectionSchema,
    reads: { TransactionRecorded: ['consensusTimestamp', 'memo'] },
    orderFree: true,
    window: {
      size: 4,
      open: (index) => ({ index, times: [], changed: false }),
      flush: (window, put) => {
        if (window.changed) put('windows', { window: window.index, times: window.times.join(' ') })
        window.changed = false
      },
    },
    apply: (event, { window, put }) => {
      if (event.type !== 'TransactionRecorded') return
      if (event.event.memo?.toString() === refuses) throw new Error('cannot fold poison')
      put('events', { time: event.event.consensusTimestamp, sequence: BigInt(event.sequence) })
      window.times.push(event.event.consensusTimestamp)
      window.changed = true
    },
  })
}
