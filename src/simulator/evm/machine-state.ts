import { SimpleStateManager } from '@ethereumjs/statemanager'
import { Account, type Address, bytesToHex } from '@ethereumjs/util'
import { keccak256 } from '#src/domain/keccak.ts'
import { codeOf } from '#src/simulator/evm/code.ts'
import { numberIn } from '#src/simulator/evm/frame.ts'
import { hexBytes } from '#src/simulator/ids.ts'
import type { Contract } from '#src/simulator/ledger-state.ts'
import type { World } from '#src/simulator/world.ts'

/** What the network does not keep count of has enough. */
const plenty = 1_000_000_000_000_000n
const none = new Uint8Array(0)

/** One word of storage that was looked at, as it was before the transaction; hex without leading zeros. */
export interface TouchedSlot {
  readonly address: string
  /** 64 hex digits. */
  readonly slot: string
  readonly before: string
}

/** The simulated ledger as an EVM sees it. What a transaction changes stays here, and is asked for after it. */
export class MachineState extends SimpleStateManager {
  readonly #world: World
  /** In the order in which they were first looked at. */
  readonly touched = new Map<string, TouchedSlot>()
  /** Addresses where nothing is yet, whoever will have them. */
  #absent = new Set<string>()

  constructor(world: World) {
    super()
    this.#world = world
  }

  /** Forgets what the last transaction did. */
  begin(absent: readonly string[]): void {
    this.accountStack = []
    this.codeStack = []
    this.storageStack = []
    this.checkpointSync()
    this.originalStorageCache.clear()
    this.touched.clear()
    this.#absent = new Set(absent)
  }

  override async getAccount(address: Address): Promise<Account | undefined> {
    const key = address.toString()
    const accounts = this.topAccountStack()
    if (!accounts.has(key)) accounts.set(key, this.#accountAt(key.slice(2)))
    return accounts.get(key)
  }

  override async getCode(address: Address): Promise<Uint8Array> {
    const key = address.toString()
    const made = this.topCodeStack().get(key)
    if (made) return made
    const contract = this.#contractAt(key.slice(2))
    return contract ? codeOf(contract.code).runtime : none
  }

  override async getStorage(address: Address, key: Uint8Array): Promise<Uint8Array> {
    const [owner, slot] = [address.toString().slice(2), bytesToHex(key).slice(2)]
    const before = this.#contractAt(owner)?.slots[slot] ?? ''
    const place = `0x${owner}_0x${slot}`
    if (!this.touched.has(place)) this.touched.set(place, { address: owner, slot, before })
    return this.topStorageStack().get(place) ?? wordBytes(before)
  }

  /** What a slot that was touched holds now; hex without leading zeros. */
  after({ address, slot, before }: TouchedSlot): string {
    const now = this.topStorageStack().get(`0x${address}_0x${slot}`)
    return now === undefined ? before : bytesToHex(now).slice(2).replace(/^0+/, '')
  }

  #contractAt(address: string): Contract | undefined {
    const num = this.#world.numAt(address)
    const contract = num === undefined ? undefined : this.#world.contract(num)
    return contract?.slots === undefined ? undefined : contract
  }

  #accountAt(address: string): Account | undefined {
    if (this.#absent.has(address)) return undefined
    const num = this.#world.numAt(address) ?? numberIn(address)
    if (num === undefined) return undefined
    const contract = this.#contractAt(address)
    const holder = this.#world.holder(num)
    const balance = holder ? BigInt(Math.max(0, holder.balance)) : plenty
    return contract
      ? new Account(BigInt(contract.nonce), balance, undefined, keccak256(codeOf(contract.code).runtime))
      : new Account(0n, balance)
  }
}

function wordBytes(hex: string): Uint8Array {
  return hex === '' ? none : hexBytes(hex.length % 2 === 0 ? hex : `0${hex}`)
}
