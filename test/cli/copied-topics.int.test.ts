import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openSqliteLog } from '#src/adapters/sqlite/message-log.ts'
import { decodeEvent } from '#src/events/codec.ts'
import { type CopyName, copyNames } from '#src/events/event-types.ts'
import type { StoredRecord } from '#src/ports/message-log.ts'
import { type Finished, Program, run } from '#test/cli/support.ts'
import { temporaryFolder } from '#test/support/temporary-folder.ts'

const blocks = 12
const imports = ['import', 'run', '--source', 'streams', '--data', 'data', '--output-copies', copyNames.join()]

/** A process that copies is killed at its first copy and in their midst, and another one goes on. */
describe('narrow topics of an embedded log', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let log: readonly StoredRecord[]
  const ledger = (...args: readonly string[]): Promise<Finished> => run([...args], { cwd: folder.path })
  const copies = (topic: CopyName) => recordsIn(join(folder.path, 'data', 'log', topic))
  const keysOf = (records: readonly StoredRecord[]) => records.map(({ key }) => key)

  beforeAll(async () => {
    folder = await temporaryFolder()
    const simulated = await ledger(
      'network',
      'simulate',
      '--out',
      'streams',
      '--blocks',
      `${blocks}`,
      '--seed',
      'copies',
    )
    expect(simulated.code, simulated.err).toBe(0)
    for (const events of [1, 500]) {
      const program = new Program(imports, { cwd: folder.path })
      const copied = async () => expect((await copies('transfers')).length).toBeGreaterThan(events)
      await vi.waitFor(copied, { timeout: 60_000, interval: 5 })
      await program.stop('SIGKILL')
    }
    const { code, err } = await ledger(...imports, '--once')
    expect(code, err).toBe(0)
    log = await recordsIn(join(folder.path, 'data', 'log'))
  }, 240_000)
  afterAll(() => folder?.remove())

  it('have each fact of the log once, in its order, however often who copies is killed', async () => {
    const transactions = log
      .filter(({ type }) => type === 'TransactionRecorded')
      .map((record) => ({ ...record, event: decodeEvent({ ...record, type: 'TransactionRecorded' }) }))
    const moving = transactions.filter(
      ({ event }) => event.transfers.length + event.tokenTransfers.length + event.nftTransfers.length > 0,
    )
    const messages = transactions.filter(({ event }) => event.type === 27 && event.successful)
    expect(messages.length).toBeGreaterThan(10)
    expect(keysOf(await copies('transfers'))).toEqual(keysOf(moving))
    expect(keysOf(await copies('topic-messages'))).toEqual(keysOf(messages))
    const closed = log.filter(({ type }) => type === 'BlockRecorded')
    expect(closed).toHaveLength(blocks)
    expect(keysOf(await copies('blocks'))).toEqual(keysOf(closed))
  })

  it('are listed, described and shown by verbs, and verified with the log', { timeout: 120_000 }, async () => {
    const listed = JSON.parse((await ledger('topics', 'list', '--data', 'data', '--json')).out)
    expect(JSON.stringify(listed)).toContain('TransfersRecorded')
    const described = await ledger('topics', 'describe', '--topic', 'topic-messages')
    expect(described.out).toContain('TopicMessageRecorded')
    const { out } = await ledger('topics', 'tail', '--topic', 'blocks', '--json', '--data', 'data', '--sequence', '1')
    const lines = out.split('\n').filter((line) => line !== '')
    expect(lines).toHaveLength(blocks)
    expect(JSON.parse(lines[0]!)).toMatchObject({ type: 'BlockRecorded' })
    const verified = await ledger('import', 'verify', '--data', 'data')
    expect(verified.code, verified.err).toBe(0)
    expect(verified.out).toMatch(/transfers/)
  })
})

async function recordsIn(folder: string): Promise<StoredRecord[]> {
  if (!existsSync(join(folder, 'log.sqlite'))) return []
  const log = openSqliteLog({ folder })
  const found: StoredRecord[] = []
  try {
    for await (const { records } of log.read({ after: 0, countMax: 10_000, bytesMax: 8 << 20, follow: false }))
      found.push(...records)
  } finally {
    await log.close()
  }
  return found
}
