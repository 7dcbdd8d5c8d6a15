import type { EVMResult, EVMRunCallOpts } from '@ethereumjs/evm'
import { keccak256 } from '#src/domain/keccak.ts'
import { LedgerEvm } from '#src/evm/ledger-evm.ts'

export interface SimulatedLog {
  /** 20 bytes. */
  readonly address: Uint8Array
  readonly topics: readonly Uint8Array[]
  readonly data: Uint8Array
}

/** Hbar that a frame brought with it. */
export interface Transfer {
  readonly from: Uint8Array
  readonly to: Uint8Array
  /** tinybar. */
  readonly amount: bigint
}

const wordBytes = 32
const addressBytes = 20
/** Nobody's address: that of hbar itself. */
const emitter = Buffer.alloc(addressBytes, 0xee)
const transferTopic = keccak256(Buffer.from('Transfer(address,address,uint256)'))

/** Notes the hbar that moves with calls, as long as none of the frames around fails. */
export class TransferEvm extends LedgerEvm {
  readonly transfers: Transfer[] = []

  override async runCall(options: EVMRunCallOpts): Promise<EVMResult> {
    const { caller, value, delegatecall = false, to } = options.message!
    const before = this.transfers.length
    // Its own comes before those of the calls that it makes.
    const isTransfer = value > 0n && !delegatecall
    const own = { from: caller.bytes, to: to?.bytes ?? new Uint8Array(addressBytes), amount: value }
    if (isTransfer) this.transfers.push(own)
    const result = await super.runCall(options)
    if (result.execResult.exceptionError !== undefined) this.transfers.length = before
    else if (isTransfer && result.createdAddress !== undefined)
      this.transfers[before] = { ...own, to: result.createdAddress.bytes }
    return result
  }
}

/** As a token would tell it. */
export function transferLog({ from, to, amount }: Transfer): SimulatedLog {
  const word = (bytes: Uint8Array) => Buffer.concat([Buffer.alloc(wordBytes - bytes.length), bytes])
  const data = Buffer.from(amount.toString(16).padStart(2 * wordBytes, '0'), 'hex')
  return { address: emitter, topics: [transferTopic, word(from), word(to)], data }
}
