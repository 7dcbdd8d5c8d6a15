import Long from 'long'
import type { BlockStore } from '#src/simulator/block-node/block-store.ts'
import { lengthDelimited } from '#src/simulator/block-node/items.ts'
import { encode } from '#src/simulator/codec.ts'

export const subscribeCodes = {
  success: 1,
  invalidRequest: 2,
  invalidStart: 4,
  invalidEnd: 5,
  notAvailable: 6,
} as const
export const blockCodes = { success: 1, invalidRequest: 2, notFound: 4 } as const

const none = Long.MAX_UNSIGNED_VALUE
const blockItems = 2
const responseBlock = 2

/** Messages of the network's definitions; the bytes of items and blocks are put in as they are. */
export function statusResponse(store: BlockStore): Buffer {
  const range = store.range()
  return encoded('ServerStatusResponse', {
    firstAvailableBlock: range ? long(range.first) : none,
    lastAvailableBlock: range ? long(range.last) : none,
    nextExpectedBlock: range ? long(range.last + 1n) : none,
  })
}

export function statusDetailResponse(store: BlockStore): Buffer {
  const range = store.range()
  const ranges = range ? [{ rangeStart: long(range.first), rangeEnd: long(range.last) }] : []
  return encoded('ServerStatusDetailResponse', {
    versionInformation: { blockNodeVersion: { major: 0, minor: 30, patch: 0 } },
    availableRanges: ranges,
    storedRanges: ranges,
  })
}

export function itemsResponse(set: Uint8Array): Buffer {
  return lengthDelimited(blockItems, set)
}

export function endResponse(number: bigint): Buffer {
  return encoded('SubscribeStreamResponse', { endOfBlock: { blockNumber: long(number) } })
}

export function codeResponse(code: number): Buffer {
  return encoded('SubscribeStreamResponse', { status: code })
}

export function blockResponse(code: number, block?: Uint8Array): Buffer {
  const status = encoded('BlockResponse', { status: code })
  return block ? Buffer.concat([status, lengthDelimited(responseBlock, block)]) : status
}

function encoded(name: string, message: { [field: string]: unknown }): Buffer {
  return Buffer.from(encode(`org.hiero.block.api.${name}`, message))
}

function long(number: bigint): Long {
  return Long.fromString(number.toString(), true)
}
