import { longZero } from '#src/simulator/evm/words.ts'
import { systemContracts } from '#src/simulator/ids.ts'
import type { ContractCreation } from '#src/simulator/kinds/new-contract.ts'
import type { Submission } from '#src/simulator/submission.ts'
import type { World } from '#src/simulator/world.ts'

/** Who calls or is called. */
export interface Party {
  readonly num: number
  /** 40 hex digits. */
  readonly address: string
  readonly contract: boolean
}

export type Operation = 'call' | 'callCode' | 'delegateCall' | 'staticCall' | 'create' | 'create2'

/** How a frame ended: what fails with an error is out of all its gas. */
export type End = { readonly output: Uint8Array } | { readonly revert: Uint8Array } | { readonly error: HaltName }

export type HaltName = 'INSUFFICIENT_GAS' | 'CONTRACT_EXECUTION_EXCEPTION'

/** What one contract did in one call, in the order in which calls began. */
export interface Frame {
  readonly operation: Operation
  readonly depth: number
  /** Whose code called; undefined where it was made in a transaction that came to nothing. */
  readonly caller: Party | undefined
  /** Whose code was called; undefined where it was not made in the end. */
  readonly recipient: Party | undefined
  /** Of a creation the init code with the arguments. */
  readonly input: Uint8Array
  /** Tinybars. */
  readonly value: number
  readonly gas: number
  readonly gasUsed: number
  readonly end: End
  /** It failed, or one that it was called by. */
  readonly undone: boolean
  /** What it made that stays. */
  readonly creation?: ContractCreation
  /** What the network did for it of its own, as the transaction that it writes down. */
  readonly child?: Submission
}

export function partyOf(world: World, num: number): Party {
  const contract = world.recentContract(num)
  if (contract) return { num, address: contract.evmAddress, contract: true }
  return { num, address: world.account(num)?.evmAddress ?? longZero(num), contract: isService(num) }
}

/** Who is seen at an address, 40 hex digits. */
export function partyAt(world: World, address: string): Party | undefined {
  const num = world.numAt(address) ?? numberIn(address)
  if (num === undefined) return undefined
  return { num, address, contract: world.recentContract(num) !== undefined || isService(num) }
}

const numberDigits = 24

export function numberIn(address: string): number | undefined {
  return /^0*$/.test(address.slice(0, numberDigits)) ? Number.parseInt(address.slice(numberDigits), 16) : undefined
}

export function isService(num: number): boolean {
  return num === systemContracts.tokenService || num === systemContracts.hooks
}

export function hasFailed({ end }: Pick<Frame, 'end'>): boolean {
  return !('output' in end)
}

export function isCreation({ operation }: Pick<Frame, 'operation'>): boolean {
  return operation === 'create' || operation === 'create2'
}
