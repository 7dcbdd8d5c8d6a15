import { expect, it } from 'vitest'
import { bloomDigits } from '#projections/contract-logs/packing/digits.ts'
import { contractLogsProjection } from '#projections/contract-logs/projection.ts'
import { wordDigitsOf } from '#src/domain/hex-digits.ts'
import type { Row } from '#src/ports/read-store.ts'
import { runProjections } from '#src/runtime/fold/projector.ts'
import { ImportWorld } from '#test/importer/import-world.ts'
import { hasSamples, sample, samplePath } from '#test/importer/samples.ts'
import { address, decoded, digitsOf, fungibleAbi } from '#test/projections/contract-logs/story.ts'
import { allRowsOf } from '#test/support/folded-rows.ts'
import { mayHold } from '#test/support/log-bloom.ts'

async function logsOf(folder: string, book: string): Promise<Row[]> {
  const { log, store, ...world } = await imported(folder, book)
  try {
    await runProjections({ log, store, projections: [contractLogsProjection], follow: false, strict: true })
    return (await allRowsOf(store, contractLogsProjection.schema))['logs']!
  } finally {
    await world.close()
  }
}

async function imported(folder: string, book: string) {
  const world = new ImportWorld()
  await world.import(samplePath(folder), { addressBook: sample(book) })
  const { log, store } = world
  const close = async () => {
    await store.close()
    await log.close()
  }
  return { log, store, close }
}

it.skipIf(!hasSamples)(
  'logs of a mainnet block of version 0.63: the recorded ones, and those of tokens that calls moved',
  async () => {
    const logs = await logsOf('record/mainnet-v6', 'record/mainnet-v6/address_book.bin')
    expect(logs.map(({ index }) => index).sort((a, b) => Number(a) - Number(b))).toEqual(
      logs.map((_log, index) => index),
    )
    const made = logs.filter(({ kind }) => kind !== 0)
    expect([logs.length, made.length]).toEqual([34, 11])
    for (const log of logs) {
      if (log['kind'] !== 0) continue
      const { topics, bloom: packed } = digitsOf(log)
      const bloom = Buffer.from(bloomDigits(packed, ''), 'hex')
      for (const topic of topics)
        if (topic !== null) expect(mayHold(bloom, Buffer.from(wordDigitsOf(topic), 'hex'))).toBe(true)
    }
    const [pair, contract] = [3_964_804n, 9_306_447n]
    const first = made.filter(({ consensusTimestamp }) => consensusTimestamp === 1_753_303_062_076_472_454n)
    expect(first.map(({ index, contractId, rootContractId }) => [index, contractId, rootContractId])).toEqual([
      [3, contract, contract],
      [4, contract, contract],
    ])
    expect(first.map((log) => decoded(fungibleAbi, log))).toEqual([
      { eventName: 'Transfer', from: address(pair), to: address(contract), value: 1_934_868_750n },
      { eventName: 'Transfer', from: address(contract), to: address(pair), value: 800_000_000_000n },
    ])
  },
)
