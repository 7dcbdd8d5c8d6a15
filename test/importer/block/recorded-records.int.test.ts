import { hash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { readBlock } from '#src/importer/block/read-block.ts'
import { blockRecords } from '#src/importer/block/records/block-records.ts'
import { writeLogs } from '#src/importer/block/records/evm/logs.ts'
import { readId } from '#src/importer/block/records/ids.ts'
import { nothingKnown } from '#src/importer/block/records/known-facts.ts'
import { readTransactions } from '#src/importer/block/records/transactions.ts'
import { unpackBlockFile } from '#src/importer/block/unpack-block-file.ts'
import { readWrappedFile } from '#src/importer/block/wrapped/read-wrapped-file.ts'
import type { ItemInput } from '#src/importer/decode/block-input.ts'
import { encode, type Message } from '#src/simulator/codec.ts'
import { fail, sourceOf } from '#test/importer/block/made-blocks.ts'
import { hasSamples, sample } from '#test/importer/samples.ts'
import { decode } from '#test/simulator/read-back.ts'

// Two networks of the same software began alike: one wrote record files, which blocks wrap, the other one blocks.
const recordFiles = [0, 1, 2, 3, 4].map((number) => `block/consensus-node/WRB/SOLO_4N/${number}.blk.gz`)
const blocks = [0, 1, 2, 3, 4, 5].map((number) => `block/consensus-node/CN_11_12_TSS_SCHNORR/${number}.blk.gz`)

function blockIn(path: string) {
  return readBlock(sourceOf(unpackBlockFile(path, sample(path), 64 << 20), { name: path }))
}

function itemsOfFiles(): ItemInput[] {
  return recordFiles.flatMap((path) => readWrappedFile(blockIn(path))!.file.items)
}

function itemsOfBlocks(): ItemInput[] {
  let { exchangeRates } = nothingKnown
  return blocks.flatMap((path) => {
    const { items, warnings } = blockRecords(
      readTransactions(blockIn(path), fail),
      { ...nothingKnown, exchangeRates },
      fail,
    )
    expect(warnings).toEqual([])
    exchangeRates ??= ratesIn(items)
    return items
  })
}

/** Rates of the first record. */
function ratesIn([first]: readonly ItemInput[]): Buffer | undefined {
  const { receipt } = decode('proto.TransactionRecord', first!.record)
  const { exchangeRate } = receipt as { exchangeRate?: Message }
  return exchangeRate && Buffer.from(encode('proto.ExchangeRateSet', exchangeRate))
}

/** Names of the fields that transactions of each kind and result have in their records and receipts. */
function fieldsByKind(items: readonly ItemInput[]): Map<string, Set<string>> {
  const byKind = new Map<string, Set<string>>()
  for (const { transaction, record } of items) {
    // What the network does itself costs nothing, and each did other things.
    const { receipt, transactionFee: _fee, ...told } = decode('proto.TransactionRecord', record)
    const { status } = receipt as Message
    const kind = `${kindOf(transaction)} ${status}`
    const fields = [told, receipt as Message].map((message) => Object.keys(message).sort().join(' ')).join(' / ')
    byKind.set(kind, (byKind.get(kind) ?? new Set()).add(fields))
  }
  return byKind
}

function kindOf(transaction: Uint8Array): string {
  const { signedTransactionBytes, bodyBytes } = decode('proto.Transaction', transaction)
  const body = signedTransactionBytes
    ? decode('proto.SignedTransaction', signedTransactionBytes as Uint8Array)['bodyBytes']
    : bodyBytes
  return String(decode('proto.TransactionBody', body as Uint8Array)['data'])
}

describe.skipIf(!hasSamples)('records of recorded blocks', () => {
  it('have the fields that record files of the same software have', () => {
    const [ofFiles, ofBlocks] = [fieldsByKind(itemsOfFiles()), fieldsByKind(itemsOfBlocks())]
    const both = [...ofFiles.keys()].filter((kind) => ofBlocks.has(kind))
    expect(both.length).toBeGreaterThan(12)
    for (const kind of both)
      expect([kind, [...ofBlocks.get(kind)!].sort()]).toEqual([kind, [...ofFiles.get(kind)!].sort()])
  })

  it('have hashes that are made as in record files, in either form of a transaction', () => {
    const forms = new Set<string>()
    for (const { transaction, record } of [...itemsOfFiles(), ...itemsOfBlocks()]) {
      const { signedTransactionBytes } = decode('proto.Transaction', transaction)
      const { transactionHash } = decode('proto.TransactionRecord', record)
      forms.add(signedTransactionBytes ? 'signed' : 'side by side')
      const hashed = (signedTransactionBytes ?? transaction) as Uint8Array
      expect(transactionHash).toEqual(hash('sha384', hashed, 'buffer'))
    }
    expect(forms.size).toBe(2)
  })

  it('have filters of logs as mainnet makes them: of the address that the number of a contract stands for', () => {
    const path = 'block/wrapped/mainnet/block/0000/0000/0008/2297/471.blk.zstd'
    const logs = readWrappedFile(blockIn(path))!.file.items.flatMap(({ record }) => {
      const { contractCallResult } = decode('proto.TransactionRecord', record) as { contractCallResult?: Message }
      return (contractCallResult?.['logInfo'] ?? []) as Message[]
    })
    expect(logs).toHaveLength(23)
    for (const { contractID, topic, bloom, data } of logs) {
      const contractId = Buffer.from(
        encode('proto.ContractID', { contractNum: (contractID as Message)['contractNum'] }),
      )
      const traced = {
        contractId,
        contract: readId(contractId, fail)!,
        data: data as Buffer,
        topics: topic as Buffer[],
      }
      expect(writeLogs([traced]).bloom).toEqual(bloom)
    }
  })
})
