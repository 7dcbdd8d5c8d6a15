import { callsLogTokensSince, logsOfBlock, placeLog } from '#projections/contract-logs/block-logs.ts'
import { contractsOf, evmHashOf, functionResultOf, noContracts } from '#projections/contract-logs/contract-result.ts'
import { encodeDrafts } from '#projections/contract-logs/draft-packing.ts'
import { approvalLogs, concernsLogs, draftLogs, type LogFacts, logFacts } from '#projections/contract-logs/drafts.ts'
import { contractLogEvents } from '#projections/contract-logs/log-event.ts'
import { termsOf } from '#projections/contract-logs/log-postings.ts'
import { relationsOf } from '#projections/contract-logs/open-items.ts'
import { contractLogsSchema, type OpenItemRow } from '#projections/contract-logs/schema.ts'
import { stateLogs } from '#projections/contract-logs/stated-logs.ts'
import { partiesOf } from '#projections/contract-logs/token-logs.ts'
import { entityIds } from '#projections/entity-ids/projection.ts'
import { defineProjection, type FoldedRows, type WantedRows } from '#src/runtime/fold/projection.ts'

type Schema = typeof contractLogsSchema

/** Key of the only row about the open block. */
const openSlot = 0
const emptyBlock = { slot: openSlot, items: 0, callsLogTokens: 0 } as const

/**
 * Every log of a contract, and those made for what the ledger's own tokens do. A log has its place when its block is complete:
 * logs of a block are numbered across transactions, and only the block says which version of the ledger's API made it.
 */
export const contractLogsProjection = defineProjection(contractLogsSchema)
  .embed(entityIds)
  .on('TransactionRecorded', { reads: logFacts, needs: wantForItem, apply: addItem })
  .on('BlockRecorded', {
    reads: ['consensusEnd', 'hapiVersionMajor', 'hapiVersionMinor'],
    needs: (_block, rows) => {
      const { items } = rows.want('openBlock', openSlot) ?? emptyBlock
      for (let place = 0; place < items; place++) rows.want('openItems', place)
    },
    apply: ({ consensusEnd: end, hapiVersionMajor: major, hapiVersionMinor: minor }, rows) => {
      const before = rows.get('openBlock', openSlot) ?? emptyBlock
      const callsLogTokens = callsLogTokensSince(major, minor)
      if (before.items === 0 && callsLogTokens === (before.callsLogTokens === 1)) return
      const items: OpenItemRow[] = []
      for (let place = 0; place < before.items; place++) items.push(rows.get('openItems', place)!)
      for (const log of logsOfBlock({ items, end, callsLogTokens })) rows.put('logs', log)
      rows.put('openBlock', { slot: openSlot, items: 0, callsLogTokens: callsLogTokens ? 1 : 0 })
    },
  })
  .on('ContractLogsSnapshotted', {
    reads: ['asOf', 'payerAccountId', 'transactionHash', 'transactionIndex', 'logs'],
    apply: stateLogs,
  })
  .publish('contract-logs', contractLogEvents)

function wantForItem(facts: LogFacts, rows: WantedRows<Schema>): void {
  if (!concernsLogs(facts)) return
  const { items: place } = rows.want('openBlock', openSlot) ?? emptyBlock
  const name = (each: Uint8Array) => rows.want('entityNames', each)
  const result = functionResultOf(facts.record)
  const { resultContract } = result ? contractsOf(facts, result, name) : noContracts
  const { parentConsensusTimestamp: parent, transactionIndex } = facts
  relationsOf({ place, parent, transactionIndex, resultContract }, (each) => rows.want('openItems', each))
  for (const id of partiesOf(facts)) rows.want('namedEntities', id)
  // Approvals name accounts that only names resolve.
  approvalLogs(facts, { result, name })
}

function addItem(facts: LogFacts, rows: FoldedRows<Schema>): void {
  if (!concernsLogs(facts)) return
  const { items: place, callsLogTokens } = rows.get('openBlock', openSlot) ?? emptyBlock
  const name = (each: Uint8Array) => rows.get('entityNames', each)
  const result = functionResultOf(facts.record)
  const address = (id: bigint) => rows.get('namedEntities', id)?.evmAddress
  const drafts = draftLogs(facts, { result, callsLogTokens: callsLogTokens === 1, name, address })
  if (drafts.length === 0 && result === null) return
  const contracts = result ? contractsOf(facts, result, name) : noContracts
  const { consensusTimestamp: time, parentConsensusTimestamp: parent, payerAccountId: payer, transactionIndex } = facts
  const find = (each: number) => rows.get('openItems', each)
  const item = {
    place,
    time,
    parent,
    payer,
    transactionHash: evmHashOf(facts),
    transactionIndex,
    ...contracts,
    ...relationsOf({ place, parent, transactionIndex, resultContract: contracts.resultContract }, find),
    logs: encodeDrafts(drafts),
  }
  const host = item.hostPlace === place ? item : find(item.hostPlace)!
  rows.put('openItems', item)
  rows.put('openBlock', { slot: openSlot, items: place + 1, callsLogTokens })
  drafts.forEach((draft, number) => {
    const { contractId, transactionHash } = placeLog(draft, item, host)
    for (const { kind, term } of termsOf({ contractId, transactionHash, topics: draft.topics }))
      rows.add('logTerms', { kind, term, time, payload: number })
  })
}
