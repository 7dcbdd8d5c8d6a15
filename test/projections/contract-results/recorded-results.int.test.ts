import { expect, it } from 'vitest'
import { contractResultsProjection } from '#projections/contract-results/projection.ts'
import { transactionType } from '#src/domain/transaction-types.ts'
import { runProjections } from '#src/runtime/fold/projector.ts'
import { ImportWorld } from '#test/importer/import-world.ts'
import { hasSamples, type RecordFacts, readFacts, sample, samplePath } from '#test/importer/samples.ts'
import { allRowsOf } from '#test/support/folded-rows.ts'

/** Folders of files with contracts and sidecars, of mainnet and of a test network, and the address books that verify them. */
const folders = [
  ['record/mainnet-v6', 'record/mainnet-v6/address_book.bin'],
  ['record/v6', 'addressbook/test/test-v6-sidecar-4n.bin'],
] as const

const settings = { sidecarTypes: new Set([1, 2, 3]) }

const ofContracts: ReadonlySet<number> = new Set([
  transactionType.contractCall,
  transactionType.contractCreate,
  transactionType.ethereumTransaction,
])

type ContractFacts = RecordFacts & { readonly transactionTypes: Readonly<Record<string, number>> }

/** What is said of all files of a folder, added up. */
function factsOf(folder: string) {
  const { recordFiles, sidecarFiles } = readFacts()
  const files = (recordFiles as readonly ContractFacts[]).filter(({ paths }) =>
    paths.some((path) => path.startsWith(`${folder}/`)),
  )
  const sidecars = sidecarFiles.filter(({ paths }) => paths.some((path) => path.startsWith(`${folder}/`)))
  const sum = (parts: readonly Readonly<Record<string, number>>[], ...names: readonly string[]) =>
    parts.flatMap((part) => names.map((name) => part[name] ?? 0)).reduce((a, b) => a + b, 0)
  const types = files.map(({ transactionTypes }) => transactionTypes)
  const kinds = sidecars.map(({ recordKinds }) => recordKinds)
  return {
    // Also of an Ethereum transaction with a wrong nonce: its record has what the EVM gave back.
    results: sum(types, 'contractCall', 'contractCreateInstance', 'ethereumTransaction'),
    ethereum: sum(types, 'ethereumTransaction'),
    traced: sum(kinds, 'actions'),
    changed: sum(kinds, 'state_changes'),
  }
}

it.skipIf(!hasSamples).each(folders)(
  '%s gives the results, traces and changes that its facts count',
  async (folder, book) => {
    const world = new ImportWorld()
    await world.import(samplePath(folder), { addressBook: sample(book), ...settings })
    const { log, store } = world
    await runProjections({ log, store, projections: [contractResultsProjection], follow: false, strict: true })
    const { results = [], ethereum = [], actions = [] } = await allRowsOf(store, contractResultsProjection.schema)
    const types = new Map(
      (await world.transactions()).map(({ consensusTimestamp, type }) => [consensusTimestamp, type]),
    )
    expect({
      results: results.filter((row) => ofContracts.has(types.get(row['time'] as bigint)!)).length,
      ethereum: ethereum.length,
      traced: new Set(actions.map((row) => row['time'])).size,
      changed: results.filter((row) => row['stateChanges'] !== null).length,
    }).toEqual(factsOf(folder))
    await store.close()
    await log.close()
  },
)
