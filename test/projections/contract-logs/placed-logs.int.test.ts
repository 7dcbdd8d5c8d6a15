import { describe, expect, it } from 'vitest'
import { packDigits, packRecordedBloom } from '#projections/contract-logs/packing/digits.ts'
import { contractLogsProjection } from '#projections/contract-logs/projection.ts'
import type { LogRecord } from '#src/ports/message-log.ts'
import {
  called,
  closed,
  contract,
  hashOf,
  moved,
  native,
  nft,
  token,
  tokens,
} from '#test/projections/contract-logs/story.ts'
import { alice, bob, recordOf } from '#test/support/events.ts'
import { awkwardLimits, foldedRows } from '#test/support/folded-rows.ts'
import { wholeEvent } from '#test/support/whole-event.ts'

const logsOf = async (...records: readonly LogRecord[]) => (await foldedRows(contractLogsProjection, records))['logs']!

const real = (topic: number) => ({
  contractID: { contractNum: contract },
  topic: [Buffer.from([0, topic]), Buffer.alloc(32)],
  data: Buffer.from([5]),
  bloom: Buffer.alloc(256, 1),
})
const systemContract = 359n
const tokenTransfers = tokens(token, [alice, -5n], [bob, 5n])
/** As rows have it. */
const hash32 = (time: bigint) => hashOf(time).toString('hex', 0, 32)

/** Part of the call of that time: a transfer through the contract that moves tokens. */
const partOf = (parent: bigint, time: bigint) =>
  called(time, systemContract, { type: 14, entityId: null, parentConsensusTimestamp: parent, tokenTransfers })

describe('the logs of a block', () => {
  it('are numbered without a gap across transactions, and from 0 again in the next', async () => {
    const logs = await logsOf(
      called(10n, contract, { logs: [real(1), real(2)] }),
      native(20n, { tokenTransfers }),
      native(30n, { transfers: [] }),
      native(40n, { nftTransfers: [moved(nft, alice, bob, 1n)] }),
      closed(40n),
      native(50n, { tokenTransfers }),
      closed(60n),
      closed(70n),
    )
    expect(logs.map(({ consensusTimestamp, index, blockEnd }) => [consensusTimestamp, index, blockEnd])).toEqual([
      [10n, 0, 40n],
      [10n, 1, 40n],
      [20n, 2, 40n],
      [40n, 3, 40n],
      [50n, 0, 60n],
    ])
  })

  it('are as recorded where a contract logged them, but for zeros that topics begin with', async () => {
    const [log] = await logsOf(called(10n, contract, { logs: [real(1)], transactionIndex: 6 }), closed(10n))
    expect(log).toEqual({
      time: 10n,
      number: 0,
      consensusTimestamp: 10n,
      index: 0,
      contractId: contract,
      rootContractId: contract,
      payer: 1_009n,
      digits: packDigits({
        bloom: packRecordedBloom(Buffer.alloc(256, 1)),
        transactionHash: hash32(10n),
        topics: ['01', '', null, null],
        data: '05',
      }),
      transactionIndex: 0,
      kind: 0,
      blockEnd: 10n,
    })
  })

  it('are there before the end of the block only as soon as it is known', async () => {
    expect(await logsOf(native(10n, { tokenTransfers }))).toEqual([])
  })

  it('are the same whatever the batches and commits', async () => {
    const records = [
      called(10n, contract, { logs: [real(1)] }),
      partOf(10n, 11n),
      native(20n, { tokenTransfers }),
      closed(20n, 70),
      called(30n, contract, { logs: [real(1)] }),
      partOf(30n, 31n),
      native(40n, { tokenTransfers }),
      closed(40n, 71),
    ]
    const expected = await foldedRows(contractLogsProjection, records)
    for (const limits of awkwardLimits)
      expect(await foldedRows(contractLogsProjection, records, limits)).toEqual(expected)
  })
})

describe('tokens that a call moves', () => {
  it.each([69, 70])('are shown with the call before version 0.71, as with 0.%i', async (minor) => {
    const logs = await logsOf(
      called(10n, contract, { logs: [real(1), real(2)], transactionIndex: 7 }),
      partOf(10n, 11n),
      closed(20n, minor),
    )
    expect(logs.at(-1)).toMatchObject({
      time: 11n,
      consensusTimestamp: 10n,
      index: 2,
      transactionIndex: 0,
      digits: expect.stringContaining(hash32(10n)),
      contractId: contract,
      rootContractId: contract,
      kind: 1,
    })
    expect(logs).toHaveLength(3)
  })

  it.each([71, 73])('are logged by the network itself since, as with 0.%i', async (minor) => {
    const logs = await logsOf(
      called(10n, contract, { logs: [real(1), real(2)] }),
      partOf(10n, 11n),
      native(20n, { tokenTransfers }),
      closed(20n, minor),
    )
    expect(logs.map(({ time, index }) => [time, index])).toEqual([
      [10n, 0],
      [10n, 1],
      [20n, 2],
    ])
  })

  it('count as before that version where files have none', async () => {
    const withoutVersion = recordOf('BlockRecorded', wholeEvent('BlockRecorded', { consensusEnd: 20n }))
    expect(await logsOf(called(10n, contract), partOf(10n, 11n), withoutVersion)).toHaveLength(1)
  })

  it('are shown with the transaction itself where its parent is no call', async () => {
    const logs = await logsOf(
      native(10n, { type: 74 }),
      native(11n, { parentConsensusTimestamp: 10n, tokenTransfers }),
      closed(20n, 70),
    )
    expect(logs).toMatchObject([{ time: 11n, consensusTimestamp: 11n, contractId: token }])
  })

  it('are shown with the inner call of a batch, whose parts have its time', async () => {
    const logs = await logsOf(
      native(10n, { type: 74 }),
      called(11n, contract, { parentConsensusTimestamp: 10n, logs: [real(1)] }),
      partOf(11n, 12n),
      called(13n, contract, { parentConsensusTimestamp: 10n }),
      partOf(13n, 14n),
      closed(20n, 70),
    )
    expect(logs.map(({ time, consensusTimestamp }) => [time, consensusTimestamp])).toEqual([
      [11n, 11n],
      [12n, 11n],
      [14n, 13n],
    ])
  })

  it('name the contract that the call created', async () => {
    const contractID = { contractNum: contract }
    const created = called(10n, contract, {
      type: 8,
      record: { receipt: { contractID }, contractCreateResult: { contractID, gasUsed: 1n } },
    })
    const [log] = await logsOf(created, partOf(10n, 11n), closed(20n, 70))
    expect(log).toMatchObject({ contractId: contract, rootContractId: contract, consensusTimestamp: 10n })
  })

  it('are shown with the hook that moved them, not with the transfer that called the hook', async () => {
    const logs = await logsOf(
      native(10n, { transfers: [] }),
      called(11n, 365n, { parentConsensusTimestamp: 10n, transactionIndex: 1 }),
      called(12n, systemContract, {
        type: 14,
        entityId: null,
        parentConsensusTimestamp: 10n,
        transactionIndex: 2,
        tokenTransfers,
      }),
      closed(20n, 70),
    )
    expect(logs).toMatchObject([{ time: 12n, consensusTimestamp: 11n, contractId: 365n, transactionIndex: 0 }])
  })
})
