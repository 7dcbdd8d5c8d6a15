import { ethereumKind } from '#projections/contract-results/render.ts'
import type { EthereumRow, ResultRow } from '#projections/contract-results/schema.ts'
import { findBlocksOfTimes } from '#queries/blocks/blocks-of-times.ts'
import { type CallBlock, factsOf, rulesOfBlock } from '#queries/contract-calls/find-block.ts'
import { unknownFact } from '#queries/contract-calls/unknown-fact.ts'
import type { ReplayContext } from '#queries/contract-results/replayed.ts'
import { digitsIn, ethereumFields, fileDataOf } from '#queries/contract-results/show-results.ts'
import { findFileContents } from '#queries/contracts/file-contents.ts'
import { findAddresses } from '#queries/contracts/find-contract.ts'
import { hexOf } from '#src/domain/bytes.ts'
import { entityIdParts, formatEntityId } from '#src/domain/entity-id.ts'
import { type HexAddress, lastCodelessAccount, longZeroOf } from '#src/evm/addresses.ts'
import type { TraceJob } from '#src/evm/threads/messages.ts'
import type { RecordedCall } from '#src/evm/trace/recorded-calls.ts'

/** What running a transaction again takes. */
export interface FoundReplay extends Omit<TraceJob, 'kind' | 'shown'> {
  /** The block that it is part of, with the state just before it. */
  readonly block: CallBlock
}

const contractCreate = 8
const weibarsPerTinybar = 10_000_000_000n
const actionsMax = 100_000
/** Calls of the network's own contracts, as traces number kinds of calls. */
const systemCallTypes: ReadonlySet<number> = new Set([3, 4])
const outcomes: Readonly<Record<number, RecordedCall['outcome']>> = { 11: 'output', 12: 'reverted', 13: 'failed' }
const noBytes = new Uint8Array(0)

export async function findReplay(row: ResultRow, context: ReplayContext): Promise<FoundReplay> {
  const [block, ethereum, recorded, addresses, [transaction]] = await Promise.all([
    findBlock(row.time, context),
    findEthereum(row, context),
    findRecorded(row.time, context),
    findAddresses(context.rows.entities, [row.contract]),
    context.rows.transactions.get('transactions', [[row.time]], ['type']),
  ])
  const own = addresses.get(row.contract) as HexAddress | undefined
  const isCreation = ethereum === undefined ? transaction?.type === contractCreate : !ethereum.toAddress?.length
  const to = isCreation ? undefined : targetOf(row, ethereum)
  await assertKnown([row.sender, isCreation ? null : row.contract], row.time - 1n, context)
  const rules = rulesOfBlock(block, context)
  const address = own ?? to
  const contractId = row.contract === 0n ? 'null' : `"${formatEntityId(row.contract)}"`
  return {
    block,
    request: {
      from: senderOf(row),
      to,
      data: await dataOf(row, { ethereum, isCreation }, context),
      gas: ethereum?.gasLimit ?? row.gasLimit ?? 0n,
      gasPrice: 0n,
      value: ethereum === undefined ? (row.amount ?? 0n) : tinybarsOf(ethereum.value),
    },
    settings: { rules, chainId: Number(context.settings.chainId), validatePayerBalance: true },
    newContract: isCreation && row.contract !== 0n ? own : undefined,
    recorded,
    head: `{"address":${address === undefined ? 'null' : `"${address}"`},"contract_id":${contractId},`,
  }
}

async function findBlock(time: bigint, { rows, checkpoint }: ReplayContext): Promise<CallBlock> {
  const found = await findBlocksOfTimes(
    { times: [time], until: checkpoint.time, select: ['hash', 'consensusStart', 'hapiVersion'] },
    rows.blocks,
  )
  const block = found.get(time)
  if (block === undefined) throw unknownFact('the block of the transaction')
  return { ...factsOf(block), time: time - 1n, isNewest: false }
}

async function findEthereum({ time, ethereum }: ResultRow, { rows }: ReplayContext): Promise<EthereumRow | undefined> {
  if (ethereum === ethereumKind.none) return undefined
  const [row] = await rows['contract-results'].get('ethereum', [[time]], ethereumFields)
  return row
}

/** undefined where the transaction has no trace at all. */
async function findRecorded(time: bigint, { rows }: ReplayContext): Promise<RecordedCall[] | undefined> {
  const actions = await rows['contract-results'].find({
    collection: 'actions',
    index: ['time', 'index'],
    prefix: [time],
    limit: actionsMax,
    select: ['depth', 'callType', 'input', 'gasUsed', 'resultData', 'resultType'],
  })
  if (actions.length === 0) return undefined
  return actions
    .filter(({ callType }) => systemCallTypes.has(callType))
    .map(({ depth, input, gasUsed, resultData, resultType }) => ({
      depth,
      input: input ?? noBytes,
      gasUsed,
      outcome: outcomes[resultType] ?? 'output',
      data: resultData ?? noBytes,
    }))
}

/** Who took part was there, or came into being with it: whom the log does not know is not nobody. */
async function assertKnown(parties: readonly (bigint | null)[], time: bigint, { rows }: ReplayContext): Promise<void> {
  for (const id of parties) {
    if (id === null || entityIdParts(id).number <= lastCodelessAccount) continue
    const [before] = await rows.entities.at(time).get('entities', [[id]], ['id'])
    const [now] = before === undefined ? await rows.entities.get('entities', [[id]], ['createdTimestamp']) : []
    if (before === undefined && (now?.createdTimestamp ?? 0n) <= time)
      throw unknownFact(`what ${formatEntityId(id)} was before the transaction`)
  }
}

function numbered(id: bigint): HexAddress {
  return longZeroOf(entityIdParts(id).number)
}

function senderOf({ sender }: ResultRow): HexAddress {
  if (sender === null) throw unknownFact('the sender of the transaction')
  return numbered(sender)
}

function targetOf({ contract }: ResultRow, ethereum: EthereumRow | undefined): HexAddress {
  if (ethereum?.toAddress?.length) return `0x${hexOf(ethereum.toAddress)}`
  if (contract === 0n) throw unknownFact('whom the transaction called')
  return numbered(contract)
}

/** What it was called with; of a creation the code that creates, with its arguments. */
async function dataOf(
  row: ResultRow,
  { ethereum, isCreation }: { readonly ethereum: EthereumRow | undefined; readonly isCreation: boolean },
  context: ReplayContext,
): Promise<Uint8Array> {
  if (ethereum?.callData?.length) return ethereum.callData
  if (ethereum !== undefined) {
    const digits = await fileDataOf(row, ethereum, context)
    if (digits !== undefined) return Buffer.from(digits, 'hex')
  }
  const parameters = Buffer.from(row.parameters, 'hex')
  if (!isCreation || ethereum !== undefined) return parameters
  return Buffer.concat([await initcodeOf(row, context), parameters])
}

async function initcodeOf({ contract, failedInitcode, time }: ResultRow, { rows }: ReplayContext): Promise<Uint8Array> {
  if (failedInitcode !== null) return Buffer.from(failedInitcode, 'hex')
  const [made] = await rows.contracts.get('contracts', [[contract]], ['initcode', 'fileId'])
  if (made?.initcode) return made.initcode
  const contents = made?.fileId ? await findFileContents(rows.contracts.at(time), made.fileId) : undefined
  if (contents === undefined) throw unknownFact(`the init code of contract ${formatEntityId(contract)}`)
  return Buffer.from(digitsIn(contents), 'hex')
}

/** A number with its sign, of which the EVM has as much as an account holds at most. */
function tinybarsOf(weibars: Uint8Array | null): bigint {
  return weibars === null || weibars.length === 0 ? 0n : BigInt(`0x${hexOf(weibars)}`) / weibarsPerTinybar
}
