import type { CaseFile, CaseRow } from '#test/conformance/case-file.ts'
import { emptyTransaction } from '#test/conformance/vector-transactions.ts'
import type { StatedLedger } from '#test/evm/vector-state.ts'

/** How the ledger was at the end of an earlier block: what differed, and what was not there yet. */
export interface VectorHistory {
  readonly block: StatedLedger['block']
  readonly set: readonly (readonly [table: string, key: VectorKey, fields: PastFields])[]
  readonly remove: readonly (readonly [table: string, key: VectorKey])[]
}

/** Of relations and NFTs two numbers. */
type VectorKey = number | readonly number[]

interface PastFields {
  readonly balance?: string | number
  readonly nonce?: number
  readonly storage?: Readonly<Record<string, string>>
  readonly name?: string
  readonly totalSupply?: number
  readonly owner?: number
}

type Rows = CaseFile['rows']

const nanos = 1_000_000_000n
/** Everything that differs came to be so at this time: a long while after the earlier block. */
const secondsAfter = 5_000_000n
const treasury = '2'

/** Columns by which rows of a table are named. */
const keys = {
  entity: ['id'],
  token: ['token_id'],
  token_account: ['account_id', 'token_id'],
  nft: ['token_id', 'serial_number'],
} as const

/** Adds what was otherwise before, and the earlier block, to the rows of the state as it is. */
export function withHistory(rows: Rows, history: VectorHistory): Rows {
  const changed = String((BigInt(history.block.timestamp) + secondsAfter) * nanos)
  const past = pastOf(history)
  const table = (name: keyof typeof keys, parts: readonly string[]) => versioned(name, rows, past(parts), changed)
  const slots = past(['accounts'])
  return {
    ...rows,
    ...table('entity', ['accounts', 'tokens']),
    ...table('token', ['tokens']),
    ...table('token_account', ['relations']),
    nft: table('nft', ['nfts'])['nft'] ?? [],
    // Who had an NFT is told by what moved it: an earlier version of it is nobody's.
    transaction: [
      ...(rows['transaction'] ?? []),
      ...[...past(['nfts']).set].map(([nft, { owner }]) => moveRow(nft, owner, history)),
    ],
    account_balance: snapshotOf(rows['entity'], ['id', 'account_id'], past(['accounts']), history),
    token_balance: snapshotOf(rows['token_account'], ['account_id', 'account_id'], past(['relations']), history),
    contract_state: (rows['contract_state'] ?? []).map((row) =>
      slots.set.get(String(row['contract_id']))?.storage === undefined ? row : { ...row, modified_timestamp: changed },
    ),
    contract_state_change: [...slots.set].flatMap(([id, { storage = {} }]) =>
      Object.entries(storage).map(([slot, value]) => changeRow(rows, { id, slot, value, changed })),
    ),
  }
}

interface Past {
  readonly set: ReadonlyMap<string, PastFields>
  readonly later: ReadonlySet<string>
}

function pastOf({ set, remove }: VectorHistory): (tables: readonly string[]) => Past {
  return (tables) => ({
    set: new Map(set.flatMap(([table, key, fields]) => (tables.includes(table) ? [[String(key), fields]] : []))),
    later: new Set(remove.flatMap(([table, key]) => (tables.includes(table) ? [String(key)] : []))),
  })
}

function keyOf(row: CaseRow, columns: readonly string[]): string {
  return columns.map((column) => row[column]).join()
}

/** The rows of a table with the time since when they are so, and those before them. */
function versioned(name: keyof typeof keys, rows: Rows, { set, later }: Past, changed: string): Rows {
  const now = rows[name] ?? []
  const isKnown = (row: CaseRow): boolean => set.has(keyOf(row, keys[name])) || later.has(keyOf(row, keys[name]))
  return {
    [name]: now.map((row) => {
      if (!isKnown(row)) return row
      const isLater = later.has(keyOf(row, keys[name]))
      const hasBalance = row['balance'] !== null && row['balance_timestamp'] !== undefined
      return {
        ...row,
        ...(isLater && { created_timestamp: changed }),
        ...(hasBalance && { balance_timestamp: changed }),
        timestamp_range: { from: changed, to: null },
      }
    }),
    [`${name}_history`]: now.flatMap((row) => {
      const fields = set.get(keyOf(row, keys[name]))
      const { from } = row['timestamp_range'] as CaseRow
      return fields === undefined ? [] : [{ ...row, ...columnsOf(fields), timestamp_range: { from, to: changed } }]
    }),
  }
}

function moveRow(nft: string, owner: number | undefined, { block }: VectorHistory): CaseRow {
  const [token_id, serial_number] = nft.split(',')
  const time = String(BigInt(block.timestamp) * nanos)
  const move = {
    token_id,
    serial_number,
    sender_account_id: null,
    receiver_account_id: String(owner),
    is_approval: false,
  }
  return {
    ...emptyTransaction,
    ...{ consensus_timestamp: time, valid_start_ns: time, payer_account_id: treasury, entity_id: null },
    ...{ transaction_hash: `0x${'00'.repeat(48)}`, index: 0, nft_transfer: [move] },
  }
}

function columnsOf({ nonce, name, totalSupply }: PastFields): CaseRow {
  return {
    ...(nonce !== undefined && { ethereum_nonce: String(nonce) }),
    ...(name !== undefined && { name }),
    ...(totalSupply !== undefined && { total_supply: String(totalSupply) }),
  }
}

/** Balances of then, with that of the treasury, which says that there is a snapshot. */
function snapshotOf(
  rows: readonly CaseRow[] = [],
  [from, to]: readonly [from: string, to: string],
  { set }: Past,
  { block }: VectorHistory,
): CaseRow[] {
  const consensus_timestamp = String(BigInt(block.timestamp) * nanos)
  return rows.flatMap((row) => {
    const balance = set.get(keyOf(row, 'token_id' in row ? keys.token_account : keys.entity))?.balance
    if (balance === undefined && row['id'] !== treasury) return []
    const token = row['token_id']
    return [
      {
        consensus_timestamp,
        [to]: row[from],
        balance: String(balance ?? row['balance']),
        ...(token !== undefined && { token_id: token }),
      },
    ]
  })
}

interface PastSlot {
  readonly id: string
  readonly slot: string
  readonly value: string
  readonly changed: string
}

/** The write that made of the value then the one of now. */
function changeRow(rows: Rows, { id, slot, value, changed }: PastSlot): CaseRow {
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
