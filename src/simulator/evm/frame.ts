import type { Log } from '#src/simulator/evm/function-result.ts'
import { longZero } from '#src/simulator/evm/words.ts'
import { systemContracts } from '#src/simulator/ids.ts'
import type { ContractCreation } from '#src/simulator/kinds/new-contract.ts'
import type { LedgerChange } from '#src/simulator/ledger-change.ts'
import type { Contract } from '#src/simulator/ledger-state.ts'
import type { Submission } from '#src/simulator/submission.ts'
import type { World } from '#src/simulator/world.ts'

/** Who calls or is called. */
export interface Party {
  readonly num: number
  /** 40 hex digits. */
  readonly address: string
  readonly contract: boolean
}

/** One word of storage that was looked at, or changed; hex without leading zeros. */
export interface SlotAccess {
  readonly slot: string
  readonly before: string
  readonly after?: string
}

export type End =
  | { readonly output: Uint8Array }
  | { readonly revert: Uint8Array }
  /** All gas is gone. */
  | { readonly error: 'INSUFFICIENT_GAS' }

/** What one contract did in one call, and whom it called in turn. What fails changes nothing. */
export interface Frame {
  readonly operation: 'call' | 'staticCall' | 'create' | 'create2'
  readonly caller: Party
  /** null: what a creation that failed would have made. */
  readonly recipient: Party | null
  /** Of a creation the init code with the arguments. */
  readonly input: Uint8Array
  /** Tinybars. */
  readonly value?: number
  /** Gas of what it does itself. */
  readonly cost: number
  readonly end: End
  readonly storage?: readonly SlotAccess[]
  /** They come after those of its frames. */
  readonly logs?: readonly Log[]
  readonly frames?: readonly Frame[]
  readonly creation?: ContractCreation
  /** Contracts whose nonce is another one now. */
  readonly counted?: readonly Contract[]
  /** What the network did for a call of one of its own contracts, as the transaction that it writes down. */
  readonly child?: Submission
  /** What those who watch can know besides the storage. */
  readonly changes?: readonly LedgerChange[]
}

/** A frame at its place in the call, with the gas that it may use. */
export interface PlacedFrame {
  readonly frame: Frame
  readonly depth: number
  readonly gas: number
  readonly gasUsed: number
}

const [coldRead, firstWrite, laterWrite] = [2_100, 20_000, 2_900]

export function partyOf(world: World, num: number): Party {
  const contract = world.contract(num)
  if (contract) return { num, address: contract.evmAddress, contract: true }
  return { num, address: world.account(num)?.evmAddress ?? longZero(num), contract: false }
}

export const tokenService: Party = {
  num: systemContracts.tokenService,
  address: longZero(systemContracts.tokenService),
  contract: true,
}

export function hasFailed({ end }: Frame): boolean {
  return !('output' in end)
}

/** Of a number as storage has it: zero is empty. */
export function hexOf(value: number): string {
  return value === 0 ? '' : value.toString(16)
}

/** Gas of the accesses to storage, without refunds. */
export function storageGas(accesses: readonly SlotAccess[]): number {
  const costs = accesses.map(({ before, after }) => {
    if (after === undefined || after === before) return coldRead
    return coldRead + (before === '' ? firstWrite : laterWrite)
  })
  return costs.reduce((sum, cost) => sum + cost, 0)
}

export function gasOf({ cost, frames = [] }: Frame): number {
  return frames.reduce((sum, frame) => sum + gasOf(frame), cost)
}

/** The frame and those below it in the order in which they began; a caller keeps a 64th of its gas. */
export function placed(frame: Frame, gas: number, depth = 0): PlacedFrame[] {
  const gasUsed = 'error' in frame.end ? gas : gasOf(frame)
  const below = (frame.frames ?? []).flatMap((each) => placed(each, Math.floor((gas * 63) / 64), depth + 1))
  return [{ frame, depth, gas, gasUsed }, ...below]
}

/** Logs in the order in which they came. */
export function logsOf({ frames = [], logs = [] }: Frame): Log[] {
  return [...frames.flatMap(logsOf), ...logs]
}
