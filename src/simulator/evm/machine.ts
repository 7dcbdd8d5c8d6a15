import { createCustomCommon, Hardfork, Mainnet } from '@ethereumjs/common'
import {
  EVM,
  EVMError,
  type EVMResult,
  type EVMRunCallOpts,
  type Log,
  Message,
  NobleBN254,
  paramsEVM,
} from '@ethereumjs/evm'
import { type Address, createAddressFromString, createZeroAddress } from '@ethereumjs/util'
import type { ServiceAnswer } from '#src/simulator/evm/asked-call.ts'
import { type End, isService, numberIn, type Operation } from '#src/simulator/evm/frame.ts'
import { MachineState, type TouchedSlot } from '#src/simulator/evm/machine-state.ts'
import { chainId } from '#src/simulator/evm/raw-transaction.ts'
import { longZero } from '#src/simulator/evm/words.ts'
import { accounts, hexBytes } from '#src/simulator/ids.ts'
import type { World } from '#src/simulator/world.ts'

/** A call as the machine runs it. Addresses are 40 hex digits. */
export interface MachineCall {
  readonly caller: string
  /** undefined: a creation. */
  readonly to: string | undefined
  /** Where what is created goes. */
  readonly place: string
  readonly input: Uint8Array
  readonly value: number
  /** Without what the transaction itself costs. */
  readonly gas: number
  readonly services: readonly ServiceAnswer[]
  /** An address that hbar make an account for, and the gas of that. */
  readonly newAccount: { readonly address: string; readonly gas: number } | undefined
}

/** A frame as it ran. */
export interface MachineFrame {
  readonly operation: Operation
  readonly depth: number
  /** Of the code that called. */
  readonly caller: string
  /** Of the code that was called, or of what was created. */
  code: string
  /** Whose storage it has: of a call on behalf of another contract, that one's. */
  to: string
  readonly input: Uint8Array
  readonly value: number
  readonly gas: number
  gasUsed: number
  end: End
  undone: boolean
  readonly parent: MachineFrame | undefined
  answer?: ServiceAnswer
  /** It made an account. */
  isLazy?: true
}

export interface MachineRun {
  readonly frames: readonly MachineFrame[]
  /** Without what the transaction itself costs. */
  readonly gasUsed: number
  readonly refund: number
  readonly logs: readonly { readonly address: string; readonly topics: Uint8Array[]; readonly data: Uint8Array }[]
}

const framing: readonly (readonly [opcode: number, Operation])[] = [
  [0xf0, 'create'],
  [0xf1, 'call'],
  [0xf2, 'callCode'],
  [0xf4, 'delegateCall'],
  [0xf5, 'create2'],
  [0xfa, 'staticCall'],
]
const precompiles = 10
const price = 71n
const none = new Uint8Array(0)
/** The network lets storage be written with whatever gas is left. */
const params = { ...paramsEVM, 2200: { ...paramsEVM[2200], sstoreSentryEIP2200Gas: 0 } }
const common = createCustomCommon({ chainId }, Mainnet, { hardfork: Hardfork.Cancun })

/** A plain EVM on the simulated ledger, which keeps account of its frames. What is the network's own is answered for it. */
export class Machine extends EVM {
  readonly #state: MachineState
  readonly #world: World
  #frames: MachineFrame[] = []
  #open: MachineFrame[] = []
  #next: Operation = 'call'
  #call: MachineCall | undefined
  #answers: ServiceAnswer[] = []

  constructor(world: World) {
    const stateManager = new MachineState(world)
    super({ common, stateManager, params, bn254: new NobleBN254() })
    this.#state = stateManager
    this.#world = world
    const operations = [...this._opcodeMap]
    for (const [opcode, operation] of framing) {
      const known = operations[opcode]!
      operations[opcode] = {
        ...known,
        opHandler: (state, own) => {
          this.#next = operation
          return known.opHandler(state, own)
        },
      }
    }
    this._opcodeMap = operations
  }

  async run(call: MachineCall): Promise<MachineRun> {
    this.#begin(call)
    const caller = createAddressFromString(`0x${call.caller}`)
    this._block = this.#blockOf(call) as NonNullable<EVM['_block']>
    this._tx = { gasPrice: price, origin: caller }
    const { execResult } = await this.runCall({
      skipNonceIncrement: true,
      message: new Message({
        caller,
        gasLimit: BigInt(call.gas),
        value: BigInt(call.value),
        data: call.input,
        depth: 0,
        selfdestruct: new Map(),
        createdAddresses: new Set(),
        ...(call.to === undefined ? {} : { to: createAddressFromString(`0x${call.to}`) }),
      }),
    })
    const logs = (execResult.logs ?? []).map(([address, topics, data]) => ({ address: hex(address), topics, data }))
    const refund = Number(execResult.gasRefund ?? 0n)
    return { frames: this.#frames, gasUsed: Number(execResult.executionGasUsed), refund, logs }
  }

  /** Slots that the last transaction looked at, and what they hold after it. */
  accesses(): (TouchedSlot & { readonly after: string })[] {
    return [...this.#state.touched.values()].map((slot) => ({ ...slot, after: this.#state.after(slot) }))
  }

  codeAt(address: string): Promise<Uint8Array> {
    return this.#state.getCode(createAddressFromString(`0x${address}`))
  }

  async nonceAt(address: string): Promise<number> {
    return Number((await this.#state.getAccount(createAddressFromString(`0x${address}`)))?.nonce ?? 0n)
  }

  #begin(call: MachineCall): void {
    const { caller, to, newAccount, services } = call
    this.#call = call
    this.#frames = []
    this.#open = []
    this.#answers = [...services]
    this.#next = to === undefined ? 'create' : 'call'
    this.#state.begin(newAccount ? [newAccount.address] : [])
    this.journal.cleanJournal()
    this.transientStorage.clear()
    const warm = Array.from({ length: precompiles }, (_, at) => longZero(at + 1))
    for (const address of [...warm, caller, ...(to === undefined ? [] : [to])])
      this.journal.addAlwaysWarmAddress(address)
  }

  #blockOf({ gas }: MachineCall) {
    const { block, now } = this.#world
    return {
      header: {
        number: BigInt(block.number),
        coinbase: createAddressFromString(`0x${longZero(accounts.networkFee)}`),
        timestamp: BigInt((block.first ?? now).seconds),
        difficulty: 0n,
        prevRandao: new Uint8Array(32),
        gasLimit: BigInt(gas),
        baseFeePerGas: 0n,
        getBlobGasPrice: () => 1n,
      },
    }
  }

  /** What the transaction itself creates goes where the network puts it. */
  protected override async _generateAddress(message: Message): Promise<Address> {
    const address =
      message.depth === 0 ? createAddressFromString(`0x${this.#call!.place}`) : await super._generateAddress(message)
    const frame = this.#open.at(-1)!
    frame.code = frame.to = digits(address)
    return address
  }

  override async runCall(options: EVMRunCallOpts): Promise<EVMResult> {
    const message = options.message!
    const parent = this.#open.at(-1)
    const frame: MachineFrame = {
      operation: this.#next,
      depth: message.depth,
      caller: parent?.code ?? digits(message.caller),
      code: message.to === undefined ? '' : digits(message.codeAddress),
      to: message.to === undefined ? '' : digits(message.to),
      // What is seen of a call is memory that goes on changing.
      input: Buffer.from(message.data),
      value: message.delegatecall ? 0 : Number(message.value),
      gas: Number(message.gasLimit),
      gasUsed: 0,
      end: { output: none },
      undone: false,
      parent,
    }
    this.#frames.push(frame)
    this.#open.push(frame)
    const result = await this.#runFrame(frame, message, options)
    this.#open.pop()
    frame.gasUsed = Number(result.execResult.executionGasUsed)
    frame.end = endOf(result)
    return result
  }

  async #runFrame(frame: MachineFrame, message: Message, options: EVMRunCallOpts): Promise<EVMResult> {
    const number = frame.operation.startsWith('create') ? undefined : numberIn(frame.code)
    if (number !== undefined && isService(number)) return this.#answered(frame, message)
    const { newAccount } = this.#call!
    const isLazy =
      newAccount?.address === frame.code &&
      frame.value > 0 &&
      !(await this.#state.getAccount(message.to ?? createZeroAddress()))
    if (!isLazy) return super.runCall(options)
    const gas = BigInt(newAccount.gas)
    if (message.gasLimit < gas) return outOfGas(message)
    message.gasLimit -= gas
    const result = await super.runCall(options)
    result.execResult.executionGasUsed += gas
    frame.isLazy = true
    return result
  }

  #answered(frame: MachineFrame, message: Message): EVMResult {
    const answer = this.#answers.shift()
    if (answer === undefined) throw new TypeError(`nothing was said about a call of ${frame.code}`)
    if (message.gasLimit < BigInt(answer.gas)) return outOfGas(message)
    frame.answer = answer
    const logs = (answer.logs ?? []).map(
      ({ contract, topics, data }): Log => [hexBytes(longZero(contract)), [...topics], data],
    )
    const executionGasUsed = BigInt(answer.gas)
    return { execResult: { executionGasUsed, returnValue: answer.output, gasRefund: message.gasRefund, logs } }
  }
}

function outOfGas({ gasLimit }: Message): EVMResult {
  const exceptionError = new EVMError(EVMError.errorMessages.OUT_OF_GAS)
  return { execResult: { executionGasUsed: gasLimit, returnValue: none, exceptionError } }
}

function endOf({ execResult: { exceptionError, returnValue } }: EVMResult): End {
  const returned = Buffer.from(returnValue)
  if (exceptionError === undefined) return { output: returned }
  if (exceptionError.error === EVMError.errorMessages.REVERT) return { revert: returned }
  const isShort = exceptionError.error === EVMError.errorMessages.OUT_OF_GAS
  return { error: isShort ? 'INSUFFICIENT_GAS' : 'CONTRACT_EXECUTION_EXCEPTION' }
}

function digits(address: Address): string {
  return address.toString().slice(2)
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}
