import { beforeAll, describe, expect, it } from 'vitest'
import { blockItem } from '#src/domain/block-items.ts'
import type { LedgerError } from '#src/domain/errors.ts'
import type { ProofChecker } from '#src/importer/block-stream/prove-block.ts'
import { item, readFields, readItems, writeBlock, writeFields } from '#test/drill/blocks/block-items.ts'
import { type Chain, simulatedChains } from '#test/drill/blocks/chains.ts'
import { Dice } from '#test/drill/blocks/damage.ts'
import { DamagedImport } from '#test/drill/blocks/damaged-import.ts'
import { inlineChecker } from '#test/importer/block/folder-blocks.ts'
import { bytesField, varintField } from '#test/support/protobuf-writer.ts'

// What one source has wrong must not end an import that another source could feed: it has to be told as wrong with the block.

let signed: Chain
let wrapped: Chain
let checker: ProofChecker

beforeAll(async () => {
  const chains = await simulatedChains(2, 'unreadable')
  ;[signed, , , , wrapped] = chains as [Chain, Chain, Chain, Chain, Chain]
  checker = await inlineChecker()
}, 120_000)

/** What the import of a block as the first one ends with. */
async function refusalOf(chain: Chain, block: Buffer): Promise<LedgerError | undefined> {
  const importing = await DamagedImport.begin(chain, checker)
  const head = await importing.head()
  const error = await importing.give(block, new Dice(() => 0))
  expect(await importing.factsAfter(head)).toEqual([])
  await importing.close()
  return error
}

describe('a block that cannot be tried', () => {
  it('is named with its source where the record file in it is malformed', async () => {
    const items = readItems(wrapped.blocks[0]!)
    const at = items.findIndex(({ number }) => number === blockItem.recordFile)
    const fields = readFields(items[at]!.content).map((field) =>
      field.number === 2 ? { bytes: bytesField(2, Buffer.concat([field.value, varintField(2, 7)])) } : field,
    )
    const error = await refusalOf(wrapped, writeBlock(items.with(at, item(blockItem.recordFile, writeFields(fields)))))
    expect(error?.code).toBe('file_malformed')
    expect(error?.message).toMatch(
      /^block 0 of a bucket: the record file \S+\.rcd\.gz that it wraps is malformed: field 2/,
    )
  })

  it('is asked elsewhere where it wraps a record file, and no address book says who signs those', async () => {
    const error = await refusalOf({ ...wrapped, addressBook: undefined, isWrapped: false }, wrapped.blocks[0]!)
    expect(error?.code).toBe('consensus_missing')
    expect(error?.message).toContain('the log has no address book')
  })

  it('is asked elsewhere where the record file that its proof is of was taken out', async () => {
    const number = 1n
    const chain = { ...wrapped, first: number, ledger: undefined }
    const items = readItems(wrapped.blocks[Number(number)]!)
    const error = await refusalOf(chain, writeBlock(items.filter((one) => one.number !== blockItem.recordFile)))
    expect(error?.code).toBe('file_malformed')
    expect(error?.message).toContain('its proof is that of a record file, which it does not wrap')
  })

  it('is asked elsewhere where it is the first of all, and does not publish who signs', async () => {
    const kept: readonly number[] = [blockItem.header, blockItem.footer, blockItem.proof]
    const bare = writeBlock(readItems(signed.blocks[0]!).filter(({ number }) => kept.includes(number)))
    const error = await refusalOf({ ...signed, ledger: undefined }, bare)
    expect(error?.code).toBe('proof_invalid')
    expect(error?.message).toContain('block 0 of a bucket does not publish who signs for the network "simulated"')
  })
})
