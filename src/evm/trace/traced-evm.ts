import { EVMError, type EVMResult, type EVMRunCallOpts, type Message } from '@ethereumjs/evm'
import { hexOf } from '#src/domain/bytes.ts'
import { isSystemAccount, numberOf } from '#src/evm/addresses.ts'
import { ServiceRevert } from '#src/evm/halts.ts'
import { LedgerEvm, type LedgerEvmOptions } from '#src/evm/ledger-evm.ts'
import type { Operation, RunState } from '#src/evm/operations.ts'
import { servicesByNumber } from '#src/evm/services/services.ts'
import { itemWidth } from '#src/evm/trace/item-width.ts'
import { revertReason } from '#src/evm/trace/revert-reason.ts'

/** One instruction, as it left things. */
export interface Step {
  readonly pc: number
  readonly op: string
  readonly gas: bigint
  readonly gasCost: bigint
  readonly depth: number
  /** Items as JSON texts, bottom first. */
  readonly stack: readonly string[]
  /** undefined where nothing runs that has memory. */
  readonly memory: Uint8Array | undefined
  /** By slot. */
  readonly storage: ReadonlyMap<bigint, bigint>
  /** Hex; null where nothing was reverted. */
  readonly reason: string | null
}

export interface StepSink {
  write(step: Step): void
  /** Resolves when there is room for more: at once, while there is. */
  room(): Promise<void> | undefined
}

interface Frame {
  readonly message: Message
  /** The items of its stack as texts. */
  readonly items: string[]
  /** What storage showed when it began. */
  readonly storage: ReadonlyMap<bigint, bigint>
  code: number
  pc: number
  cost: bigint
  state: RunState | undefined
  /** The step of a call was told when the called frame began. */
  isSuspended: boolean
  hasStopped: boolean
}

const none: readonly string[] = []
const nothing: ReadonlyMap<bigint, bigint> = new Map()

/** Names that the network has for operations of its own making. */
const names: Readonly<Record<number, string>> = { 68: 'PRNGSEED', 240: 'ħCREATE', 245: 'ħCREATE2' }
const code = { sload: 0x54, sstore: 0x55, revert: 0xfd } as const
const firstDup = 0x80
const firstSwap = 0x90
const lastSwap = 0x9f
/** What leaves nothing on the stack. */
const pushesNothing: ReadonlySet<number> = new Set([
  0x00, 0x37, 0x39, 0x3c, 0x3e, 0x50, 0x52, 0x53, 0x55, 0x56, 0x57, 0x5b, 0x5d, 0x5e, 0xa0, 0xa1, 0xa2, 0xa3, 0xa4,
  0xf3, 0xfd, 0xfe, 0xff,
])
/** Operations that take their operands off the stack before they find that gas is short: how many. */
const takenFirst: ReadonlyMap<number, number> = new Map([
  [0x0a, 2],
  [0x20, 2],
  [0x31, 1],
  [0x37, 3],
  [0x39, 3],
  [0x3b, 1],
  [0x3c, 4],
  [0x3e, 3],
  [0x3f, 1],
  [0x51, 1],
  [0x52, 2],
  [0x53, 2],
  [0x54, 1],
  [0x55, 2],
  [0x5e, 3],
  ...[0xa0, 0xa1, 0xa2, 0xa3, 0xa4].map((each) => [each, 2] as const),
  [0xf3, 2],
  [0xfd, 2],
  [0xff, 1],
])
const operandsMax = 3

/** Tells each instruction after it ran, as the network's own tracer does. */
export class TracedEvm extends LedgerEvm {
  readonly #sink: StepSink
  readonly #frames: Frame[] = []
  #storage = new Map<bigint, bigint>()

  constructor(options: LedgerEvmOptions, sink: StepSink) {
    super(options)
    this.#sink = sink
    this._opcodeMap = this._opcodeMap.map((operation, at) => this.#traced(at, operation))
  }

  override async runCall(options: EVMRunCallOpts): Promise<EVMResult> {
    const message = options.message!
    this.#suspend(message)
    const storage = new Map(this.#storage)
    const frame: Frame = {
      message,
      storage,
      items: [],
      code: 0,
      pc: 0,
      cost: 0n,
      state: undefined,
      isSuspended: false,
      hasStopped: false,
    }
    this.#frames.push(frame)
    const result = await super.runCall(options)
    this.#frames.pop()
    const { exceptionError } = result.execResult
    if (exceptionError !== undefined) this.#storage = storage
    if (isSystem(message, this)) this.#tellSystem(message, result)
    else if (exceptionError === undefined && !frame.hasStopped) this.#tellStop(message, result)
    return result
  }

  /** The step of the operation that begins this frame. */
  #suspend(message: Message): void {
    const caller = this.#frames.at(-1)
    if (caller?.state === undefined) return
    caller.isSuspended = true
    this.#tell(caller, {
      pc: caller.pc,
      gas: caller.state.gasLeft - message.gasLimit,
      gasCost: caller.cost,
      depth: message.depth,
      reason: null,
    })
  }

  #tellSystem({ depth, gasLimit }: Message, { execResult }: EVMResult): void {
    const { exceptionError, executionGasUsed, returnValue } = execResult
    const isReverted = exceptionError?.error === EVMError.errorMessages.REVERT
    const reason = exceptionError instanceof ServiceRevert ? exceptionError.reason : returnValue
    this.#sink.write({
      pc: 0,
      op: '',
      gas: gasLimit - executionGasUsed,
      gasCost: executionGasUsed,
      depth,
      stack: none,
      memory: undefined,
      storage: nothing,
      reason: isReverted ? this.#reasonOf(reason) : null,
    })
  }

  /** As the network recorded it, where it did. */
  #reasonOf(returned: Uint8Array): string {
    return `0x${hexOf(this.isRecorded ? revertReason(returned) : returned)}`
  }

  /** Code that just ends stops there, as does none. */
  #tellStop({ depth, gasLimit }: Message, { execResult }: EVMResult): void {
    this.#sink.write({
      pc: execResult.runState?.programCounter ?? 0,
      op: 'STOP',
      gas: gasLimit - execResult.executionGasUsed,
      gasCost: 0n,
      depth,
      stack: none,
      memory: undefined,
      storage: this.#storage,
      reason: null,
    })
  }

  /** All operations tell what they cost before they run: so each can be told that can't be paid. */
  #traced(at: number, known: Operation): Operation {
    const { opcodeInfo } = known
    const gasHandler = async (...[state, gas, common]: Parameters<Operation['gasHandler']>): Promise<bigint> => {
      const frame = this.#frames.at(-1)!
      frame.state = state
      frame.code = at
      frame.pc = state.programCounter
      frame.cost = 0n
      const room = this.#sink.room()
      if (room !== undefined) await room
      try {
        frame.cost = opcodeInfo.dynamicGas ? await known.gasHandler(state, gas, common) : gas
      } catch (error) {
        this.#tellHalt(frame, error, state.gasLeft)
        throw error
      }
      if (opcodeInfo.isInvalid) frame.cost = 0n
      if (opcodeInfo.isInvalid || frame.cost > state.gasLeft) this.#tellUnpaid(frame, state)
      return frame.cost
    }
    const opHandler: Operation['opHandler'] = opcodeInfo.isAsync
      ? async (state, common) => this.#awaitRun(known, state, common)
      : (state, common) => this.#run(known, state, common)
    return { ...known, opcodeInfo: { ...opcodeInfo, dynamicGas: true }, gasHandler, opHandler }
  }

  #run(known: Operation, state: RunState, common: Parameters<Operation['opHandler']>[1]): void {
    const frame = this.#frames.at(-1)!
    const before = this.#begin(frame, state)
    try {
      void known.opHandler(state, common)
    } catch (error) {
      this.#end(frame, state, before, error)
      throw error
    }
    this.#end(frame, state, before)
  }

  async #awaitRun(known: Operation, state: RunState, common: Parameters<Operation['opHandler']>[1]): Promise<void> {
    const frame = this.#frames.at(-1)!
    const before = this.#begin(frame, state)
    try {
      await known.opHandler(state, common)
    } catch (error) {
      this.#end(frame, state, before, error)
      throw error
    }
    this.#end(frame, state, before)
  }

  /** What the operation finds: its operands, and what a revert would tell. */
  #begin(frame: Frame, state: RunState): Before {
    frame.isSuspended = false
    const operands = state.stack.peek(Math.min(operandsMax, state.stack.length))
    return {
      operands,
      gas: state.gasLeft + frame.cost,
      reason: frame.code === code.revert ? revertedBytes(state) : null,
    }
  }

  #end(frame: Frame, state: RunState, { operands, gas, reason }: Before, error?: unknown): void {
    if (error !== undefined && !isStop(error) && !isRevert(error)) {
      if (!frame.isSuspended) this.#tellHalt(frame, error, gas)
      return
    }
    if (error !== undefined) frame.hasStopped = true
    moveItems(frame, state, operands)
    this.#noteStorage(frame, state, operands)
    if (frame.isSuspended) return
    const pc = error === undefined ? state.programCounter : frame.pc
    this.#tell(frame, { pc, gas: state.gasLeft, gasCost: frame.cost, depth: frame.message.depth, reason })
  }

  #noteStorage({ code: at, message }: Frame, state: RunState, operands: readonly bigint[]): void {
    const [slot, value] = operands
    if (at === code.sstore && !message.isStatic) this.#storage.set(slot!, value!)
    if (at === code.sload) this.#storage.set(slot!, state.stack.peek(1)[0]!)
  }

  /** An operation that ends its frame otherwise than by its own will. */
  #tellHalt(frame: Frame, error: unknown, gas: bigint): void {
    if (!(error instanceof EVMError)) return
    frame.hasStopped = true
    frame.items.length -= Math.min(frame.items.length, takenFirst.get(frame.code) ?? 0)
    this.#tell(frame, { pc: frame.pc, gas, gasCost: frame.cost, depth: frame.message.depth, reason: null })
  }

  #tellUnpaid(frame: Frame, { gasLeft }: RunState): void {
    this.#tellHalt(frame, new EVMError(EVMError.errorMessages.OUT_OF_GAS), gasLeft)
  }

  #tell(frame: Frame, step: Pick<Step, 'pc' | 'gas' | 'gasCost' | 'depth' | 'reason'>): void {
    const { items, state, code: at } = frame
    const memory = state?.memory._store.subarray(0, Number(state.memoryWordCount) * wordBytes)
    const op = names[at] ?? this._opcodeMap[at]!.opcodeInfo.fullName
    this.#sink.write({ ...step, op, stack: items, memory, storage: this.#storage })
  }
}

interface Before {
  readonly operands: readonly bigint[]
  readonly gas: bigint
  readonly reason: string | null
}

const wordBytes = 32

function isSystem(message: Message, evm: LedgerEvm): boolean {
  const address = (message._codeAddress ?? message.to)?.toString()
  if (address === undefined) return false
  return evm.isPrecompile(address) || isSystemAccount(address) || servicesByNumber.has(numberOf(address) ?? -1n)
}

function isStop(error: unknown): boolean {
  return error instanceof EVMError && error.error === EVMError.errorMessages.STOP
}

function isRevert(error: unknown): boolean {
  return error instanceof EVMError && error.error === EVMError.errorMessages.REVERT
}

function revertedBytes({ stack, memory }: RunState): string | null {
  if (stack.length < 2) return null
  const [offset, length] = stack.peek(2)
  return length === 0n ? '0x' : `0x${hexOf(memory.read(Number(offset), Number(length)))}`
}

/** Moves the texts of items as the operation moved the items. */
function moveItems(frame: Frame, { stack }: RunState, operands: readonly bigint[]): void {
  const { items, code: at } = frame
  if (at >= firstDup && at < firstSwap) items.push(items[items.length - (at - firstDup + 1)]!)
  else if (at >= firstSwap && at <= lastSwap) {
    const other = items.length - (at - firstSwap + 2)
    const top = items.length - 1
    const text = items[top]!
    items[top] = items[other]!
    items[other] = text
  } else if (pushesNothing.has(at)) items.length = stack.length
  else {
    items.length = stack.length - 1
    const [value = 0n] = stack.peek(1)
    items.push(itemText(value, itemWidth(at, value, operands)))
  }
}

function itemText(value: bigint, width: number): string {
  return width === 0 ? '"0x"' : `"0x${value.toString(16).padStart(2 * width, '0')}"`
}
