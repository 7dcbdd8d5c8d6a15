import type { Amendment } from '#test/conformance/amendments/amendment.ts'
import { receiptsRoots } from '#test/conformance/amendments/blocks.ts'
import { simpleFees } from '#test/conformance/amendments/fees.ts'
import { accessLists, authorizations, networkDefaults } from '#test/conformance/amendments/results.ts'
import { unknownContracts } from '#test/conformance/amendments/unknown-contracts.ts'

/** In the order of the versions that brought them. */
export const amendments: readonly Amendment[] = [
  unknownContracts,
  accessLists,
  authorizations,
  networkDefaults,
  simpleFees,
  receiptsRoots,
]
