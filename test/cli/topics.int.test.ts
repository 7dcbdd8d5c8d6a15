import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSqliteLog } from '#src/adapters/sqlite/message-log.ts'
import type { LogRecord } from '#src/ports/message-log.ts'
import { recordOf, transactionRecorded } from '#test/support/events.ts'
import { Program, run } from './support.ts'

const second = 1_000_000_000n
const start = 1_700_000_000n * second
let data: string

beforeAll(async () => {
  data = mkdtempSync(join(tmpdir(), 'ledger-topics-'))
  mkdirSync(join(data, 'log'))
  writeFileSync(join(data, 'ledger-data.json'), '{"format":1,"network":"demo"}')
  await append([
    recordOf('SnapshotStarted', { network: 'demo' }),
    ...Array.from({ length: 20 }, (_, index) =>
      recordOf(
        'TransactionRecorded',
        transactionRecorded({
          consensusTimestamp: start + BigInt(index) * second,
          memo: Buffer.from(`memo ${index}`),
          result: index === 3 ? 11 : 22,
        }),
      ),
    ),
    recordOf('BlockRecorded', { number: 7n, name: 'x.rcd.gz', signedBy: [0n, 2n], consensusEnd: start + 20n * second }),
  ])
  await append(
    [recordOf('ContractLogRecorded', { consensusTimestamp: start, contractId: 2_001n })],
    'log/contract-logs',
  )
})

afterAll(() => rmSync(data, { recursive: true, force: true }))

async function append(records: readonly LogRecord[], folder = 'log'): Promise<void> {
  const log = openSqliteLog({ folder: join(data, folder) })
  const writer = await log.openWriter()
  await writer.append([records])
  await writer.close()
  await log.close()
}

const topics = (...args: readonly string[]) => run(['topics', ...args, '--data', data])
const linesOf = (text: string) => text.split('\n').filter((line) => line !== '')

describe('topics list', () => {
  it('says what the log holds by type, for people and for programs', async () => {
    const [text, json] = await Promise.all([topics('list'), topics('list', '--json')])

    expect(text.out).toContain('generation 1  serving  #1 (0.000000000) to #22 (1700000020.000000000)')
    expect(text.out).toMatch(
      / TransactionRecorded +20 events, first #2 \(1700000000\.000000000\), last #21 \(1700000019\.000000000\)/,
    )
    expect(JSON.parse(json.out)).toMatchObject([
      {
        generation: 1,
        state: 'serving',
        last: { sequence: 22, time: '1700000020.000000000' },
        types: expect.arrayContaining([
          expect.objectContaining({ type: 'TransactionRecorded', count: 20 }),
          { type: 'BlockNumbersShifted', count: 0, first: null, last: null },
        ]),
      },
      { generation: 1, topic: 'contract-logs', types: [{ type: 'ContractLogRecorded', count: 1 }] },
    ])
  })
})

describe('topics of what read models publish', () => {
  it('are described and shown like the log', async () => {
    const [described, tailed] = await Promise.all([
      run(['topics', 'describe', '--topic', 'contract-logs']),
      topics('tail', '--topic', 'contract-logs', '--entity', '0.0.2001'),
    ])

    expect(described.out).toMatch(
      /^ledger\.contract-logs\n.*Events and their keys:\n +ContractLogRecorded .*\n\nFields/s,
    )
    expect(tailed.out).toMatch(/^#1 {2}1700000000\.000000000 {2}ContractLogRecorded .*contractId 0\.0\.2001/)
  })
})

describe('topics describe', () => {
  it('tells keys and headers, and the fields of an event, also without any data', async () => {
    const [topic, block, json] = await Promise.all([
      run(['topics', 'describe']),
      run(['topics', 'describe', 'blockrecorded']),
      run(['topics', 'describe', 'TransactionRecorded', '--json']),
    ])

    expect(topic.out).toMatch(/^ledger\.transactions\n.*Headers:.* sequence .*Events and their keys:.* BlockRecorded /s)
    expect(block.out).toMatch(/ hash +bytes +48 bytes; the hash that the next block refers to/)
    expect(JSON.parse(json.out).fields).toContainEqual(
      expect.objectContaining({ name: 'transfers.accountId', type: 'long' }),
    )
  })

  it('names the events when asked for another one', async () => {
    const { code, err } = await run(['topics', 'describe', 'Nothing'])

    expect(code).toBe(1)
    expect(err).toContain('There are SnapshotStarted, ')
  })
})

describe('topics tail', () => {
  it('prints the last events as a line each', async () => {
    const { code, out } = await topics('tail', '--count', '2')

    expect(code).toBe(0)
    expect(linesOf(out)).toEqual([
      '#21  1700000019.000000000  TransactionRecorded     CRYPTOTRANSFER  SUCCESS  payer 0.0.1001  fee 10',
      '#22  1700000020.000000000  BlockRecorded           number 7  name x.rcd.gz',
    ])
  })

  it('prints every field that is not empty when all are wanted', async () => {
    const { out } = await topics('tail', '--full', '--count', '1', '--type', 'TransactionRecorded')

    expect(linesOf(out)[0]).toMatch(/^#21 .*CRYPTOTRANSFER {2}SUCCESS {2}key 1700000019000000000$/)
    expect(out).toMatch(/ memo +"memo 19"\n/)
    expect(out).toMatch(/ transfers +\[{accountId: 0\.0\.1001, amount: -1}, {accountId: 0\.0\.1002, amount: 1}]\n/)
    expect(out).not.toContain('nonce')
    expect((await topics('tail', '--full', '--count', '1')).out).toMatch(/ signedBy +\[0, 2]\n/)
  })

  it('prints an object per line that no reader of JSON can round', async () => {
    const { out } = await topics('tail', '--json', '--sequence', '5', '--count', '1')
    const { out: other } = await topics('tail', '--json', '--sequence', '5', '--count', '1', '--bytes', 'base64')

    expect(JSON.parse(out)).toMatchObject({
      sequence: 5,
      time: '1700000003.000000000',
      type: 'TransactionRecorded',
      transactionType: 'CRYPTOTRANSFER',
      result: 'DUPLICATE_TRANSACTION',
      event: {
        consensusTimestamp: '1700000003000000000',
        payerAccountId: '1001',
        result: 11,
        memo: Buffer.from('memo 3').toString('hex'),
        transfers: [
          { accountId: '1001', amount: '-1' },
          { accountId: '1002', amount: '1' },
        ],
      },
    })
    expect(JSON.parse(other).event.memo).toBe(Buffer.from('memo 3').toString('base64'))
  })

  it('begins at a time, and keeps to what was asked for', async () => {
    const from = await topics('tail', '--time', '2023-11-14T22:13:38Z')
    const where = await topics('tail', '--where', 'memo=memo 4')
    const result = await topics('tail', '--result', 'DUPLICATE_TRANSACTION')

    expect(linesOf(from.out).map((line) => line.split(' ')[0])).toEqual(['#20', '#21', '#22'])
    expect(linesOf(where.out).map((line) => line.split(' ')[0])).toEqual(['#6'])
    expect(linesOf(result.out).map((line) => line.split(' ')[0])).toEqual(['#5'])
  })

  it.each([
    [['--type', 'Nothing'], 78, '--type must be one of'],
    [['--time', 'noon'], 1, 'It must be as 2024-05-29T16:00:00Z'],
    [['--count', '0'], 1, 'It must be an integer'],
    [['--generation', '2'], 78, 'There is no generation 2 of the log; there are 1'],
    [['--count', '20000'], 78, 'say where to begin with --sequence or --time'],
  ])('refuses %j', async (args, exitCode, message) => {
    const { code, err } = await topics('tail', ...args)

    expect([code, err]).toEqual([exitCode, expect.stringContaining(message)])
  })

  it('follows until Ctrl-C, and then ends well', async () => {
    const program = new Program(['topics', 'tail', '--follow', '--count', '1', '--data', data])
    await program.printed(/#22 /)
    await append([recordOf('SnapshotCompleted', { count: 5n })])
    await program.printed(/#23 .*count 5/)

    const { code } = await program.stop('SIGINT')

    expect(code).toBe(0)
  })

  it('ends quietly when nobody reads on', async () => {
    const program = new Program(['topics', 'tail', '--follow', '--sequence', '1', '--data', data])
    await program.printed(/#1 /)
    program.child.stdout?.destroy()
    await append(Array.from({ length: 3 }, () => recordOf('SnapshotCompleted', {})))

    const { code, err } = await program.finished

    expect([code, err]).toEqual([0, ''])
  })
})
