import {
  type BlockLogs,
  callsLogTokensSince,
  logsOfBlock,
  shownContractOf,
  shownItem,
} from '#projections/contract-logs/block-logs.ts'
import {
  contractsOf,
  evmHashOf,
  functionResultOf,
  noContracts,
  type ResultContracts,
  takesPlace,
} from '#projections/contract-logs/contract-result.ts'
import { concernsLogs, draftLogs, type LogFacts, logFacts } from '#projections/contract-logs/drafts.ts'
import { contractLogEvents } from '#projections/contract-logs/log-event.ts'
import { type FindItem, relationsOf } from '#projections/contract-logs/open-items.ts'
import {
  defaultSyntheticLogOptions,
  packOptions,
  type SyntheticLogOptions,
  unpackOptions,
} from '#projections/contract-logs/options.ts'
import {
  addSyntheticBloom,
  packDigits,
  packSyntheticBloom,
  unpackDigits,
} from '#projections/contract-logs/packing/digits.ts'
import { type PackedDraft, packDrafts } from '#projections/contract-logs/packing/drafts.ts'
import { termsOf } from '#projections/contract-logs/packing/terms.ts'
import { outcomeOf, receiptsOf } from '#projections/contract-logs/receipts.ts'
import {
  contractLogsSchema,
  type ExecutionRow,
  type LogRow,
  logKind,
  type OpenBlockRow,
  type OpenItemRow,
} from '#projections/contract-logs/schema.ts'
import { stateLogs } from '#projections/contract-logs/snapshot-logs.ts'
import { entityIds } from '#projections/entity-ids/projection.ts'
import { hexOf } from '#src/domain/bytes.ts'
import { longZeroDigits } from '#src/domain/evm-address.ts'
import { bloomBytes, uniteBlooms } from '#src/domain/log-bloom.ts'
import { receiptsRoot } from '#src/domain/receipts-root.ts'
import { defineProjection, type FoldedRows, type ProjectionBuilder } from '#src/runtime/fold/projection.ts'

type Schema = typeof contractLogsSchema
type OpenItem = Omit<OpenItemRow, 'logs' | 'outcome'> & { logs: string; outcome: string | null }

/** Key of the only row about the open block. */
const openSlot = 0

/** The row before the first block. */
function beforeAll(options: SyntheticLogOptions): OpenBlockRow {
  return { slot: openSlot, items: 0, callsLogTokens: 0, options: packOptions(options) }
}

/**
 * Every log of a contract, and those made for what the ledger's own tokens do. A log has its place when its block is complete:
 * logs of a block are numbered across transactions, and only the block says which version of the ledger's API made it.
 */
export function contractLogs(options: SyntheticLogOptions): ProjectionBuilder<Schema> {
  const first = beforeAll(options)
  return defineProjection(contractLogsSchema)
    .embed(entityIds)
    .on('TransactionRecorded', {
      reads: logFacts,
      apply: (facts, rows) => addItem(facts, rows, first),
    })
    .on('BlockRecorded', {
      reads: ['consensusEnd', 'logsBloom', 'hapiVersionMajor', 'hapiVersionMinor'],
      apply: ({ consensusEnd: end, logsBloom: recorded, hapiVersionMajor: major, hapiVersionMinor: minor }, rows) => {
        const before = rows.get('openBlock', openSlot) ?? first
        const callsLogTokens = callsLogTokensSince(major, minor)
        if (before.items === 0 && callsLogTokens === (before.callsLogTokens === 1)) return
        const items: OpenItemRow[] = []
        for (let place = 0; place < before.items; place++) items.push(rows.get('openItems', place)!)
        const found = logsOfBlock({ items, end, callsLogTokens })
        for (const log of found.logs) rows.put('logs', log)
        const called = new Set(items.map((item) => shownContract(items[item.hostPlace]!, item)))
        const addressOf = (id: bigint) => (called.has(id) ? rows.get('namedEntities', id)?.evmAddress : undefined)
        const executions = executionsOf(items, found, addressOf)
        for (const execution of executions) rows.put('executions', execution)
        const named = (id: bigint) => rows.get('namedEntities', id)?.evmAddress
        const receipts = receiptsOf({ items, found, executions, addressOf: named })
        const root = receipts.length === 0 ? null : hexOf(receiptsRoot(receipts))
        const bloom = bloomOfAll(recorded, bloomOfSynthetic(found.logs, addressOf))
        if (bloom !== null || root !== null) rows.put('blockReceipts', { end, bloom, root })
        rows.put('openBlock', { ...before, items: 0, callsLogTokens: callsLogTokens ? 1 : 0 })
      },
    })
    .on('ContractLogsSnapshotted', {
      reads: ['asOf', 'payerAccountId', 'transactionHash', 'transactionIndex', 'logs'],
      apply: stateLogs,
    })
    .publish('contract-logs', contractLogEvents)
}

/** Filter of a block as hex digits; null where it is the recorded one, or was recorded without. */
function bloomOfAll(recorded: Uint8Array | null, made: Uint8Array | undefined): string | null {
  return recorded === null || made === undefined ? null : hexOf(uniteBlooms(recorded, made))
}

/** With logs made as by default. */
export const contractLogsProjection = contractLogs(defaultSyntheticLogOptions)

function addItem(facts: LogFacts, rows: FoldedRows<Schema>, first: OpenBlockRow): void {
  if (!concernsLogs(facts)) return
  const open = rows.get('openBlock', openSlot) ?? first
  const options = unpackOptions(open.options)
  const name = (each: Uint8Array) => rows.get('entityNames', each)
  const result = functionResultOf(facts.record)
  const address = (id: bigint) => (options.evmAddresses ? rows.get('namedEntities', id)?.evmAddress : undefined)
  const callsLogTokens = open.callsLogTokens === 1
  const drafts = draftLogs(facts, { result, callsLogTokens, options, name, address })
  if (drafts.length === 0 && result === null) return
  const contracts = result ? contractsOf(facts, result, name) : noContracts
  const find = (each: number) => rows.get('openItems', each)
  const item = itemOf(facts, open.items, contracts, find)
  item.outcome = outcomeOf(facts, result)
  const host = item.hostPlace === item.place ? item : find(item.hostPlace)!
  const packed: PackedDraft[] = []
  for (const draft of drafts) {
    const { kind, contractId, topics, data } = draft
    const { transactionHash } = shownItem(draft, item, host)
    const found = { contractId: shownContractOf(draft, item, host), transactionHash, topics }
    for (const term of termsOf(found))
      rows.add('logTerms', { kind: term.kind, term: term.term, time: item.time, payload: packed.length })
    const bloom = draft.bloom ?? packSyntheticBloom(topics, host === item ? contractId : undefined)
    packed.push({ kind, contractId, digits: packDigits({ bloom, transactionHash, topics, data }) })
  }
  item.logs = packDrafts(packed)
  rows.put('openItems', item)
  rows.put('openBlock', {
    slot: openSlot,
    items: item.place + 1,
    callsLogTokens: open.callsLogTokens,
    options: open.options,
  })
}

/** Without its outcome and logs. */
function itemOf(
  facts: LogFacts,
  place: number,
  { resultContract, callContract, receiptContract }: ResultContracts,
  find: FindItem,
): OpenItem {
  const { parentConsensusTimestamp: parent, transactionIndex } = facts
  const hash = evmHashOf(facts)
  const { parentPlace, hookPlace, hostPlace } = relationsOf({ place, parent, transactionIndex, resultContract }, find)
  return {
    place,
    time: facts.consensusTimestamp,
    parent,
    payer: facts.payerAccountId,
    transactionHash: hash && hexOf(hash),
    transactionIndex,
    resultContract,
    callContract,
    receiptContract,
    takesPlace: resultContract !== null && takesPlace(facts) ? 1 : 0,
    parentPlace,
    hookPlace,
    hostPlace,
    outcome: null,
    logs: '',
  }
}

type AddressOf = Parameters<typeof bloomOfSynthetic>[1]

/** What a block tells of its transactions that have a contract result. */
function executionsOf(
  items: readonly OpenItemRow[],
  { logs, transactionIndexes }: BlockLogs,
  addressOf: AddressOf,
): ExecutionRow[] {
  const executed = items.filter(({ resultContract }) => resultContract !== null)
  if (executed.length === 0) return []
  const syntheticByTime = Map.groupBy(logs.filter(isSynthetic), ({ consensusTimestamp }) => consensusTimestamp)
  return executed.map(({ time, place }) => ({
    time,
    transactionIndex: transactionIndexes[place] ?? null,
    bloom: bloomOfSynthetic(syntheticByTime.get(time) ?? [], addressOf) ?? null,
  }))
}

function isSynthetic({ kind }: LogRow): boolean {
  return kind !== logKind.recorded
}

/** The contract that an item's logs are shown with where that is the one that was called; tokens have no address of their own. */
function shownContract(host: OpenItemRow, item: OpenItemRow): bigint | undefined {
  return host.place === item.place || host.callContract === 0n ? undefined : host.callContract
}

/** The filter of those of some logs that were made; undefined where there are none. */
function bloomOfSynthetic(
  logs: readonly LogRow[],
  addressOf: (contract: bigint) => Uint8Array | null | undefined,
): Uint8Array | undefined {
  let bloom: Buffer | undefined
  for (const { kind, contractId, digits } of logs) {
    if (kind === logKind.recorded) continue
    bloom ??= Buffer.alloc(bloomBytes)
    const address = addressOf(contractId)
    addSyntheticBloom(bloom, unpackDigits(digits).bloom, address ? hexOf(address) : longZeroDigits(contractId))
  }
  return bloom
}
