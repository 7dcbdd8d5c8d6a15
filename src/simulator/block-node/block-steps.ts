import type { BlockFault } from '#src/simulator/block-node/faults.ts'
import { damaged, fillingItem, itemsOf, setsOf, withoutItem } from '#src/simulator/block-node/items.ts'
import { codeResponse, endResponse, itemsResponse } from '#src/simulator/block-node/responses.ts'

/** One thing that the node does to send a block. */
export type Step =
  | { readonly kind: 'send'; readonly message: Buffer }
  | { readonly kind: 'wait'; readonly milliseconds: number }
  | { readonly kind: 'stall' | 'cut' | 'die' }
  /** The last message of the call. */
  | { readonly kind: 'finish'; readonly message: Buffer }
  | { readonly kind: 'fail'; readonly code: number; readonly text: string }

export interface BlockSteps {
  readonly number: bigint
  /** A serialized Block. */
  readonly block: Uint8Array
  readonly fault: BlockFault | undefined
  /** Bytes of a set, unless one item alone is larger. */
  readonly setBytesMax: number
}

/** How a subscriber gets a block, with the fault that it has. */
export function* stepsOf({ number, block, fault, setBytesMax }: BlockSteps): Generator<Step> {
  switch (fault?.kind) {
    case 'status':
      return yield { kind: 'finish', message: codeResponse(fault.code) }
    case 'fail':
      return yield fault
    case 'stall':
    case 'cut':
    case 'die':
      yield* sets(firstHalf(itemsOf(block)), setBytesMax)
      return yield { kind: fault.kind }
    case 'slow':
      yield { kind: 'wait', milliseconds: fault.milliseconds }
      break
    case 'empty_sets':
      for (let count = 0; count < fault.count; count++) yield send(itemsResponse(Buffer.alloc(0)))
      break
    case 'repeat':
      yield* sets(itemsOf(block), setBytesMax)
      yield send(endResponse(number))
  }
  const served = fault?.kind === 'large_block' ? block : servedBlock(number, block, fault)
  if (served === undefined) return
  yield* sets(itemsOf(served), setBytesMax)
  if (fault?.kind === 'large_block') yield* sets(filling(fault.bytes, setBytesMax), setBytesMax)
  yield send(endResponse(fault?.kind === 'wrong_end' ? number + 1n : number))
}

/** The bytes of a block for those who ask for it alone; undefined: it is not there. */
export function servedBlock(number: bigint, block: Uint8Array, fault: BlockFault | undefined): Uint8Array | undefined {
  if (fault?.kind === 'skip_block') return undefined
  if (fault?.kind === 'other_chain') return fault.store.read(number)
  if (fault?.kind === 'lie') return damaged(block)
  if (fault?.kind === 'skip_item') return withoutItem(block)
  if (fault?.kind === 'large_message' || fault?.kind === 'large_block') {
    return Buffer.concat([block, fillingItem(fault.bytes)])
  }
  return block
}

function* filling(bytes: number, itemBytes: number): Generator<Buffer> {
  const item = fillingItem(itemBytes)
  for (let sent = 0; sent < bytes; sent += item.length) yield item
}

function firstHalf(items: readonly Buffer[]): readonly Buffer[] {
  return items.slice(0, Math.ceil(items.length / 2))
}

function* sets(items: Iterable<Buffer>, bytesMax: number): Generator<Step> {
  for (const set of setsOf(items, bytesMax)) yield send(itemsResponse(set))
}

function send(message: Buffer): Step {
  return { kind: 'send', message }
}
