import { max } from '#queries/common/bigints.ts'
import type { CallBlock } from '#queries/contract-calls/find-block.ts'
import { ledgerAt } from '#queries/contract-calls/ledger-at.ts'
import { unknownFact } from '#queries/contract-calls/unknown-fact.ts'
import type { ReplayContext } from '#queries/contract-results/replayed.ts'
import { hexOf } from '#src/domain/bytes.ts'
import type { AccessListEntry } from '#src/evm/access-lists.ts'
import { type HexAddress, longZeroOf, numberOf } from '#src/evm/addresses.ts'
import type { LedgerState } from '#src/evm/ledger-state.ts'

/** What an account or contract had at an instant. */
interface AccountState {
  /** tinybar. */
  readonly balance: bigint
  readonly nonce: bigint
  /** Hex digits. */
  readonly code: string
  /** By slot: 64 hex digits each. */
  readonly slots: ReadonlyMap<string, string>
}

/** Undefined where it was not there. */
interface TouchedAccount {
  readonly address: HexAddress
  readonly before: AccountState | undefined
  readonly after: AccountState | undefined
}

interface Touched {
  readonly touched: readonly AccessListEntry[]
  /** With the state just before the transaction. */
  readonly block: CallBlock
  readonly time: bigint
  readonly isDiff: boolean
}

const wordDigits = 64
/** Transactions that one brings about. */
const childrenMax = 10_000

/** What the ledger says of each account that a transaction touched, as it was before, and after it with all that it brought about. */
export async function findAccountStates(
  { touched, block, time, isDiff }: Touched,
  context: ReplayContext,
): Promise<TouchedAccount[]> {
  const before = ledgerAt(block, context)
  const after = isDiff ? ledgerAt({ ...block, time: await lastTimeOf(time, context) }, context) : undefined
  const found: TouchedAccount[] = []
  const seen = new Set<bigint>()
  for (const entry of touched) {
    const [was, is] = await Promise.all([stateOf(entry, before), after && stateOf(entry, after)])
    const number = was?.number ?? is?.number
    if (number === undefined || seen.has(number)) continue
    seen.add(number)
    found.push({ address: (was ?? is)!.address, before: was?.state, after: is?.state })
  }
  return found
}

/** The consensus time of the last transaction that it brought about: these have its id, and follow it nanosecond by nanosecond. */
async function lastTimeOf(time: bigint, { rows }: ReplayContext): Promise<bigint> {
  const [row] = await rows.transactions.get('transactions', [[time]], ['validStart', 'payer'])
  if (row === undefined) throw unknownFact('the transaction itself')
  const children = await rows.transactions.find({
    collection: 'transactions',
    index: ['validStart', 'payer'],
    prefix: [row.validStart, row.payer],
    filters: [{ field: 'nonce', op: 'ne', value: 0 }],
    limit: childrenMax,
    select: ['consensusTimestamp'],
  })
  return children
    .map(({ consensusTimestamp }) => consensusTimestamp)
    .filter((each) => each > time && each <= time + BigInt(childrenMax))
    .reduce(max, time)
}

async function stateOf({ address, storageKeys }: AccessListEntry, ledger: LedgerState) {
  const number = numberOf(address)
  const entity = await (number === undefined ? ledger.entityAt(address) : ledger.entity(number))
  if (entity === undefined || (entity.kind !== 'account' && entity.kind !== 'contract')) return undefined
  if (entity.balance === null) throw unknownFact(`the balance of ${address}`)
  const isContract = entity.kind === 'contract'
  const code = isContract ? hexOf(await ledger.code(entity.id)) : ''
  const slots = new Map<string, string>()
  for (const key of isContract ? storageKeys : []) {
    const value = await ledger.slot(entity.id, Buffer.from(key.slice(2), 'hex'))
    slots.set(key.slice(2), hexOf(value).padStart(wordDigits, '0'))
  }
  const state: AccountState = { balance: entity.balance, nonce: entity.nonce ?? 0n, code, slots }
  return { number: entity.id, address: entity.evmAddress ?? longZeroOf(entity.id), state }
}

interface Shown {
  readonly code: boolean
  readonly storage: boolean
  /** Whether only what changed is shown, and what it became. */
  readonly isDiff: boolean
}

export function renderPrestate(accounts: readonly TouchedAccount[], shown: Shown): string {
  const pre: string[] = []
  const post: string[] = []
  for (const { address, before, after } of accounts) {
    if (shown.isDiff && !isChanged(before, after)) continue
    const keys = slotsShown(before, after, shown)
    if (shown.isDiff || before !== undefined) pre.push(renderAccount(address, before, keys, shown))
    if (shown.isDiff) post.push(renderAccount(address, after, keys, shown))
  }
  return `{"pre":[${pre}],"post":[${post}]}`
}

function isChanged(before: AccountState | undefined, after: AccountState | undefined): boolean {
  if (before === undefined || after === undefined) return before !== after
  const { balance, nonce, code, slots } = before
  const isSame = balance === after.balance && nonce === after.nonce && code === after.code
  return !isSame || [...slots].some(([slot, word]) => after.slots.get(slot) !== word)
}

function slotsShown(before: AccountState | undefined, after: AccountState | undefined, shown: Shown): string[] {
  if (!shown.storage) return []
  const keys = [...new Set([...(before?.slots.keys() ?? []), ...(after?.slots.keys() ?? [])])].sort()
  return shown.isDiff ? keys.filter((key) => before?.slots.get(key) !== after?.slots.get(key)) : keys
}

function renderAccount(
  address: string,
  state: AccountState | undefined,
  keys: readonly string[],
  shown: Shown,
): string {
  if (state === undefined) return `{"address":"${address}","balance":null,"code":null,"nonce":null,"storage":{}}`
  const { balance, nonce, code, slots } = state
  const words = keys.map((key) => `"0x${key}":"0x${slots.get(key) ?? '0'.repeat(wordDigits)}"`)
  return (
    `{"address":"${address}","balance":"0x${balance.toString(16)}","code":${shown.code ? codeText(code) : 'null'},` +
    `"nonce":${nonce},"storage":{${words}}}`
  )
}

function codeText(code: string): string {
  return code === '' ? '""' : `"0x${code}"`
}
