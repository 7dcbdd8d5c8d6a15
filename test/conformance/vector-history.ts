import type { CaseFile, CaseRow } from '#test/conformance/case-file.ts'
import type { StatedLedger } from '#test/evm/vector-state.ts'

/** How the ledger was at the end of an earlier block: what differed, and what was not there yet. */
export interface VectorHistory {
  readonly block: StatedLedger['block']
  readonly set: readonly (readonly [table: string, key: unknown, fields: PastFields])[]
  readonly remove: readonly (readonly [table: string, key: unknown])[]
}

interface PastFields {
  readonly balance?: string
  readonly nonce?: number
  readonly storage?: Readonly<Record<string, string>>
}

const nanos = 1_000_000_000n
/** Everything that differs came to be so at this time: a long while after the earlier block. */
const secondsAfter = 5_000_000n

/** Adds what accounts and contracts were before, and the earlier block, to the rows of the state as it is. */
export function withHistory(rows: CaseFile['rows'], history: VectorHistory): CaseFile['rows'] {
  const changed = String((BigInt(history.block.timestamp) + secondsAfter) * nanos)
  const past = new Map(
    history.set.flatMap(([table, key, fields]) => (table === 'accounts' ? [[String(key), fields]] : [])),
  )
  const later = new Set(history.remove.map(([, key]) => String(key)))
  const entities = rows['entity'] ?? []
  return {
    ...rows,
    entity: entities.map((row) => {
      const id = String(row['id'])
      if (!past.has(id) && !later.has(id)) return row
      return {
        ...row,
        ...(later.has(id) && { created_timestamp: changed }),
        ...(row['balance'] !== null && { balance_timestamp: changed }),
        timestamp_range: { from: changed, to: null },
      }
    }),
    entity_history: entities.flatMap((row) => {
      const fields = past.get(String(row['id']))
      if (fields === undefined) return []
      const { balance, nonce } = fields
      return [
        {
          ...row,
          ...(balance !== undefined && { balance, balance_timestamp: '1' }),
          ...(nonce !== undefined && { ethereum_nonce: String(nonce) }),
          timestamp_range: { from: '1', to: changed },
        },
      ]
    }),
    contract_state: (rows['contract_state'] ?? []).map((row) =>
      past.get(String(row['contract_id']))?.storage === undefined ? row : { ...row, modified_timestamp: changed },
    ),
    contract_state_change: [...past].flatMap(([id, { storage = {} }]) =>
      Object.entries(storage).map(([slot, value]) => changeRow(rows, { id, slot, value, changed })),
    ),
  }
}

interface PastSlot {
  readonly id: string
  readonly slot: string
  readonly value: string
  readonly changed: string
}

/** The write that made of the value then the one of now. */
function changeRow(rows: CaseFile['rows'], { id, slot, value, changed }: PastSlot): CaseRow {
  const key = word(slot)
  const now = (rows['contract_state'] ?? []).find((row) => row['contract_id'] === id && row['slot'] === key)
  return {
    contract_id: id,
    consensus_timestamp: changed,
    slot: key,
    value_read: word(value),
    value_written: now?.['value'] ?? '0x',
    migration: false,
    payer_account_id: '2',
  }
}

function word(value: string): string {
  return `0x${BigInt(value).toString(16).padStart(64, '0')}`
}
