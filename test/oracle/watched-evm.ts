import { EVMError, type EVMResult, type EVMRunCallOpts } from '@ethereumjs/evm'
import { createAddressFromString } from '@ethereumjs/util'

import { LedgerEvm, type LedgerEvmOptions } from '#src/evm/ledger-evm.ts'

/** A call between contracts as it was made again, in the words of a recorded one. */
export interface MadeCall {
  readonly depth: number
  readonly operation: string
  /** Whose code called, and whose code was called; hex. */
  readonly from: string
  to: string
  readonly input: string
  readonly value: string
  readonly gas: string
  gasUsed: string
  result: string
  data: string
}

export interface MadeLog {
  readonly address: string
  readonly topics: readonly string[]
  readonly data: string
}

/** A slot that was looked at or written: 32 bytes each, `written` null where it stayed what it was. */
export interface MadeAccess {
  readonly address: string
  readonly slot: string
  readonly read: string
  readonly written: string | null
}

const operations = new Map([
  [0xf0, 'CREATE'],
  [0xf1, 'CALL'],
  [0xf2, 'CALLCODE'],
  [0xf4, 'DELEGATECALL'],
  [0xf5, 'CREATE2'],
  [0xfa, 'STATICCALL'],
])

/** The service's own EVM, which is watched: each call, each slot and the logs that stay. */
export class WatchedEvm extends LedgerEvm {
  readonly calls: MadeCall[] = []
  logs: readonly MadeLog[] = []
  readonly #slots = new Map<string, { address: string; slot: Uint8Array; read: string }>()
  readonly #open: MadeCall[] = []
  #next = ''

  constructor(options: LedgerEvmOptions) {
    super(options)
    this._opcodeMap = this._opcodeMap.map((known, opcode) => {
      const name = operations.get(opcode)
      if (name === undefined) return known
      const opHandler: typeof known.opHandler = (state, common) => {
        this.#next = name
        return known.opHandler(state, common)
      }
      return { ...known, opHandler }
    })
    this.#watchSlots()
  }

  #watchSlots(): void {
    const { world } = this
    const getStorage = world.getStorage.bind(world)
    world.getStorage = async (address, slot) => {
      const value = await getStorage(address, slot)
      const key = `${address.toString()}/${hex(slot)}`
      if (!this.#slots.has(key)) this.#slots.set(key, { address: address.toString(), slot, read: word(value) })
      return value
    }
  }

  override async runCall(options: EVMRunCallOpts): Promise<EVMResult> {
    const message = options.message!
    const creates = message.to === undefined
    const call: MadeCall = {
      depth: message.depth,
      operation: message.depth === 0 ? (creates ? 'CREATE' : 'CALL') : this.#next,
      from: this.#open.at(-1)?.to ?? message.caller.toString(),
      to: creates ? '' : message.codeAddress.toString(),
      input: creates ? '0x' : hex(message.data),
      value: message.delegatecall ? '0' : String(message.value),
      gas: String(message.gasLimit),
      gasUsed: '',
      result: '',
      data: '',
    }
    this.calls.push(call)
    this.#open.push(call)
    const result = await super.runCall(options)
    this.#open.pop()
    const { executionGasUsed, returnValue, exceptionError, logs = [] } = result.execResult
    call.gasUsed = String(executionGasUsed)
    call.result = endOf(exceptionError)
    call.data = call.result !== 'ERROR' ? hex(returnValue) : ''
    if (message.depth === 0)
      this.logs = logs.map(([address, topics, data]) => ({
        address: hex(address),
        topics: topics.map(hex),
        data: hex(data),
      }))
    return result
  }

  protected override async _generateAddress(...args: Parameters<LedgerEvm['_generateAddress']>) {
    const address = await super._generateAddress(...args)
    this.#open.at(-1)!.to = address.toString()
    return address
  }

  /** What was looked at, after everything: only what stays counts as written. */
  async accesses(): Promise<MadeAccess[]> {
    const made: MadeAccess[] = []
    for (const { address, slot, read } of [...this.#slots.values()]) {
      const after = word(await this.world.getStorage(createAddressFromString(address), slot))
      made.push({ address, slot: word(slot), read, written: after === read ? null : after })
    }
    return made
  }
}

function hex(bytes: Uint8Array): string {
  return `0x${Buffer.from(bytes).toString('hex')}`
}

function word(bytes: Uint8Array): string {
  return `0x${Buffer.from(bytes).toString('hex').padStart(64, '0')}`
}

function endOf(error: EVMError | undefined): string {
  if (error === undefined) return 'OUTPUT'
  return error.error === EVMError.errorMessages.REVERT ? 'REVERT_REASON' : 'ERROR'
}
