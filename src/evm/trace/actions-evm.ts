import { EVMError, type EVMResult, type EVMRunCallOpts, type Message } from '@ethereumjs/evm'
import { hexOf } from '#src/domain/bytes.ts'
import { haltName, ServiceRevert } from '#src/evm/halts.ts'
import { LedgerEvm, type LedgerEvmOptions } from '#src/evm/ledger-evm.ts'
import { framingNames } from '#src/evm/operations.ts'
import type { TextSink } from '#src/evm/trace/trace-call.ts'

/** Tells each frame as a call with the calls that it made, as it ends: what is around it is told later. */
export class ActionsEvm extends LedgerEvm {
  readonly #texts: TextSink
  readonly #onlyTopCall: boolean
  /** What began the frame that begins next. */
  #operation: string | undefined
  #needsComma = false

  constructor(options: LedgerEvmOptions, texts: TextSink, onlyTopCall: boolean) {
    super(options)
    this.#texts = texts
    this.#onlyTopCall = onlyTopCall
    this._opcodeMap = this._opcodeMap.map((known, code) => {
      const name = framingNames.get(code)
      if (name === undefined) return known
      const opHandler: typeof known.opHandler = (state, common) => {
        this.#operation = name
        return known.opHandler(state, common)
      }
      return { ...known, opHandler }
    })
  }

  override async runCall(options: EVMRunCallOpts): Promise<EVMResult> {
    const message = options.message!
    if (this.#onlyTopCall && message.depth > 0) return super.runCall(options)
    const room = this.#texts.room()
    if (room !== undefined) await room
    const call = callOf(message, this.#operation)
    this.#texts.write(`${this.#needsComma ? ',' : ''}{"calls":[`)
    this.#needsComma = false
    const result = await super.runCall(options)
    this.#texts.write(`],${textOf(call, result)}}`)
    this.#needsComma = true
    return result
  }
}

interface Call {
  readonly from: string
  /** Undefined for what is to be created. */
  readonly to: string | undefined
  readonly gas: bigint
  readonly input: string
  readonly type: string
  readonly value: bigint
}

function callOf({ caller, to, _codeAddress, delegatecall, gasLimit, data, value }: Message, operation?: string): Call {
  const type = operation ?? (to === undefined ? 'CREATE' : 'CALL')
  // Whose code runs, and who has it run: the sender and value of a delegated call are those of the frame around it.
  const from = delegatecall ? to! : caller
  return { from: from.toString(), to: (_codeAddress ?? to)?.toString(), gas: gasLimit, input: hexOf(data), type, value }
}

function textOf({ from, to, gas, input, type, value }: Call, { execResult, createdAddress }: EVMResult): string {
  const { exceptionError, executionGasUsed, returnValue } = execResult
  const error = haltName(exceptionError)
  const output = `"0x${hexOf(returnValue)}"`
  const isReverted = exceptionError?.error === EVMError.errorMessages.REVERT
  const reason = exceptionError instanceof ServiceRevert ? exceptionError.reason : returnValue
  const shownReason = isReverted && reason.length > 0 ? `"0x${hexOf(reason)}"` : 'null'
  const place = to ?? createdAddress?.toString()
  return (
    `"error":${error === null ? 'null' : `"${error}"`},"from":"${from}","gas":"${quantity(gas)}",` +
    `"gas_used":"${quantity(executionGasUsed)}","input":"0x${input}","output":${error === null ? output : '"0x"'},` +
    `"revert_reason":${shownReason},"to":${place === undefined ? 'null' : `"${place}"`},` +
    `"type":"${type}","value":"${quantity(value)}"`
  )
}

function quantity(value: bigint): string {
  return `0x${value.toString(16)}`
}
