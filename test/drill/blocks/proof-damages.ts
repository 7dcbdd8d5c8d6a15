import { blockItem } from '#src/domain/block-items.ts'
import { type Item, item, readFields, readItems, writeBlock, writeFields } from '#test/drill/blocks/block-items.ts'
import type { BlockDamage, DamageContext } from '#test/drill/blocks/damage.ts'
import { bytesField, varintField } from '#test/support/protobuf-writer.ts'

const isProof = ({ number }: Item): boolean => number === blockItem.proof
const proofOf = (block: Buffer): Item => readItems(block).find(isProof)!

/** The block with other proofs. */
function withProofs(block: Buffer, proofs: readonly Item[]): Buffer {
  return writeBlock([...readItems(block).filter((one) => !isProof(one)), ...proofs])
}

function anotherBlock({ number, chain, dice }: DamageContext): Buffer | undefined {
  const at = dice.below(chain.blocks.length)
  return BigInt(at) + chain.first === number ? undefined : chain.blocks[at]
}

/** Kind and message of a proof, and its number changed to that of the block. */
function renumbered(proof: Item, number: bigint): Item {
  const rest = readFields(proof.content).filter((field) => field.number !== 1)
  return item(blockItem.proof, Buffer.concat([varintField(1, number), writeFields(rest)]))
}

const signatureProof = (number: bigint, signature: Uint8Array): Item =>
  item(blockItem.proof, Buffer.concat([varintField(1, number), bytesField(2, bytesField(1, signature))]))

/** What is wrong with a proof alone. */
export const proofDamages: Readonly<Record<string, BlockDamage>> = {
  'a bit of the proof flipped': ({ block, dice }) => {
    const proof = proofOf(block)
    return withProofs(block, [item(blockItem.proof, dice.flipped(proof.content))])
  },
  'no proof': ({ block }) => withProofs(block, []),
  'the proof of another block': (context) => {
    const other = anotherBlock(context)
    return other && withProofs(context.block, [proofOf(other)])
  },
  'the proof of another block as its own': (context) => {
    const other = anotherBlock(context)
    return other && withProofs(context.block, [renumbered(proofOf(other), context.number)])
  },
  'the proof of another chain': ({ block, number, chains, dice }) => {
    const other = dice.pick(chains)!.blocks[Number(number % 1_000n)]
    return other && withProofs(block, [renumbered(proofOf(other), number)])
  },
  'a signature of the ledger over something else': ({ block, number, chain, dice }) =>
    chain.ledger && withProofs(block, [signatureProof(number, chain.ledger.sign(dice.bytes(48)))]),
  'a signature of zeros': ({ block, number, dice }) =>
    withProofs(block, [signatureProof(number, Buffer.alloc(dice.pick([0, 192, 2_920, 3_432, 5_000])!))]),
  'a good proof behind a bad one': (context) => {
    const other = anotherBlock(context)
    return other && withProofs(context.block, [renumbered(proofOf(other), context.number), proofOf(context.block)])
  },
  'a bad proof behind a good one': (context) => {
    const other = anotherBlock(context)
    return other && withProofs(context.block, [proofOf(context.block), renumbered(proofOf(other), context.number)])
  },
  'its proof twice': ({ block }) => withProofs(block, [proofOf(block), proofOf(block)]),
  'a proof of two kinds': ({ block, dice }) => {
    const proof = proofOf(block)
    return withProofs(block, [
      item(blockItem.proof, Buffer.concat([proof.content, bytesField(2 + dice.below(3), dice.bytes(20))])),
    ])
  },
  'a proof of an unknown kind': ({ block, number, dice }) =>
    withProofs(block, [
      item(blockItem.proof, Buffer.concat([varintField(1, number), bytesField(5 + dice.below(9), dice.bytes(20))])),
    ]),
  'a proof of another kind': ({ block, dice }) => {
    const fields = readFields(proofOf(block).content)
    const kind = 2 + dice.below(3)
    const changed = fields.map((field) => (field.number === 1 ? field.bytes : bytesField(kind, field.value)))
    return withProofs(block, [item(blockItem.proof, Buffer.concat(changed))])
  },
  'a field within the proof changed': ({ block, dice }) => withProofs(block, [changedInside(proofOf(block), dice)]),
  'a field within the proof left out or twice': ({ block, dice }) => withProofs(block, [resized(proofOf(block), dice)]),
}

/** A bit of one field of the message in the proof, at one level or the next. */
function changedInside(proof: Item, dice: DamageContext['dice']): Item {
  const fields = readFields(proof.content)
  const message = fields.findIndex(({ number }) => number !== 1)
  const inner = readFields(fields[message]!.value)
  const at = dice.below(inner.length)
  const changed = inner.map((field, index) => (index === at ? dice.flipped(field.bytes) : field.bytes))
  return item(
    blockItem.proof,
    Buffer.concat(
      fields.map((field, index) =>
        index === message ? bytesField(field.number, Buffer.concat(changed)) : field.bytes,
      ),
    ),
  )
}

function resized(proof: Item, dice: DamageContext['dice']): Item {
  const fields = readFields(proof.content)
  const message = fields.findIndex(({ number }) => number !== 1)
  const inner = readFields(fields[message]!.value)
  const at = dice.below(inner.length)
  const other = dice.chance(0.5) ? inner.toSpliced(at, 1) : inner.toSpliced(dice.below(inner.length + 1), 0, inner[at]!)
  return item(
    blockItem.proof,
    Buffer.concat(
      fields.map((field, index) => (index === message ? bytesField(field.number, writeFields(other)) : field.bytes)),
    ),
  )
}
