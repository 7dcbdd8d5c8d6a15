import type { Message } from '@ethereumjs/evm'
import type { AbiValue } from '#src/evm/abi/types.ts'
import type { HexAddress } from '#src/evm/addresses.ts'
import { tinycents } from '#src/evm/gas-price.ts'
import type { LedgerEvm } from '#src/evm/ledger-evm.ts'
import type { ScheduleWorld } from '#src/evm/schedule-world.ts'
import { accountAt } from '#src/evm/services/accounts.ts'
import { Halted } from '#src/evm/services/failed.ts'
import type { TokenWorld } from '#src/evm/token-world.ts'
import type { World } from '#src/evm/world.ts'

/** One call of a function of a service, as its handler sees it. */
export class ServiceCall {
  readonly evm: LedgerEvm
  readonly message: Message
  readonly args: readonly AbiValue[]
  /** The entity whose address was called; undefined where the service itself was. */
  readonly about: bigint | undefined
  /** What it costs in tinycents, mark-up apart. Handlers may add to it. */
  price: bigint
  /** Gas where it follows from what the handler found, and from no price. */
  gas: bigint | undefined
  /** Further prices, of which each is marked up and rounded by itself. */
  readonly surcharges: bigint[] = []

  constructor(evm: LedgerEvm, message: Message, args: readonly AbiValue[], about: bigint | undefined, price: bigint) {
    this.evm = evm
    this.message = message
    this.args = args
    this.about = about
    this.price = price
  }

  get world(): World {
    return this.evm.world
  }

  get tokens(): TokenWorld {
    return this.evm.world.tokens
  }

  get schedules(): ScheduleWorld {
    return this.evm.world.schedules
  }

  /** Who calls: the contract, or the account itself. */
  get sender(): HexAddress {
    return this.message.caller.toString()
  }

  async senderAccount(): Promise<bigint> {
    const account = await accountAt(this.world, this.sender)
    if (account === undefined) throw new Halted()
    return account
  }

  /** The entity whose address was called, of a function that is about one. */
  get subject(): bigint {
    if (this.about === undefined) throw new Halted()
    return this.about
  }

  address(index: number): HexAddress {
    return this.args[index] as HexAddress
  }

  bigint(index: number): bigint {
    return this.args[index] as bigint
  }

  bool(index: number): boolean {
    return this.args[index] as boolean
  }

  bytes(index: number): Uint8Array {
    return this.args[index] as Uint8Array
  }

  list<T extends AbiValue>(index: number): readonly T[] {
    return this.args[index] as readonly T[]
  }

  charge(usd: number): void {
    this.price += tinycents(usd)
  }

  chargeApart(usd: number): void {
    this.surcharges.push(tinycents(usd))
  }
}
