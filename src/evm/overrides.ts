import { hexOf } from '#src/domain/bytes.ts'
import type { HexAddress } from '#src/evm/addresses.ts'
import type { LedgerState } from '#src/evm/ledger-state.ts'
import type { AccountFields, World } from '#src/evm/world.ts'

/** What a call takes for true of an account, whatever the ledger says. */
export interface StateOverride extends AccountFields {
  readonly address: HexAddress
  /** By slot (0x and 64 lower-case hex digits): words without leading zeros. */
  readonly slots: ReadonlyMap<string, Uint8Array>
  /** Whether all other slots hold nothing. */
  readonly isWholeStorage: boolean
}

/** What a call takes for true of the block that it runs in. */
export interface BlockOverride {
  readonly number: bigint | undefined
  /** Seconds. */
  readonly time: bigint | undefined
}

export async function overrideState(world: World, overrides: readonly StateOverride[]): Promise<void> {
  for (const { address, slots, isWholeStorage, ...fields } of overrides) {
    const place = await world.replaceAccount(address, fields)
    world.replaceStorage(place, slots, isWholeStorage)
  }
}

/** The ledger, run in a block that is said to be another one. */
export function overrideBlock(state: LedgerState, override: BlockOverride | undefined): LedgerState {
  if (override === undefined) return state
  const { number, time } = override
  return {
    ...state,
    block: async () => {
      const block = await state.block()
      return { ...block, number: number ?? block.number, timestamp: time ?? block.timestamp }
    },
  }
}

const delegation = 'ef0100'

/** Whether code is set that says whose code is to run. */
export function setsDelegation(overrides: readonly StateOverride[] = []): boolean {
  return overrides.some(({ code }) => code !== undefined && hexOf(code, 0, 3) === delegation)
}
