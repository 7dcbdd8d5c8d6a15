import { hexOf } from '#src/domain/bytes.ts'
import type { Step } from '#src/evm/trace/traced-evm.ts'

/** What a trace shows of each step beside where it is and what it cost. */
export interface ShownParts {
  readonly stack: boolean
  readonly memory: boolean
  readonly storage: boolean
}

const wordBytes = 32

/** Renders steps as JSON texts. What storage shows is rendered again only where it changed. */
export class StepTexts {
  readonly #shown: ShownParts
  #storage: ReadonlyMap<bigint, bigint> | undefined
  #storageSize = -1
  #storageText = '{}'

  constructor(shown: ShownParts) {
    this.#shown = shown
  }

  textOf({ pc, op, gas, gasCost, depth, stack, memory, storage, reason }: Step): string {
    const { stack: showsStack, memory: showsMemory, storage: showsStorage } = this.#shown
    const reasonText = reason === null ? 'null' : `"${reason}"`
    return (
      `{"depth":${depth},"gas":${gas},"gas_cost":${gasCost},"memory":${showsMemory ? wordsOf(memory) : '[]'},` +
      `"op":"${op}","pc":${pc},"reason":${reasonText},"stack":${showsStack ? `[${stack.join(',')}]` : '[]'},` +
      `"storage":${showsStorage ? this.#storageOf(storage, op) : '{}'}}`
    )
  }

  #storageOf(storage: ReadonlyMap<bigint, bigint>, op: string): string {
    const isSame = storage === this.#storage && storage.size === this.#storageSize && op !== 'SSTORE'
    if (isSame) return this.#storageText
    this.#storage = storage
    this.#storageSize = storage.size
    const entries = [...storage].sort(([a], [b]) => (a < b ? -1 : 1))
    this.#storageText = `{${entries.map(([slot, value]) => `"${quantity(slot)}":"${quantity(value)}"`).join(',')}}`
    return this.#storageText
  }
}

function wordsOf(memory: Uint8Array | undefined): string {
  const words: string[] = []
  for (let at = 0; memory !== undefined && at < memory.length; at += wordBytes)
    words.push(`"0x${hexOf(memory, at, at + wordBytes)}"`)
  return `[${words.join(',')}]`
}

function quantity(value: bigint): string {
  return `0x${value.toString(16)}`
}
