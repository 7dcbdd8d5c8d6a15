import type { ResultFacts } from '#projections/contract-results/function-result.ts'
import { apiVersion } from '#projections/protocol/version.ts'
import type { ContractAction, ContractFunctionResult } from '#schemas/events/types.ts'
import { hasSucceeded } from '#src/events/success.ts'

/** Since this version the gas that is said to be used is what the execution took. */
const gasIsConsumedSince = apiVersion(0, 69)

const callTypeCreate = 2
const perTransaction = 21_000n
const perCreation = 32_000n
const perZeroByte = 4n
const perOtherByte = 16n

/** The outermost call of the trace. */
function outermost({ contractActions }: ResultFacts): ContractAction | undefined {
  return contractActions
    .flatMap(({ actions }) => actions?.contractActions ?? [])
    .find(({ callDepth }) => callDepth === 0)
}

/** Init code as a sidecar tells it. */
function sidecarInitcode({ contractBytecode }: ResultFacts): Buffer | undefined {
  const sidecar = contractBytecode.find(({ migration, bytecode }) => !migration && bytecode !== null)
  return sidecar?.bytecode?.initcode
}

/** Gas that the execution took; null where nothing tells. */
export function gasConsumed(
  facts: ResultFacts,
  given: ContractFunctionResult | null,
  parameters: Uint8Array,
  version: number | undefined,
): bigint | null {
  if (given === null) return null
  if (version === undefined || version >= gasIsConsumedSince) return given.gasUsed
  const action = outermost(facts)
  if (action === undefined) return null
  if (action.callType !== callTypeCreate) return action.gasUsed + perTransaction + costOf(parameters)
  const initcode = sidecarInitcode(facts) ?? facts.contractCreateInstance?.initcode ?? parameters
  return action.gasUsed + perTransaction + perCreation + costOf(initcode)
}

function costOf(payload: Uint8Array): bigint {
  let zeros = 0
  for (const byte of payload) if (byte === 0) zeros++
  return BigInt(zeros) * perZeroByte + BigInt(payload.length - zeros) * perOtherByte
}

/** Init code of a creation that failed; null for all else. */
export function failedInitcode(facts: ResultFacts): Uint8Array | null {
  if (hasSucceeded(facts)) return null
  const inline = facts.contractCreateInstance?.initcode
  if (inline && inline.length > 0) return inline
  const initcode = sidecarInitcode(facts)
  return initcode && initcode.length > 0 ? initcode : null
}
