import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { blocksSchema } from '#projections/blocks/schema.ts'
import { transactionsSchema } from '#projections/transactions/schema.ts'
import { openSqliteReadStore } from '#src/adapters/sqlite/read-store.ts'
import { sumsIn } from '#src/adapters/sqlite/tables.ts'
import { beginGeneration, forget, setPaused } from '#src/operations/decide.ts'
import { changePlan } from '#src/operations/plan-store.ts'
import type { LogRecord } from '#src/ports/message-log.ts'
import type { ProjectionSchema, Row } from '#src/ports/read-store.ts'
import { recordOf, transactionRecorded } from '#test/support/events.ts'
import { instanceId, versioned } from '#test/support/read-model-versions.ts'
import { TestDeployment } from './deployment.ts'

const begin = 1_700_000_000_000_000_000n
const events = 600
const firstBuild = instanceId('blocks')
const secondBuild = instanceId('blocks', 2)
// Every verb is a process of its own, which takes its time to start on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

let deployment: TestDeployment

beforeEach(async () => {
  deployment = new TestDeployment()
  await deployment.record(Array.from({ length: events }, (_, index) => recordAt(index)))
  await deployment.adopt()
})
afterEach(() => deployment.close())

/** Every third event closes a block. */
function recordAt(index: number): LogRecord {
  const time = begin + BigInt(index) * 1_000_000n
  if (index % 3 !== 2) return recordOf('TransactionRecorded', transactionRecorded({ consensusTimestamp: time }))
  const number = BigInt((index - 2) / 3)
  return recordOf('BlockRecorded', {
    number,
    name: `${number}.rcd`,
    hash: Buffer.alloc(48, Number(number)),
    previousHash: Buffer.alloc(48),
    consensusStart: time - 2_000_000n,
    consensusEnd: time,
    count: 2n,
  })
}

async function positionOf(schema: ProjectionSchema, build: number): Promise<number> {
  const store = openSqliteReadStore({ folder: deployment.folder.store })
  const reader = await store.openReader(build === 1 ? schema : { ...schema, build })
  const checkpoint = await reader.checkpoint()
  await reader.close()
  await store.close()
  return checkpoint?.position ?? 0
}

async function instancesOf(name: string) {
  return (await deployment.plan()).readModels[name]!.instances
}

describe('projections rebuild', () => {
  it('fills further instances of several read models at once, and names the promotion as the next step', async () => {
    const { code, out, err } = await deployment.verb('rebuild', 'blocks', 'transactions')
    expect(code, err).toBe(0)
    expect(out).toMatch(versioned(/^Building blocks vN\.2 from log generation 1\nBuilding transactions vN\.2 /))
    expect(out).toMatch(versioned(/^blocks vN\.2 {2}100\.0% {2}600 \/ 600 .* built$/m))
    expect(out).toMatch(versioned(/^transactions vN\.2 {2}100\.0% {2}600 \/ 600 .* built$/m))
    expect(out).toMatch(/\nnext: ledger-history projections promote blocks transactions --data \S+\n$/)
    expect((await instancesOf('blocks'))[secondBuild]?.state).toBe('built')
    expect(await positionOf(transactionsSchema, 2)).toBe(events)
    expect((await deployment.plan()).readModels['blocks']?.serving).toBe(firstBuild)
  })

  it('goes on where a kill has stopped it, at most as fast as it was told', async () => {
    const first = deployment.start('projections', 'rebuild', 'blocks', '--throttle', '100')
    await vi.waitFor(async () => expect(await positionOf(blocksSchema, 2)).toBeGreaterThan(0), {
      timeout: 20_000,
      interval: 50,
    })
    await first.stop('SIGKILL')
    expect((await instancesOf('blocks'))[secondBuild]).toMatchObject({ state: 'building', eventsPerSecondMax: 100 })
    const reached = await positionOf(blocksSchema, 2)
    expect(reached).toBeLessThan(events)
    const again = await deployment.verb('rebuild', 'blocks', '--throttle', '0')
    expect(again.out).toMatch(versioned(/^Going on with blocks vN\.2 from log generation 1\n/))
    expect(again.code, again.err).toBe(0)
    expect(Object.keys(await instancesOf('blocks'))).toEqual([firstBuild, secondBuild])
  })

  it('stops on Ctrl-C with what it has done, and says how to go on', async () => {
    const program = deployment.start('projections', 'rebuild', 'blocks', '--throttle', '100')
    await vi.waitFor(async () => expect(await positionOf(blocksSchema, 2)).toBeGreaterThan(0), {
      timeout: 20_000,
      interval: 50,
    })
    const { code, err, out } = await program.stop('SIGINT')
    const [, percent] = versioned(/blocks vN\.2 {2}([\d.]+)% {2}\d+ \/ 600 .* stopped\n/).exec(out)!
    expect(Number(percent)).toBeLessThan(100)
    // So that a script does not go on to promote.
    expect(code).toBe(75)
    expect(err).toMatch(
      /Stopped before the end of the log; to go on, run "ledger-history projections rebuild blocks --data \S+" .*\[interrupted\]/,
    )
    expect((await instancesOf('blocks'))[secondBuild]?.state).toBe('building')
  })

  it('stands still while it is paused, and ends when its instance is pruned', async () => {
    const program = deployment.start('projections', 'rebuild', 'blocks', '--throttle', '40')
    await vi.waitFor(async () => expect(await positionOf(blocksSchema, 2)).toBeGreaterThan(0), {
      timeout: 20_000,
      interval: 50,
    })
    const paused = await deployment.verb('pause', 'blocks', '--version', secondBuild)
    expect(paused.code, paused.err).toBe(0)
    const reached = await positionOf(blocksSchema, 2)
    expect(reached).toBeLessThan(events)
    const verified = await deployment.verb('verify', 'blocks', '--version', secondBuild)
    expect(verified.out, verified.err).toMatch(/all equal/)
    const resumed = await deployment.verb('resume', 'blocks', '--version', secondBuild)
    expect(resumed.out).toMatch(versioned(/^Resumed blocks vN\.2, run by /))
    await vi.waitFor(async () => expect(await positionOf(blocksSchema, 2)).toBeGreaterThan(reached), {
      timeout: 20_000,
      interval: 50,
    })
    const pruned = await deployment.verb('prune', 'blocks', '--version', secondBuild)
    expect(pruned.out, pruned.err).toMatch(versioned(/^Removed blocks vN\.2; /))
    const { code, out, err } = await program.finished
    expect(out).toMatch(
      versioned(
        /blocks vN\.2 is paused; it goes on here after ledger-history projections resume blocks --version N\.2 /,
      ),
    )
    expect(err).toMatch(
      versioned(/blocks vN\.2 is not in the plan any more; it was pruned meanwhile \[operation_refused\]/),
    )
    expect(code).toBe(1)
  })

  it('is what has to run when an unfinished instance is resumed', async () => {
    const program = deployment.start('projections', 'rebuild', 'blocks', '--throttle', '100')
    await program.printed(/Building/)
    await program.stop('SIGKILL')
    await changePlan(deployment.control, (plan) => setPaused(plan, 'blocks', secondBuild, true))
    const { out } = await deployment.verb('resume', 'blocks', '--version', secondBuild)
    expect(out).toMatch(
      versioned(
        /^Resumed blocks vN\.2, but no process has taken it up; next: ledger-history projections rebuild blocks --version N --generation 1 /,
      ),
    )
  })

  it('watches another process that fills the instance already', async () => {
    const first = deployment.start('projections', 'rebuild', 'blocks', '--throttle', '60')
    await first.printed(/Building/)
    await vi.waitFor(async () => expect(await positionOf(blocksSchema, 2)).toBeGreaterThan(0), {
      timeout: 20_000,
      interval: 50,
    })
    const second = await deployment.verb('rebuild', 'blocks')
    expect(second.out).toMatch(versioned(/Another process works on blocks vN\.2; watching it\n/))
    expect(second.code, second.err).toBe(0)
    expect((await first.finished).code).toBe(0)
    expect(Object.keys(await instancesOf('blocks'))).toEqual([firstBuild, secondBuild])
  })

  it('says what it would cost and changes nothing with --dry-run', async () => {
    const { code, out, err } = await deployment.verb('rebuild', 'blocks', '--dry-run', '--events', '300')
    expect(code, err).toBe(0)
    expect(out).toMatch(
      versioned(/^blocks vN\.2 {2}300 events in .*100 blocks.*too few to tell what the whole log of 600 takes/),
    )
    expect(out).toMatch(/Nothing was changed; next: ledger-history projections rebuild blocks/)
    const whole = await deployment.verb('rebuild', 'blocks', '--dry-run')
    expect(whole.out).toMatch(versioned(/^blocks vN\.2 {2}600 events in .*; that is the whole log\n/))
    expect(Object.keys(await instancesOf('blocks'))).toEqual([firstBuild])
  })

  it('refuses a version that this code does not have, and a log generation that nobody writes', async () => {
    const version = await deployment.verb('rebuild', 'blocks', '--version', '99')
    expect(version.err).toMatch(versioned(/There is no blocks v99 in this code, only vN; .*\[version_unknown\]/))
    const generation = await deployment.verb('rebuild', 'blocks', '--generation', '4')
    expect(generation.err).toMatch(/There is no log generation 4; there are 1 \[operation_refused\]/)
    expect([version.code, generation.code]).toEqual([1, 1])
    const dry = await deployment.verb('rebuild', 'blocks', '--generation', '4', '--dry-run')
    expect(dry.err).toMatch(/There is no log generation 4; there are 1 \[operation_refused\]/)
    expect(existsSync(join(deployment.folder.log, 'g4'))).toBe(false)
  })

  it('takes no rows for its own that the plan does not know, as after a plan was restored from an older copy', async () => {
    const before = await deployment.plan()
    expect((await deployment.verb('rebuild', 'blocks')).code).toBe(0)
    await changePlan(deployment.control, () => before)
    const { code, err } = await deployment.verb('rebuild', 'blocks')
    expect(err).toMatch(
      versioned(
        /There are rows of blocks vN\.2 already, which the plan does not know; .*"ledger-history projections prune blocks --version N\.2".*\[operation_refused\]/,
      ),
    )
    expect(code).toBe(1)
    expect(Object.keys(await instancesOf('blocks'))).toEqual([firstBuild])
    expect((await deployment.verb('prune', 'blocks', '--version', secondBuild)).out).toMatch(
      versioned(/^Removed blocks vN\.2/),
    )
    expect((await deployment.verb('rebuild', 'blocks')).out).toMatch(versioned(/blocks vN\.2 .* built\n/))
  })

  it('leaves nothing behind that a prune does not find, although an earlier one was killed before it removed the rows', async () => {
    expect((await deployment.verb('rebuild', 'blocks')).code).toBe(0)
    await changePlan(deployment.control, (plan) => forget(plan, 'blocks', secondBuild))
    const rows = join(deployment.folder.store, versioned('blocks@N.2.sqlite'))
    expect(existsSync(rows)).toBe(true)
    const { out, err } = await deployment.verb('prune', 'blocks')
    expect(out, err).toMatch(versioned(/^Removed blocks vN\.2; /))
    expect(existsSync(rows)).toBe(false)
    expect((await deployment.verb('prune', 'blocks')).out).toMatch(/^Nothing to prune/)
  })

  it('of another log generation names the command that promotes it', async () => {
    await changePlan(deployment.control, (plan) => beginGeneration(plan, 'a gap', '2026-01-01T00:00:00.000Z').plan)
    const { out } = await deployment.verb('rebuild', 'blocks', '--generation', '2')
    expect(out).toMatch(/\nnext: ledger-history import promote 2 --data \S+\n$/)
  })
})

describe('projections verify', () => {
  it('finds all rows as the log says, and leaves the instance running', async () => {
    const { code, out, err } = await deployment.verb('verify', 'transactions')
    expect(code, err).toBe(0)
    expect(out).toMatch(versioned(/^Compared [\d,]+ rows of transactions vN in .* up to 600: all equal\n$/))
    expect((await instancesOf('transactions'))[instanceId('transactions')]?.paused).toBe(false)
  })

  it('names the first row that differs and the command that repairs it, and lets the instance go on', async () => {
    const database = new DatabaseSync(join(deployment.folder.store, versioned('blocks@N.sqlite')))
    const select = database.prepare('SELECT * FROM blocks WHERE number = 70')
    select.setReadBigInts(true)
    const row = { ...select.get(), epoch: 0, hash: 'ff' }
    // Wrong, but written as it is: what was not written is told before rows are compared.
    const sums = sumsIn(database, 'blocks', blocksSchema.collections.blocks)!
    database.prepare(`UPDATE blocks SET hash = 'ff', "${sums.field}" = ? WHERE number = 70`).run(sums.of(row as Row))
    database.close()
    const { code, err } = await deployment.verb('verify', 'blocks')
    expect(err).toMatch(
      versioned(
        /The row of blocks with epoch 0, number 70 in blocks vN has hash ff instead of 4646\S+…; repair with "ledger-history projections rebuild blocks --version N --generation 1" .*\[rows_differ\]/,
      ),
    )
    expect(code).toBe(1)
    expect((await instancesOf('blocks'))[firstBuild]?.paused).toBe(false)
    const json = await deployment.verb('verify', 'blocks', '--json')
    expect(JSON.parse(json.out)).toMatchObject({ equal: false, difference: { collection: 'blocks', field: 'hash' } })
  })
})

describe('projections parked', () => {
  const sequence = events + 1

  /** What a live projector does with an event that the fold of its release refuses. */
  async function park(): Promise<void> {
    await deployment.append([recordAt(events)])
    const store = openSqliteReadStore({ folder: deployment.folder.store })
    const writer = await store.openWriter(transactionsSchema)
    const { position, time } = writer.checkpoint!
    const parked = [{ sequence, error: 'memo is too long' }]
    await writer.commit({ from: position, to: { position: sequence, time }, puts: [], deletes: [], parked })
    await writer.close()
    await store.close()
  }

  it('lists what is set aside, folds it again, and gives it up', async () => {
    await park()
    const list = await deployment.verb('parked', 'list', 'transactions')
    expect(list.out).toMatch(
      versioned(
        /^601 {2}memo is too long\n1 event parked in transactions vN; next: ledger-history projections parked retry transactions --data \S+\n$/,
      ),
    )
    const json = await deployment.verb('parked', 'list', 'transactions', '--json')
    expect(JSON.parse(json.out)).toMatchObject({ total: 1, events: [{ sequence, error: 'memo is too long' }] })
    expect((await deployment.verb('status')).out).toMatch(versioned(/transactions vN .*1 event parked/))
    const retry = await deployment.verb('parked', 'retry', 'transactions')
    expect(retry.out).toBe(versioned('Folded 1 parked event into transactions vN\n'))
    expect((await deployment.verb('verify', 'transactions')).out).toMatch(/all equal\n$/)
    expect((await deployment.verb('parked', 'list', 'transactions')).out).toBe(
      versioned('0 events parked in transactions vN\n'),
    )
  })

  it('gives up only what is named', async () => {
    await park()
    const unnamed = await deployment.verb('parked', 'skip', 'transactions')
    expect(unnamed.err).toMatch(/needs either --sequence .* or --all \[config_invalid\]/)
    const other = await deployment.verb('parked', 'skip', 'transactions', '--sequence', '7', String(sequence))
    expect(other.err).toMatch(
      versioned(
        /Event 7 is not parked in transactions vN; nothing was changed, .*parked list transactions.*\[operation_refused\]/,
      ),
    )
    expect(other.code).toBe(1)
    const skipped = await deployment.verb('parked', 'skip', 'transactions', '--sequence', String(sequence))
    expect(skipped.out).toBe(versioned('Gave up 1 parked event of transactions vN\n'))
    const { err, code } = await deployment.verb('verify', 'transactions')
    expect(err).toMatch(/is missing; repair with/)
    expect(code).toBe(1)
  })
})
