import { blockItem } from '#src/domain/block-items.ts'
import { leafHash } from '#src/domain/merkle-tree.ts'
import {
  bytesFieldOf,
  type Item,
  item,
  readFields,
  readItems,
  writeBlock,
  writeFields,
} from '#test/drill/blocks/block-items.ts'
import type { BlockDamage, DamageContext, Dice } from '#test/drill/blocks/damage.ts'
import { mixedItems, movedItem, treeOf } from '#test/drill/blocks/moved-items.ts'
import { bytesField, varintField } from '#test/support/protobuf-writer.ts'

type ItemDamage = (items: Item[], context: DamageContext) => readonly Item[] | undefined

function ofItems(damage: ItemDamage): BlockDamage {
  return (context) => {
    const damaged = damage(readItems(context.block), context)
    return damaged && writeBlock(damaged)
  }
}

const anyItem = () => true

/** A hidden item in place of another: of what was redacted by the network, or filtered by a node. */
function hidden(hash: Buffer, leaf: number, kind: 'redacted' | 'filtered', dice: Dice): Item {
  const tree = leaf === 0 ? Buffer.alloc(0) : varintField(kind === 'redacted' ? 3 : 2, leaf)
  const signed = kind === 'redacted' && dice.chance(0.5) ? bytesField(2, dice.bytes(48)) : Buffer.alloc(0)
  const content = Buffer.concat([bytesField(1, hash), signed, tree])
  return item(kind === 'redacted' ? blockItem.redactedItem : blockItem.filteredSingleItem, content)
}

const atRandom = (items: readonly Item[], dice: Dice): number => dice.below(items.length)

/** What a liar, or a fault in a node's program, does to the items of a block. */
export const itemDamages: Readonly<Record<string, BlockDamage>> = {
  'an item left out': ofItems((items, { dice }) => items.toSpliced(atRandom(items, dice), 1)),
  'an item twice': ofItems((items, { dice }) => {
    const at = atRandom(items, dice)
    return items.toSpliced(at, 0, items[at]!)
  }),
  'two items of a tree exchanged': ofItems((items, { dice }) => {
    const one = atRandom(items, dice)
    const same = items.flatMap((other, at) => (at !== one && treeOf(other) === treeOf(items[one]!) ? [at] : []))
    const other = dice.pick(same)
    if (other === undefined || items[one]!.bytes.equals(items[other]!.bytes)) return undefined
    return items.with(one, items[other]!).with(other, items[one]!)
  }),
  'two neighbours exchanged': ofItems((items, { dice }) => {
    const at = dice.below(items.length - 1)
    return items.with(at, items[at + 1]!).with(at + 1, items[at]!)
  }),
  'an item moved between those of other trees': ofItems((items, { dice }) => movedItem(items, dice, anyItem)),
  'several items moved between those of other trees': ofItems((items, { dice }) => {
    let mixed: Item[] = items
    for (let count = 2 + dice.below(6); count > 0; count--) mixed = movedItem(mixed, dice, anyItem) ?? mixed
    return mixed
  }),
  'all items mixed, those of a tree in order': ofItems((items, { dice }) => mixedItems(items, dice)),
  'an item of another block': ofItems((items, { dice, chain, chains }) => {
    const other = readItems(dice.pick((dice.chance(0.5) ? chain : dice.pick(chains)!).blocks)!)
    const foreign = other[atRandom(other, dice)]!
    const at = atRandom(items, dice)
    return dice.chance(0.5) ? items.toSpliced(at, 0, foreign) : items.with(at, foreign)
  }),
  'a bit of an item flipped': ofItems((items, { dice }) => {
    const at = atRandom(items, dice)
    const { number, content } = items[at]!
    return items.with(at, item(number, dice.flipped(content)))
  }),
  'an item of another number': ofItems((items, { dice }) => {
    const at = atRandom(items, dice)
    return items.with(at, item(1 + dice.below(dice.chance(0.5) ? 19 : 60), items[at]!.content))
  }),
  'an item put in': ofItems((items, { dice }) => {
    const number = 1 + dice.below(dice.chance(0.5) ? 19 : 60)
    return items.toSpliced(atRandom(items, dice), 0, item(number, dice.bytes(dice.below(60))))
  }),
  'an empty item put in': ofItems((items, { dice }) =>
    items.toSpliced(atRandom(items, dice), 0, { number: 0, content: Buffer.alloc(0), bytes: Buffer.alloc(0) }),
  ),
  'an item with two contents': ofItems((items, { dice }) => {
    const at = atRandom(items, dice)
    const other = items[atRandom(items, dice)]!
    return items.with(at, { ...items[at]!, bytes: Buffer.concat([items[at]!.bytes, other.bytes]) })
  }),
  'an unknown field in an item': ofItems((items, { dice }) => {
    const at = atRandom(items, dice)
    const { number, content } = items[at]!
    const unknown = dice.chance(0.5) ? varintField(90, 1) : bytesField(90, dice.bytes(5))
    return items.with(at, item(number, Buffer.concat(dice.chance(0.5) ? [content, unknown] : [unknown, content])))
  }),
  'a field of an item twice': ofItems((items, { dice }) => {
    const at = atRandom(items, dice)
    const { number, content } = items[at]!
    const fields = readFieldsIfAny(content)
    const field = dice.pick(fields)
    if (!field) return undefined
    return items.with(at, item(number, writeFields(fields.toSpliced(dice.below(fields.length + 1), 0, field))))
  }),
  'a length written in more bytes than it takes': ({ block, dice }) => {
    const items = readItems(block)
    const wide = atRandom(items, dice)
    return Buffer.concat(items.map(({ bytes }, at) => (at === wide ? wideField(1, bytes) : bytesField(1, bytes))))
  },
  'a redacted item in place of one': ofItems((items, { dice }) => {
    const at = atRandom(items, dice)
    const leaf = treeOf(items[at]!)
    const redacted = hidden(leafHash(items[at]!.bytes), dice.chance(0.8) ? leaf : dice.below(20), 'redacted', dice)
    return items.with(at, redacted)
  }),
  'a redacted item put in': ofItems((items, { dice }) =>
    items.toSpliced(atRandom(items, dice), 0, hidden(dice.bytes(48), 4 + dice.below(13), 'redacted', dice)),
  ),
  'a filtered item in place of one': ofItems((items, { dice }) => {
    const consensus = items.flatMap((one, index) => (treeOf(one) === 4 ? [index] : []))
    const at = dice.chance(0.5) ? (dice.pick(consensus) ?? 0) : atRandom(items, dice)
    return items.with(at, hidden(leafHash(items[at]!.bytes), treeOf(items[at]!), 'filtered', dice))
  }),
  'a field of the header changed': ofItems((items, { dice }) => withChangedField(items, blockItem.header, dice)),
  'a field of the footer changed': ofItems((items, { dice }) => withChangedField(items, blockItem.footer, dice)),
  'a root of the footer left out': ofItems((items, { dice }) => {
    const at = items.findIndex(({ number }) => number === blockItem.footer)
    const fields = readFields(items[at]!.content)
    return items.with(at, item(blockItem.footer, writeFields(fields.toSpliced(dice.below(fields.length), 1))))
  }),
  'another number in its header': ofItems((items, { number, dice }) => {
    const { content } = items[0]!
    const fields = readFields(content).filter((field) => field.number !== 3)
    const other = number + (dice.chance(0.5) ? 1n : -1n)
    return items.with(
      0,
      item(blockItem.header, Buffer.concat([...fields.map(({ bytes }) => bytes), varintField(3, other)])),
    )
  }),
}

function withChangedField(items: readonly Item[], number: number, dice: Dice): readonly Item[] | undefined {
  const at = items.findIndex((one) => one.number === number)
  const fields = readFields(items[at]!.content)
  const index = dice.below(fields.length)
  const field = fields[index]
  if (!field) return undefined
  const isMessage = (field.bytes[0]! & 7) === 2
  const changed = isMessage
    ? bytesFieldOf(field.number, dice.flipped(field.value))
    : { bytes: dice.flipped(field.bytes) }
  return items.with(
    at,
    item(number, Buffer.concat(fields.map((one, place) => (place === index ? changed.bytes : one.bytes)))),
  )
}

function readFieldsIfAny(content: Buffer) {
  return content.length === 0 ? [] : readFields(content)
}

/** A field of bytes whose length takes more bytes than it needs. */
function wideField(number: number, value: Buffer): Buffer {
  const plain = bytesField(number, value)
  const head = plain.subarray(0, plain.length - value.length)
  const wide = Buffer.concat([head, Buffer.of(0)])
  wide[head.length - 1]! |= 0x80
  return Buffer.concat([wide, value])
}
