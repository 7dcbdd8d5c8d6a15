import protobuf from 'protobufjs'
import { describe, expect, it, vi } from 'vitest'
import type { Message } from '#src/simulator/codec.ts'
import { mixPresets } from '#src/simulator/mix.ts'
import { createNetwork } from '#src/simulator/network.ts'
import { signer } from '#test/simulator/blocks/read-blocks.ts'
import { nextBlocks } from '#test/simulator/next-blocks.ts'

const { unknown, encoded } = vi.hoisted(() => ({ unknown: new Set<string>(), encoded: new Set<string>() }))

/** The encoder leaves out fields that the definitions do not have without a word, so every message is looked through. */
vi.mock(import('#src/simulator/codec.ts'), async (original) => {
  const codec = await original()
  return {
    ...codec,
    encode: (name: string, message: Message) => {
      encoded.add(name)
      collectUnknown(codec.messageType(name), message, name)
      return codec.encode(name, message)
    },
  }
})

function collectUnknown(type: protobuf.Type, message: Message, path: string): void {
  for (const [name, value] of Object.entries(message)) {
    const field = type.fields[name]?.resolve()
    if (!field) unknown.add(`${path}.${name}`)
    else if (field.resolvedType instanceof protobuf.Type) {
      const inner = field.resolvedType
      for (const part of (field.repeated ? value : [value]) as Message[]) collectUnknown(inner, part, `${path}.${name}`)
    }
  }
}

describe('the messages that the simulated network encodes', () => {
  it('have only fields that the definitions know', async () => {
    const network = createNetwork({ seed: 'known fields', nodes: 1, accounts: 60, transactionsPerSecond: 50 })
    await nextBlocks(network, 40)
    expect(network.save().traffic.unseen).toEqual([])
    expect(encoded).toContain('proto.TransactionBody')
    expect(encoded).toContain('proto.TransactionRecord')
    expect([...unknown]).toEqual([])
  })

  it('have only known fields in blocks as well, whatever is in them', async () => {
    const { weights, ...shares } = mixPresets.default
    const mix = { ...shares, weights: { ...weights, stackedBatch: 2 } }
    const forms = { stream: 'cutover', cutoverSeconds: 4, stateProofs: true } as const
    const options = { seed: 'known fields', nodes: 1, accounts: 40, transactionsPerSecond: 50, mix, ...forms }
    const network = createNetwork(options, undefined, undefined, signer)
    await nextBlocks(network, 40)
    expect(network.save().traffic.unseen).toEqual([])
    expect(encoded).toContain('com.hedera.hapi.block.stream.BlockItem')
    expect([...unknown]).toEqual([])
  })
})
