import type { BlockLogs } from '#projections/contract-logs/block-logs.ts'
import { isOfToken, unpackDigits } from '#projections/contract-logs/packing/digits.ts'
import { type ExecutionRow, type LogRow, logKind, type OpenItemRow } from '#projections/contract-logs/schema.ts'
import type { ContractFunctionResult, TransactionRecorded } from '#schemas/events/types.ts'
import { hexOf } from '#src/domain/bytes.ts'
import { decodeEthereumTransaction } from '#src/domain/ethereum-transaction.ts'
import { longZeroDigits } from '#src/domain/evm-address.ts'
import { wordDigitsOf } from '#src/domain/hex-digits.ts'
import { bloomBytes, uniteBlooms } from '#src/domain/log-bloom.ts'
import type { Receipt, ReceiptLog } from '#src/domain/receipts-root.ts'
import { isSuccessCode } from '#src/domain/response-codes.ts'

type Facts = Pick<TransactionRecorded, 'nonce' | 'result' | 'ethereumTransaction'>

/** What a receipt says of how a transaction ended; null where lists of results do not show it by itself. */
export function outcomeOf(facts: Facts, given: ContractFunctionResult | null): string | null {
  if (given === null || facts.nonce !== 0) return null
  const { ethereumTransaction: body, result } = facts
  const type = body === null ? 0 : (decodeEthereumTransaction(body.ethereumData)?.type ?? 0)
  return `${isSuccessCode(result) ? success : failure}${type},${given.gasUsed},${given.bloom.toString('hex')}`
}

const [success, failure] = ['1', '0']

type Outcome = Pick<Receipt, 'type' | 'succeeded' | 'gasUsed' | 'bloom'>

function unpackOutcome(packed: string): Outcome {
  const [ended = '', gas = '', bloom = ''] = packed.split(',')
  return {
    succeeded: ended[0] === success,
    type: Number(ended.slice(1)),
    gasUsed: BigInt(gas),
    bloom: bloom === '' ? noBits : bloom,
  }
}

const noBits = '00'.repeat(bloomBytes)
/** What never ran in the EVM. */
const notRun: Outcome = { type: 0, succeeded: true, gasUsed: 0n, bloom: '' }

interface ClosedItems {
  readonly items: readonly OpenItemRow[]
  readonly found: BlockLogs
  readonly executions: readonly ExecutionRow[]
  /** An address that a contract has besides its number. */
  readonly addressOf: (contract: bigint) => Uint8Array | null | undefined
}

/**
 * The receipts of a block's transactions, as lists of results and logs tell of them: clients put the two together by the hash.
 */
export function receiptsOf({ items, found, executions, addressOf }: ClosedItems): Receipt[] {
  const shown = shownItems(items, found)
  if (shown.length === 0) return []
  const syntheticBlooms = new Map(executions.map(({ time, bloom }) => [time, bloom]))
  const logs = Map.groupBy(
    found.logs.filter(({ kind }) => kind !== logKind.ofAll),
    ({ digits }) => unpackDigits(digits).transactionHash,
  )
  const byHash = new Map<string | null, Receipt>()
  for (const { time, place, outcome, transactionHash: hash } of shown) {
    const own = outcome === null ? notRun : unpackOutcome(outcome)
    const made = syntheticBlooms.get(time)
    byHash.set(hash, {
      ...own,
      bloom: made ? hexOf(uniteBlooms(Buffer.from(own.bloom, 'hex'), made)) : own.bloom,
      transactionIndex: found.transactionIndexes[place]!,
      logs: () => (logs.get(hash) ?? []).map((log) => receiptLog(log, addressOf)),
    })
  }
  return [...byHash.values()]
}

/** Of what has a result those that the EVM sees, and of what has none those that have a row for their logs. */
function shownItems(items: readonly OpenItemRow[], { logs, transactionIndexes }: BlockLogs): OpenItemRow[] {
  const leading = new Set(logs.filter(({ kind }) => kind === logKind.leading).map(({ time }) => time))
  return items.filter(
    ({ time, place, outcome }) => transactionIndexes[place] !== null && (outcome !== null || leading.has(time)),
  )
}

function receiptLog({ contractId, digits }: LogRow, addressOf: ClosedItems['addressOf']): ReceiptLog {
  const { topics, data } = unpackDigits(digits)
  const own = isOfToken(digits) ? undefined : addressOf(contractId)
  return {
    address: own ? hexOf(own) : longZeroDigits(contractId),
    topics: topics.filter((topic) => topic !== null).map(wordDigitsOf),
    data: data === '' ? '' : wordDigitsOf(data),
  }
}
