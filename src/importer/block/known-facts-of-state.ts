import { entityIdOf } from '#src/domain/entity-id.ts'
import type { KnownFacts } from '#src/importer/block/records/known-facts.ts'
import type { ImportState } from '#src/importer/state/import-state.ts'

/** What the log up to the last block tells. */
export function knownFactsOf(state: ImportState): KnownFacts {
  return {
    contentsOf: ({ shard, realm, number }) => {
      const id = number === undefined ? undefined : entityIdOf(shard, realm, number)
      return id === undefined ? undefined : state.uploads.contentsOf(id)
    },
    exchangeRates: state.document('upload/112')?.contents,
  }
}
