import type { EVMResult } from '@ethereumjs/evm'
import { EVM, type EVMError, type EVMRunCallOpts, type Message } from '@ethereumjs/evm'
import { type Account, type Address, createAddressFromString } from '@ethereumjs/util'
import { type HexAddress, isSystemAccount, longZeroOf, numberOf } from '#src/evm/addresses.ts'
import { type ChainRules, chainRulesOf, curves } from '#src/evm/chain-rules.ts'
import { halted, outOfGas, succeeded } from '#src/evm/frame-results.ts'
import { isPropagating } from '#src/evm/halts.ts'
import type { LedgerState } from '#src/evm/ledger-state.ts'
import { withLedgerRules } from '#src/evm/operations.ts'
import { isAccountCall, isScheduleCall, proxyCode } from '#src/evm/proxy-code.ts'
import { quicken } from '#src/evm/quick-frames.ts'
import type { EvmRules } from '#src/evm/rules.ts'
import { servicesByNumber } from '#src/evm/services/services.ts'
import type { RecordedCalls } from '#src/evm/trace/recorded-calls.ts'
import type { World } from '#src/evm/world.ts'

export interface LedgerEvmOptions {
  readonly world: World
  readonly rules: EvmRules
  readonly chainId: number
  readonly blockNumber: bigint
  /** Gas that it costs to create an account for an address that nobody has. */
  readonly creationGas: bigint
  /** Whether accounts may have calls run the code of another address. */
  readonly delegates?: boolean
  /** What system contracts answered when the transaction ran, where it ran already. */
  readonly recorded?: RecordedCalls | undefined
}

/** A thread runs one call at a time. */
const idleMax = 2

/** Those that have run and wait for another run, by the rules of their chain. */
const idle = new WeakMap<ChainRules, LedgerEvm[]>()

/** The library's EVM with what the network does otherwise around it. One runs one transaction at a time. */
export class LedgerEvm extends EVM {
  world!: World
  rules!: EvmRules
  blockNumber = 0n
  /** The error that ends all frames, once there is one. */
  endOfAll: EVMError | undefined
  /** Whether code looked at what follows from the gas of the transaction, or shared it out among frames. */
  seesGas = false
  /** Codes of child transactions that failed, in their order. */
  failedChildren: string[] = []
  #creationGas = 0n
  #recorded: RecordedCalls | undefined
  #created = new Set<string>()
  #newContract: Address | undefined

  /** One that ran before, if there is one: to make one takes longer than most calls. */
  static open(options: LedgerEvmOptions): LedgerEvm {
    const evm = idle.get(chainOf(options))?.pop()
    if (evm === undefined) return new LedgerEvm(options)
    evm.#begin(options)
    return evm
  }

  constructor(options: LedgerEvmOptions) {
    const common = chainOf(options)
    super({ common, stateManager: options.world, ...curves })
    // Rules stay what they are: nobody waits for others.
    common.events.removeAllListeners()
    this.#begin(options)
  }

  /** With nothing of a run before. */
  #begin({ world, rules, blockNumber, creationGas, recorded }: LedgerEvmOptions): void {
    this.world = world
    this.stateManager = world
    this.journal['stateManager'] = world
    this.journal.cleanJournal()
    this.rules = rules
    this.blockNumber = blockNumber
    this.endOfAll = undefined
    this.seesGas = false
    this.failedChildren = []
    this.#creationGas = creationGas
    this.#recorded = recorded
    this.#created = new Set()
    this.#newContract = undefined
  }

  /** Leaves it to others, once its run has come to an end and nobody asks for more about it. */
  close(): void {
    const chain = this.common as ChainRules
    const others = idle.get(chain) ?? []
    idle.set(chain, others)
    if (others.length < idleMax) others.push(this)
  }

  /** Called by the library's constructor. */
  override getActiveOpcodes(): EVM['_opcodes'] {
    const chain = this.common as ChainRules
    if (chain.operations === undefined) {
      super.getActiveOpcodes()
      const { _opcodes, _handlers, _dynamicGasHandlers, _opcodeMap } = this
      chain.operations = { _opcodes, _handlers, _dynamicGasHandlers, _opcodeMap: withLedgerRules(_opcodeMap) }
    }
    Object.assign(this, chain.operations)
    return this._opcodes
  }

  get ledger(): LedgerState {
    return this.world.state
  }

  isPrecompile(address: HexAddress): boolean {
    const number = numberOf(address)
    return number !== undefined && number > 0n && number <= this.rules.lastPrecompile
  }

  /** Whether it is known what system contracts answered. */
  get isRecorded(): boolean {
    return this.#recorded !== undefined
  }

  /** Says in which block, and for whom at which price, everything runs from now on. */
  begin(block: NonNullable<EVMRunCallOpts['block']>, origin: Address, gasPrice: bigint): void {
    this._block = block
    this._tx = { gasPrice, origin }
  }

  /** Whether an account came into being in this transaction. */
  wasCreated(address: HexAddress): boolean {
    return this.#created.has(address)
  }

  /** Where a contract goes that the transaction itself creates: unless it is known, it has a number, and no address of its own. */
  async placeNewContract(place?: HexAddress): Promise<Address> {
    this.#newContract = createAddressFromString(place ?? longZeroOf(await this.world.newEntity()))
    return this.#newContract
  }

  /** Throws the halt of a contract that must not go. */
  async assertMayDestruct(_address: HexAddress): Promise<void> {}

  protected override async _generateAddress(message: Message): Promise<Address> {
    if (message.depth === 0 && this.#newContract !== undefined) return this.#newContract
    if (message.salt === undefined) this.world.assertKnown('nonce', message.caller.toString())
    const address = await super._generateAddress(message)
    this.#created.add(address.toString())
    return address
  }

  protected override _reduceSenderBalance(account: Account, message: Message): Promise<void> {
    if (message.value > 0n) this.world.assertKnown('balance', message.caller.toString())
    return super._reduceSenderBalance(account, message)
  }

  protected override async runInterpreter(...args: Parameters<EVM['runInterpreter']>) {
    const result = await super.runInterpreter(...args)
    quicken(result.runState!.interpreter)
    return result
  }

  override async runCall(options: EVMRunCallOpts): Promise<EVMResult> {
    const message = options.message
    const result = message?.to === undefined ? await super.runCall(options) : await this.#runFrame(message, options)
    const { exceptionError } = result.execResult
    if (exceptionError !== undefined && isPropagating(exceptionError)) this.endOfAll = exceptionError
    return result
  }

  async #runFrame(message: Message, options: EVMRunCallOpts): Promise<EVMResult> {
    const code = (message._codeAddress ?? message.to!).toString()
    const number = numberOf(code)
    const service = number === undefined ? undefined : servicesByNumber.get(number)
    if (service !== undefined) return this.#recorded?.answerTo(message) ?? service.run(message, this)
    if (isSystemAccount(code)) {
      if (message.value > 0n && !message.delegatecall) return halted(message, 'INVALID_CONTRACT_ID')
      if (!this.isPrecompile(code)) return succeeded(message, this.rules.systemCallsTakeGas ? message.gasLimit : 0n)
    }
    return this.#runAt(code, message, options)
  }

  /** A frame of a contract, of an account, or of an address where nothing is. */
  async #runAt(code: HexAddress, message: Message, options: EVMRunCallOpts): Promise<EVMResult> {
    const sendsValue = message.value > 0n && !message.delegatecall && message._codeAddress === undefined
    const there = await this.world.entityAt(code)
    if (sendsValue && (there?.kind === 'token' || there?.kind === 'schedule'))
      return halted(message, 'ILLEGAL_STATE_CHANGE')
    if (there?.kind === 'schedule' && !isScheduleCall(message.data)) return succeeded(message, 0n)
    if (there?.kind === 'account' && message.depth === 0 && isAccountCall(message.data))
      message.code = proxyCode('account', code)
    if (there !== undefined || this.isPrecompile(code) || (await this.world.exists(code))) return super.runCall(options)
    if (!sendsValue) return succeeded(message, 0n)
    if (numberOf(code) !== undefined) return halted(message, 'INVALID_ALIAS_KEY')
    return this.#createLazily(message, options)
  }

  /** Hbar for an address that nobody has makes an account for it, which the frame pays for. */
  async #createLazily(message: Message, options: EVMRunCallOpts): Promise<EVMResult> {
    if (!this.rules.createsLazily) return halted(message, 'INVALID_SOLIDITY_ADDRESS')
    if (message.gasLimit < this.#creationGas) return outOfGas(message)
    message.gasLimit -= this.#creationGas
    await this.world.addEntity('account', message.to!.toString())
    this.#created.add(message.to!.toString())
    const result = await super.runCall(options)
    result.execResult.executionGasUsed += this.#creationGas
    return result
  }
}

function chainOf({ rules, chainId, delegates }: LedgerEvmOptions): ChainRules {
  return chainRulesOf(rules, chainId, delegates === true)
}
