import { entityIdOf } from '#src/domain/entity-id.ts'
import type { Fail } from '#src/domain/field-reader.ts'
import { evmTraceOf } from '#src/importer/block/records/evm/evm-trace.ts'
import type { MessageId } from '#src/importer/block/records/ids.ts'
import type { KnownFacts } from '#src/importer/block/records/known-facts.ts'
import type { BlockTransactions } from '#src/importer/block/records/transactions.ts'
import type { ImportState } from '#src/importer/state/import-state.ts'

/** What the log up to the last block tells; addresses have to be looked for before. */
export function knownFactsOf(state: ImportState): KnownFacts {
  return {
    evmAddressOf: (contract) => withId(contract, (id) => state.contracts.find(id)),
    contentsOf: (file) => withId(file, (id) => state.uploads.contentsOf(id)),
    exchangeRates: state.document('upload/112')?.contents,
  }
}

/** Contracts whose address the filters of a block's logs are made of. */
export function loggingContracts({ transactions }: BlockTransactions, fail: Fail): Set<bigint> {
  const contracts = new Set<bigint>()
  for (const transaction of transactions) {
    if (transaction.traces.length === 0) continue
    for (const { contract } of evmTraceOf(transaction, fail)?.logs ?? []) withId(contract, (id) => contracts.add(id))
  }
  return contracts
}

function withId<T>({ shard, realm, number }: MessageId, use: (id: bigint) => T): T | undefined {
  const id = number === undefined ? undefined : entityIdOf(shard, realm, number)
  return id === undefined ? undefined : use(id)
}
