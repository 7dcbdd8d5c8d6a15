import type { TransactionRecorded } from '#schemas/events/types.ts'
import { contractNumber } from '#src/events/ids.ts'

const keptMax = 20_000

/**
 * EVM addresses of contracts, by which the network filters logs and which blocks do not repeat. All are kept in the store, those that were
 * asked for last also here.
 */
export class ContractAddresses {
  /** null: it has none of its own. */
  readonly #known = new Map<bigint, Buffer | null>()
  readonly #changed = new Map<bigint, Buffer>()

  /** Takes in a transaction that may have created contracts. */
  apply({ record }: Pick<TransactionRecorded, 'record'>): void {
    const created = record?.contractCreateResult
    const address = created?.evmAddress
    const contract = contractNumber(created?.contractID ?? null)
    if (!address?.length || contract === 0n) return
    const copy = Buffer.from(address)
    this.#changed.set(contract, copy)
    this.remember(contract, copy)
  }

  find(contract: bigint): Buffer | undefined {
    return this.#changed.get(contract) ?? this.#known.get(contract) ?? undefined
  }

  /** Those of the contracts about which the store has to be asked first. */
  missing(contracts: Iterable<bigint>): bigint[] {
    return [...new Set(contracts)].filter((contract) => !this.#known.has(contract) && !this.#changed.has(contract))
  }

  /** What the store says of a contract. */
  remember(contract: bigint, address: Buffer | null): void {
    this.#known.delete(contract)
    this.#known.set(contract, address)
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= keptMax) return
      this.#known.delete(oldest)
    }
  }

  takeChanges(): readonly (readonly [bigint, Buffer])[] {
    const changed = [...this.#changed]
    this.#changed.clear()
    return changed
  }
}
