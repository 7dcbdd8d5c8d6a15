import { blockItem } from '#src/domain/block-items.ts'
import {
  type Field,
  type Item,
  item,
  readFields,
  readItems,
  writeBlock,
  writeFields,
} from '#test/drill/blocks/block-items.ts'
import type { BlockDamage, DamageContext, Dice } from '#test/drill/blocks/damage.ts'
import { bytesField, varintField } from '#test/support/protobuf-writer.ts'

type FieldDamage = (fields: Field[], context: DamageContext) => readonly Pick<Field, 'bytes'>[] | undefined

/** Fields of a RecordFileItem. */
const file = { time: 1, contents: 2, sidecar: 3, amendment: 4 } as const
/** Of a SignedRecordFileProof, and of a signature in it. */
const proof = { version: 1, signature: 2 } as const
const signatureOf = { bytes: 1, node: 2 } as const
const itemsOfFile = 3

function withItem(block: Buffer, number: number, change: (content: Buffer) => Buffer | undefined): Buffer | undefined {
  const items = readItems(block)
  const at = items.findIndex((one) => one.number === number)
  const content = at === -1 ? undefined : change(items[at]!.content)
  return content && writeBlock(items.with(at, item(number, content)))
}

/** Changes fields of the item that holds the record file; undefined in a block that holds none. */
function inFile(damage: FieldDamage): BlockDamage {
  return (context) =>
    withItem(context.block, blockItem.recordFile, (content) => {
      const changed = damage(readFields(content), context)
      return changed && writeFields(changed)
    })
}

function inProof(damage: FieldDamage): BlockDamage {
  return (context) =>
    withItem(context.block, blockItem.proof, (content) => {
      const fields = readFields(content)
      const at = fields.findIndex(({ number }) => number === 4)
      const changed = at === -1 ? undefined : damage(readFields(fields[at]!.value), context)
      return changed && writeFields(fields.with(at, { ...fields[at]!, bytes: bytesField(4, writeFields(changed)) }))
    })
}

const field = (number: number, value: Buffer): Pick<Field, 'bytes'> => ({ bytes: bytesField(number, value) })
const isOf = (number: number) => (one: Field) => one.number === number
const isSignature = isOf(proof.signature)

function anotherFile({ block, chain, dice }: DamageContext): Field[] | undefined {
  const others = chain.blocks.filter((other) => other !== block)
  const other = dice.pick(others)
  const found = other && readItems(other).find(({ number }) => number === blockItem.recordFile)
  return found && readFields(found.content)
}

/** The record stream items in a file's contents, as amendments have them. */
function itemsIn(fields: readonly Field[]): Field[] {
  const contents = fields.find(isOf(file.contents))
  return contents ? readFields(contents.value).filter(isOf(itemsOfFile)) : []
}

/** A signature with its node, or its bytes, changed. */
function changedSignature({ value }: Field, change: { node?: bigint; bytes?: Buffer }): Pick<Field, 'bytes'> {
  const [bytes, node] = [signatureOf.bytes, signatureOf.node].map((number) => readFields(value).find(isOf(number)))
  const nodeBytes =
    change.node === undefined ? (node?.bytes ?? Buffer.alloc(0)) : varintField(signatureOf.node, change.node)
  return field(proof.signature, Buffer.concat([bytesField(signatureOf.bytes, change.bytes ?? bytes!.value), nodeBytes]))
}

const timeOf = (dice: Dice) =>
  bytesField(file.time, varintField(1, 1_700_000_000n + BigInt(dice.below(9))), varintField(2, dice.below(999)))

/** What can be wrong with a block that wraps a record file; undefined for any other. */
export const wrappedDamages: Readonly<Record<string, BlockDamage>> = {
  'a bit of the record file flipped': inFile((fields, { dice }) =>
    fields.map((one) => (one.number === file.contents ? field(file.contents, dice.flipped(one.value)) : one)),
  ),
  'a field of the record file left out, twice or elsewhere': inFile((fields, { dice }) =>
    fields.map((one) => {
      if (one.number !== file.contents) return one
      const inner = readFields(one.value)
      const at = dice.below(inner.length)
      const out = dice.chance(0.6) ? inner.toSpliced(at, 1) : inner
      return field(
        file.contents,
        writeFields(dice.chance(0.6) ? out.toSpliced(dice.below(out.length + 1), 0, inner[at]!) : out),
      )
    }),
  ),
  'an unknown field in the record file': inFile((fields) =>
    fields.map((one) =>
      one.number === file.contents ? field(file.contents, Buffer.concat([one.value, varintField(99, 1)])) : one,
    ),
  ),
  'the record file of another block': inFile((fields, context) => {
    const other = anotherFile(context)?.find(isOf(file.contents))
    return other && fields.map((one) => (one.number === file.contents ? other : one))
  }),
  'all of another block but its header': inFile((_, context) => anotherFile(context)),
  'no contents': inFile((fields) => fields.filter((one) => one.number !== file.contents)),
  'its contents twice': inFile((fields, context) => {
    const other = anotherFile(context)?.find(isOf(file.contents))
    return other && [...fields, other]
  }),
  'another time of creation': inFile((fields, { dice }) => [
    { bytes: timeOf(dice) },
    ...fields.filter((one) => one.number !== file.time),
  ]),
  'no time of creation': inFile((fields) => fields.filter((one) => one.number !== file.time)),
  'a sidecar lost': inFile((fields, { dice }) => {
    const at = dice.pick(fields.flatMap((one, index) => (one.number === file.sidecar ? [index] : [])))
    return at === undefined ? undefined : fields.toSpliced(at, 1)
  }),
  'a bit of a sidecar flipped': inFile((fields, { dice }) => {
    const at = dice.pick(fields.flatMap((one, index) => (one.number === file.sidecar ? [index] : [])))
    return at === undefined
      ? undefined
      : fields.with(at, { ...fields[at]!, bytes: bytesField(file.sidecar, dice.flipped(fields[at]!.value)) })
  }),
  'sidecars that it does not have': inFile((fields, context) => {
    const other = (anotherFile(context) ?? []).filter(isOf(file.sidecar))
    return other.length === 0
      ? [...fields, field(file.sidecar, context.dice.bytes(30))]
      : [...other, ...fields, ...other]
  }),
  'its sidecars twice': inFile((fields) => [...fields, ...fields.filter(isOf(file.sidecar))]),
  'a transaction of another block as an amendment': inFile((fields, context) => {
    const foreign = context.dice.pick(itemsIn(anotherFile(context) ?? []))
    return foreign && [...fields, field(file.amendment, foreign.value)]
  }),
  'one of its own transactions as an amendment': inFile((fields, { dice }) => {
    const own = dice.pick(itemsIn(fields))
    return own && [...fields, field(file.amendment, own.value)]
  }),
  'an amendment of random bytes': inFile((fields, { dice }) => [
    ...fields,
    field(file.amendment, dice.bytes(dice.below(50))),
  ]),
  'a transaction of another block in place of one': inFile((fields, context) => {
    const [own, foreign] = [context.dice.pick(itemsIn(fields)), context.dice.pick(itemsIn(anotherFile(context) ?? []))]
    if (!own || !foreign) return undefined
    // The record of the own one, so that the time is one of the file's.
    const [transaction, record] = [readFields(foreign.value).find(isOf(1)), readFields(own.value).find(isOf(2))]
    return transaction && record && [...fields, field(file.amendment, writeFields([transaction, record]))]
  }),
  'all but one signature lost': inProof((fields) => [
    ...fields.filter((one) => !isSignature(one)),
    ...fields.filter(isSignature).slice(0, 1),
  ]),
  'no signature': inProof((fields) => fields.filter((one) => !isSignature(one))),
  'some signatures lost': inProof((fields, { dice }) => fields.filter((one) => !isSignature(one) || dice.chance(0.6))),
  'a signature twice': inProof((fields, { dice }) => [...fields, dice.pick(fields.filter(isSignature))!]),
  'one signature for every node': inProof((fields, { dice }) => {
    const signatures = fields.filter(isSignature)
    const one = dice.pick(signatures)
    if (!one) return undefined
    return [
      ...fields.filter((each) => !isSignature(each)),
      ...Array.from({ length: 40 }, (_, node) => changedSignature(one, { node: BigInt(node) })),
    ]
  }),
  'signatures of random bytes': inProof((fields, { dice }) =>
    fields.map((one) => (isSignature(one) ? changedSignature(one, { bytes: dice.bytes(384) }) : one)),
  ),
  'a bit of a signature flipped': inProof((fields, { dice }) => {
    const at = dice.pick(fields.flatMap((one, index) => (isSignature(one) ? [index] : [])))
    return at === undefined
      ? undefined
      : fields.with(at, {
          ...fields[at]!,
          bytes: changedSignature(fields[at]!, {
            bytes: dice.flipped(readFields(fields[at]!.value).find(isOf(1))!.value),
          }).bytes,
        })
  }),
  'another version of the record file': inProof((fields, { dice }) => {
    const own = fields.find(isOf(proof.version))?.bytes
    const others = [0, 1, 2, 3, 5, 6, 7].map((version) => varintField(proof.version, version))
    const other = dice.pick(others.filter((bytes) => !own?.equals(bytes)))!
    return [...fields.filter((one) => one.number !== proof.version), { bytes: other }]
  }),
  'the versions of its header changed': (context) =>
    context.chain.isWrapped
      ? withItem(context.block, blockItem.header, (content) => {
          const fields = readFields(content)
          const other = bytesField(context.dice.chance(0.5) ? 1 : 2, varintField(2, 33 + context.dice.below(50)))
          return Buffer.concat([writeFields(fields), other])
        })
      : undefined,
  'the time of its header changed': (context) =>
    context.chain.isWrapped
      ? withItem(context.block, blockItem.header, (content) =>
          Buffer.concat([
            writeFields(readFields(content).filter(({ number }) => number !== 4)),
            bytesField(4, varintField(1, context.dice.below(2e9))),
          ]),
        )
      : undefined,
  'transactions and state beside the record file': ({ block, chain, chains, dice }) => {
    if (!chain.isWrapped) return undefined
    const other = readItems(dice.pick(chains.filter((one) => !one.isWrapped))!.blocks[0]!)
    const kinds: readonly number[] = dice.chance(0.5)
      ? [blockItem.stateChanges]
      : [blockItem.signedTransaction, blockItem.transactionResult]
    const items = readItems(block)
    return writeBlock(items.toSpliced(1, 0, ...other.filter(({ number }) => kinds.includes(number))))
  },
  'a record file beside its transactions': ({ block, chain, chains, dice }) => {
    const wrapping = chains.filter((one) => one.isWrapped)
    const found = chain.isWrapped
      ? undefined
      : readItems(dice.pick(dice.pick(wrapping)!.blocks)!).find(({ number }) => number === blockItem.recordFile)
    return found && writeBlock(readItems(block).toSpliced(1, 0, found))
  },
  'a proof of the other kind before its own': ({ block, chains, number, dice }) => {
    const other = dice.pick(chains)!.blocks[Number(number % 1_000n)]
    const foreign = other && readItems(other).find((one: Item) => one.number === blockItem.proof)
    const items = readItems(block)
    return foreign && writeBlock(items.toSpliced(items.length - 1, 0, foreign))
  },
}
