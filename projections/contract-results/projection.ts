import { functionResultOf } from '#projections/contract-logs/contract-result.ts'
import { actionRows } from '#projections/contract-results/action-row.ts'
import { hasContractResult, resultFacts } from '#projections/contract-results/function-result.ts'
import { encodeAuthorizations } from '#projections/contract-results/packing/lists.ts'
import { resultRow } from '#projections/contract-results/packing/result.ts'
import { recordedResult } from '#projections/contract-results/recorded-result.ts'
import {
  type ContractResultsSchema,
  contractResultsSchema,
  type EthereumRow,
  type ResultRow,
  resultTermKind,
} from '#projections/contract-results/schema.ts'
import {
  actionRowOfSnapshot,
  ethereumRowOfSnapshot,
  resultOfSnapshot,
} from '#projections/contract-results/snapshot-rows.ts'
import { entityIds } from '#projections/entity-ids/projection.ts'
import { protocol } from '#projections/protocol/projection.ts'
import { protocolKey } from '#projections/protocol/version.ts'
import type { EthereumTransactionBody } from '#schemas/events/types.ts'
import { asBuffer } from '#src/domain/bytes.ts'
import { decodeEthereumTransaction, type EthereumTransaction } from '#src/domain/ethereum-transaction.ts'
import { numberOf, orNull } from '#src/events/ids.ts'
import { defineProjection, type FoldedRows } from '#src/runtime/fold/projection.ts'

/** Contract results with their traces, and Ethereum transactions, from records, bodies and sidecars, and as stated. */
export const contractResultsProjection = defineProjection(contractResultsSchema)
  .embed(entityIds)
  .embed(protocol)
  .on('TransactionRecorded', {
    reads: resultFacts,
    apply: (facts, rows) => {
      const { consensusTimestamp: time, ethereumTransaction: body, contractActions } = facts
      const given = functionResultOf(facts.record)
      const ethereum = body === null ? undefined : decodeEthereumTransaction(body.ethereumData)
      const asked = body !== null && ethereum ? ethereumRow(time, body, ethereum) : undefined
      if (asked) rows.put('ethereum', asked)
      for (const action of contractActions.length > 0 ? actionRows(time, contractActions) : [])
        rows.put('actions', action)
      if (!hasContractResult(facts, given)) return
      const version = rows.get('protocol', protocolKey)?.apiVersion
      const find = (name: Uint8Array) => rows.get('entityNames', name)
      putResult(rows, resultRow(recordedResult(facts, { given, version, ethereum, find }), asked))
    },
  })
  .on('ContractExecutionSnapshotted', {
    reads: ['asOf', 'result', 'ethereum', 'actions', 'stateChanges'],
    apply: ({ asOf, result, ethereum, actions, stateChanges }, rows) => {
      const asked = ethereum === null ? undefined : ethereumRowOfSnapshot(asOf, ethereum)
      if (asked) rows.put('ethereum', asked)
      for (const action of actions) rows.put('actions', actionRowOfSnapshot(asOf, action))
      if (result !== null) putResult(rows, resultRow(resultOfSnapshot(asOf, result, stateChanges), asked))
    },
  })

function putResult(rows: FoldedRows<ContractResultsSchema>, row: ResultRow): void {
  const { time, contract, sender, hash, nonce } = row
  const payload = nonce > 0 ? 1 : 0
  rows.put('results', row)
  rows.add('postings', { kind: resultTermKind.contract, term: contract, time, payload })
  if (sender !== null) rows.add('postings', { kind: resultTermKind.sender, term: sender, time, payload })
  if (hash !== null && hash.length >= 8)
    rows.add('hashes', { kind: 0, term: asBuffer(hash).readBigInt64BE(0), time, payload: 0 })
}

function ethereumRow(
  time: bigint,
  { callData: file }: EthereumTransactionBody,
  { authorizationList, ...transaction }: EthereumTransaction,
): EthereumRow {
  return {
    time,
    ...transaction,
    callDataId: orNull(numberOf(file)),
    authorizations: encodeAuthorizations(authorizationList),
  }
}
