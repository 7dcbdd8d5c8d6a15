import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { contractLogsProjection } from '#projections/contract-logs/projection.ts'
import { openSqliteLog } from '#src/adapters/sqlite/message-log.ts'
import { LedgerError } from '#src/domain/errors.ts'
import { decodeEvent } from '#src/events/codec.ts'
import { markBuilt, planRebuild, promote, setPaused } from '#src/operations/decide.ts'
import { changePlan, readPlan } from '#src/operations/plan-store.ts'
import type { LogRecord, LogWriter, MessageLog, StoredRecord } from '#src/ports/message-log.ts'
import { projectionOfInstance } from '#src/runtime/fold/projection.ts'
import { runProjections } from '#src/runtime/fold/projector.ts'
import type { SuperviseOptions } from '#src/runtime/replay/supervisor.ts'
import { called, closed, native, token, tokens } from '#test/projections/contract-logs/story.ts'
import { TestDeployment } from '#test/runtime/replay/deployment.ts'
import { alice, bob, publish } from '#test/support/events.ts'

const carol = 1_003n
const at = '2026-01-01T00:00:00.000Z'
const { name, version } = contractLogsProjection.schema
/** Ids of its first two builds. */
const [first, second] = [`${version}`, `${version}.2`]

/** Block n: one transfer to two accounts, so two logs, and one transaction that logs nothing. */
const blockOf = (n: number): LogRecord[] => {
  const time = BigInt(n) * 100n
  return [
    native(time + 1n, { tokenTransfers: tokens(token, [alice, -30n], [bob, 10n], [carol, 20n]) }),
    native(time + 2n),
    closed(time + 2n),
  ]
}
const blocks = (first: number, last: number): LogRecord[] =>
  Array.from({ length: last - first + 1 }, (_, index) => blockOf(first + index)).flat()
/** Keys of the logs of blocks 1 to n. */
const keysThrough = (n: number) =>
  Array.from({ length: n }, (_, index) => `${(index + 1) * 100 + 1}`).flatMap((time) => [`${time}/0`, `${time}/1`])

describe('the output of a read model', () => {
  let deployment: TestDeployment
  let output: MessageLog
  beforeEach(() => {
    deployment = new TestDeployment()
    output = openSqliteLog({ folder: ':memory:', pollMs: 1 })
  })
  afterEach(async () => {
    await deployment.close()
    await output.close()
  })

  /** The output for one who closes what he opened. */
  const shared = (log: MessageLog = output): MessageLog => ({
    openWriter: () => log.openWriter(),
    identity: () => log.identity(),
    head: () => log.head(),
    read: (options) => log.read(options),
    close: async () => undefined,
  })
  const supervise = (options: Partial<SuperviseOptions> = {}) =>
    deployment.supervise([contractLogsProjection], {
      outputs: { open: async () => shared(), batchEventsMax: 3 },
      ...options,
    })
  const record = (records: readonly LogRecord[]) => publish(deployment.log(), records)
  const published = async (): Promise<StoredRecord[]> => {
    const records: StoredRecord[] = []
    for await (const batch of output.read({ after: 0, countMax: 1_000, bytesMax: 1 << 20, follow: false }))
      records.push(...batch.records)
    return records
  }
  const keys = async () => (await published()).map(({ key }) => key)
  const hasLogsOf = (n: number) => expect.poll(keys, { timeout: 5_000, interval: 2 }).toEqual(keysThrough(n))
  const folds = (position: number) =>
    expect
      .poll(() => deployment.positionOf(contractLogsProjection.schema), { timeout: 5_000, interval: 2 })
      .toBe(position)
  const change = (decide: Parameters<typeof changePlan>[1]) => changePlan(deployment.control, decide)

  it('has each log as an event, with everything that the API says of it, in the order of the ledger', async () => {
    await record([
      native(101n, { tokenTransfers: tokens(token, [alice, -30n], [bob, 10n], [carol, 20n]) }, { index: 0 }),
      called(102n, 3_001n, {
        logs: [{ contractID: { contractNum: 3_001n }, topic: [Buffer.from([7])], data: Buffer.from([9]) }],
      }),
      closed(102n),
    ])
    supervise()
    await expect.poll(keys).toEqual(['101/0', '101/1', '102/0'])

    const [made, , real] = (await published()).map((each) => decodeEvent({ ...each, type: 'ContractLogRecorded' }))
    const word = (hex: string) => Buffer.from(hex.padStart(64, '0'), 'hex')
    expect(made).toEqual({
      consensusTimestamp: 101n,
      index: 0,
      originTimestamp: 101n,
      blockConsensusEnd: 102n,
      transactionHash: expect.any(Buffer),
      transactionIndex: 0,
      payerAccountId: 1_009n,
      contractId: token,
      address: Buffer.from('00000000000000000000000000000000000007d1', 'hex'),
      rootContractId: token,
      topics: [word('ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'), word('3e9'), word('3eb')],
      data: word('14'),
      synthetic: true,
    })
    expect(real).toMatchObject({ contractId: 3_001n, index: 2, topics: [word('7')], data: word('9'), synthetic: false })
  })

  it('follows the blocks, and goes on where another process left it', async () => {
    const before = supervise()
    await record(blocks(1, 2))
    await hasLogsOf(2)
    await before.end()
    await record(blocks(3, 4))
    supervise()
    await hasLogsOf(4)
    await record(blocks(5, 5))
    await hasLogsOf(5)
  })

  it('is whole when the fold has come to the end of the log, and has nothing of a block that is open', async () => {
    await record([...blocks(1, 3), ...blockOf(4).slice(0, 2)])
    const { finish, ended } = supervise()
    finish.abort()
    await ended
    expect(await keys()).toEqual(keysThrough(3))
  })

  it('gets what was folded before anybody published it', async () => {
    const silent = deployment.supervise([contractLogsProjection])
    await record(blocks(1, 4))
    await folds(12)
    await silent.end()
    supervise()
    await hasLogsOf(4)
  })

  it('is the same whatever the batches and pages', async () => {
    await record(blocks(1, 9))
    for (const [readCountMax, commitRowsMax, batchEventsMax] of [
      [1, 100, 1],
      [4, 1, 5],
      [7, 3, 2],
    ] as const) {
      const own = new TestDeployment()
      const log = openSqliteLog({ folder: ':memory:' })
      await publish(own.log(), blocks(1, 9))
      const { finish, ended } = own.supervise([contractLogsProjection], {
        limits: { readCountMax, commitRowsMax },
        outputs: { open: async () => shared(log), batchEventsMax },
      })
      finish.abort()
      await ended
      output = log
      expect(await keys()).toEqual(keysThrough(9))
      await own.close()
    }
  })

  it('is told nothing a second time by a rebuild, nor by the promotion of what it built', async () => {
    supervise()
    await record(blocks(1, 3))
    await hasLogsOf(3)
    await change((plan) => planRebuild(plan, [contractLogsProjection.schema], { name }, at).plan)
    const instance = (await readPlan(deployment.control)).readModels[name]!.instances[second]!
    const rebuilt = projectionOfInstance(contractLogsProjection, instance)
    await runProjections({ log: deployment.log(), store: deployment.store, projections: [rebuilt], follow: false })
    await change((plan) => markBuilt(plan, name, second))
    await record(blocks(4, 4))
    await hasLogsOf(4)
    await change((plan) => promote(plan, [{ name, id: second }]))
    await record(blocks(5, 6))
    await hasLogsOf(6)
    await change((plan) => promote(plan, [{ name, id: first }]))
    await record(blocks(7, 7))
    await hasLogsOf(7)
  })

  it('has no hole where what takes over is further than what published before', async () => {
    const { instances } = supervise()
    await record(blocks(1, 2))
    await hasLogsOf(2)
    await change((plan) => setPaused(plan, name, first, true))
    await expect.poll(instances).toEqual([])
    await change((plan) => planRebuild(plan, [contractLogsProjection.schema], { name }, at).plan)
    await record(blocks(3, 6))
    const instance = (await readPlan(deployment.control)).readModels[name]!.instances[second]!
    const rebuilt = projectionOfInstance(contractLogsProjection, instance)
    await runProjections({ log: deployment.log(), store: deployment.store, projections: [rebuilt], follow: false })
    expect(await keys()).toEqual(keysThrough(2))
    await change((plan) => promote(markBuilt(plan, name, second), [{ name, id: second }]))
    await hasLogsOf(6)
  })

  it('has each event once where an append fails of which nobody knows whether it arrived', async () => {
    let appends = 0
    const failing = (writer: LogWriter): LogWriter => ({
      get head() {
        return writer.head
      },
      close: () => writer.close(),
      append: async (each) => {
        appends += 1
        if (appends % 4 === 1) throw new LedgerError('log_unavailable', 'gone before it was written')
        const head = await writer.append(each)
        if (appends % 4 === 3) throw new LedgerError('log_unavailable', 'gone after it was written')
        return head
      },
    })
    const open = async (): Promise<MessageLog> => ({
      ...shared(),
      openWriter: async () => failing(await output.openWriter()),
    })
    await record(blocks(1, 6))
    const running = supervise({ outputs: { open, batchEventsMax: 2 } })
    await hasLogsOf(6)
    expect(running.instances()[0]?.problem).toBeUndefined()
  })

  it('keeps neither the fold nor other read models from their work while it cannot be written', async () => {
    const open = async (): Promise<MessageLog> => {
      throw new LedgerError('log_misconfigured', 'its retention is an hour')
    }
    const running = supervise({ outputs: { open, batchEventsMax: 2 } })
    await record(blocks(1, 3))
    await folds(9)
    await expect.poll(() => running.instances()[0]?.problem).toBe('its retention is an hour')
    expect(running.instances()[0]?.state).toBe('following')
  })

  it('that is damaged is removed where that is ours to do, and published from the first event', async () => {
    await record(blocks(1, 4))
    const before = supervise()
    await hasLogsOf(4)
    await before.end()
    let isDamaged = true
    const removed: string[] = []
    const open = async (): Promise<MessageLog> => {
      if (isDamaged) throw new LedgerError('log_damaged', 'events 7 to 8 do not have their checksum')
      return shared()
    }
    const remove = async (topic: string, generation: number): Promise<void> => {
      removed.push(`${topic} ${generation}`)
      isDamaged = false
      await output.close()
      output = openSqliteLog({ folder: ':memory:', pollMs: 1 })
    }
    const running = supervise({ outputs: { open, remove, batchEventsMax: 3 } })
    await record(blocks(5, 5))
    await hasLogsOf(5)
    expect(removed).toEqual(['contract-logs 1'])
    expect(running.instances()[0]?.problem).toBeUndefined()
  })

  it.each([
    ['it is not ours to remove it', false],
    ['that did not help', true],
  ])('that is damaged is left to a person where %s', async (_, isOurs) => {
    let removals = 0
    const remove = async (): Promise<void> => {
      removals += 1
    }
    const open = async (): Promise<MessageLog> => {
      throw new LedgerError('log_damaged', 'events 7 to 8 do not have their checksum')
    }
    const running = supervise({ outputs: { open, ...(isOurs && { remove }), batchEventsMax: 3 } })
    await record(blocks(1, 3))
    await folds(9)
    await expect.poll(() => running.instances()[0]?.problem).toBe('events 7 to 8 do not have their checksum')
    expect(removals).toBe(isOurs ? 1 : 0)
    expect(running.instances()[0]?.state).toBe('following')
  })

  it('is not written where its newest event is of another ledger', async () => {
    const writer = await output.openWriter()
    await writer.append([[{ type: 'ContractLogRecorded', key: '150/0', time: 150n, value: Buffer.from('x') }]])
    await writer.close()
    const running = supervise()
    await record(blocks(1, 2))
    await expect.poll(() => running.instances()[0]?.problem).toContain('the key 150/0, which no row')
    expect(await keys()).toEqual(['150/0'])
  })
})
