import { contractCallRoutes } from '#queries/contract-calls/routes.ts'
import { contractResultRoutes } from '#queries/contract-results/routes.ts'
import type { HexAddress } from '#src/evm/addresses.ts'
import { longZeroOf } from '#src/evm/addresses.ts'
import type { CaseFile } from '#test/conformance/case-file.ts'
import { eventsOfCase } from '#test/conformance/events-from-rows.ts'
import { hashOf, rowsOf, type TracedCall, timeOf, tracedRows } from '#test/conformance/vector-case.ts'
import { noTokens } from '#test/evm/stated-tokens.ts'
import type { StatedLedger } from '#test/evm/vector-state.ts'
import { openTestLedger, type TestLedger } from '#test/http/ledger.ts'

const sender = 1_001
export const senderAddress: HexAddress = longZeroOf(BigInt(sender))
const firstContract = 2_001
const blockSeconds = 1_700_000_000

export interface CallLedger {
  readonly ledger: TestLedger
  /** Addresses of the contracts, in the order of their codes. */
  readonly contracts: readonly HexAddress[]
  /** Hashes of the transactions that ran, in their order. */
  readonly hashes: readonly string[]
}

/** Of a contract: its code (hex), or with what its slots hold (hex words by slot); null where the log lacks its code. */
export type StatedContract =
  | string
  | null
  | { readonly code: string; readonly storage: Readonly<Record<string, string>> }

/** A transaction that called a contract, and what it is known to have written: by slot what was there, and what is since. */
type StatedCall = Omit<TracedCall, 'from' | 'to'> & {
  readonly contract: number
  readonly wrote?: Readonly<Record<string, readonly [before: string, since: string]>>
}

/** Who and what is there besides. */
type StatedBesides = Partial<Pick<StatedLedger, 'accounts' | 'tokens' | 'relations'>>

/** A ledger with contracts of these codes, a rich sender, and transactions that called some of them. */
export async function openCallLedger(
  codes: readonly StatedContract[],
  calls: readonly StatedCall[] = [],
  { accounts: others = [], ...tokens }: StatedBesides = {},
): Promise<CallLedger> {
  const contracts = codes.map((_, at) => longZeroOf(BigInt(firstContract + at)))
  const stated: StatedLedger = {
    block: { number: 100, timestamp: blockSeconds, hash: `0x${'ab'.repeat(48)}`, hashes: {} },
    nextEntity: 10_000,
    accounts: [
      { id: 2, type: 'ACCOUNT', balance: '4000000000000000000' },
      { id: sender, type: 'ACCOUNT', balance: '1000000000000000000' },
      ...codes.map((stated, at) => {
        const { code, storage } =
          typeof stated === 'object' && stated !== null ? stated : { code: stated ?? '', storage: {} }
        return { id: firstContract + at, type: 'CONTRACT' as const, balance: '0', code: `0x${code}`, storage }
      }),
      ...others,
    ],
    ...noTokens,
    ...tokens,
    schedules: [],
  }
  const traced = calls.map(({ contract, wrote: _, ...call }, at) => ({
    call: { ...call, from: senderAddress, to: contracts[contract]! },
    at,
  }))
  const contract_state_change = calls.flatMap(({ contract, wrote = {} }, at) =>
    Object.entries(wrote).map(([slot, [value_read, value_written]]) => ({
      consensus_timestamp: timeOf(at, stated),
      contract_id: String(firstContract + contract),
      slot,
      value_read,
      value_written,
      migration: false,
    })),
  )
  const { contract } = rowsOf(stated)
  const known = contract!.map((row, at) => (codes[at] === null ? { ...row, runtime_bytecode: null } : row))
  const rows = { contract: known, ...tracedRows(traced, stated), contract_state_change }
  const ledger = await openStatedLedger(stated, rows)
  return { ledger, contracts, hashes: calls.map((_, at) => hashOf(at, 32)) }
}

/** A ledger as vectors state theirs, with further rows, and what runs contracts over it. */
export async function openStatedLedger(stated: StatedLedger, more: CaseFile['rows'] = {}): Promise<TestLedger> {
  const rows = { ...rowsOf(stated), ...more }
  const ledger = await openTestLedger([...contractCallRoutes, ...contractResultRoutes])
  const { blocks } = eventsOfCase({ name: 'calls', config: null, now: null, rows, requests: [] })
  for (const block of blocks) await ledger.record(block)
  return ledger
}
