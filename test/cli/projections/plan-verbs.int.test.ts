import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { blocksSchema } from '#projections/blocks/schema.ts'
import { openSqliteReadStore } from '#src/adapters/sqlite/read-store.ts'
import { promote, rollBack } from '#src/operations/decide.ts'
import { changePlan } from '#src/operations/plan-store.ts'
import type { RunningInstance } from '#src/operations/presence.ts'
import { instanceId, versioned, versionOf } from '#test/support/read-model-versions.ts'
import { TestDeployment } from './deployment.ts'

// Every verb is a process of its own, which takes its time to start on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

let deployment: TestDeployment
/** What the made-up query process answers from. */
let serves: Record<string, string>

beforeEach(() => {
  deployment = new TestDeployment()
  serves = { blocks: firstBuild, transactions: instanceId('transactions') }
})
afterEach(() => deployment.close())

const firstBuild = instanceId('blocks')
const secondBuild = instanceId('blocks', 2)
const knowsTransactions = { transactions: [versionOf('transactions')] }
const knows = { ...knowsTransactions, blocks: [versionOf('blocks')] }
const server = () => deployment.announce('serve', () => ({ serves, knows }))

/** Follows the plan as a query process does. */
async function followPlan(name: string, id: string): Promise<void> {
  await vi.waitFor(async () => expect((await deployment.plan()).readModels[name]?.serving).toBe(id), {
    timeout: 20_000,
    interval: 20,
  })
  serves = { ...serves, [name]: id }
}

describe('promote', () => {
  it('moves the plan, waits for every query process and says how long each took', async () => {
    await deployment.adopt()
    const id = await deployment.addBuilt('blocks')
    await server()
    const [done] = await Promise.all([deployment.verb('promote', 'blocks'), followPlan('blocks', id)])
    expect(done.err).toBe('')
    expect(done.out).toMatch(
      versioned(
        /^Promoted: blocks vN\.2 serves from elsewhere:7 \(9\.9\.9\) after \d+ ms\nnext: .* prune blocks --data \S+, or back: .* rollback blocks --data \S+\n$/,
      ),
    )
    expect(done.code).toBe(0)
    const [back] = await Promise.all([deployment.verb('rollback', 'blocks'), followPlan('blocks', firstBuild)])
    expect(back.out).toMatch(versioned(/^Rolled back: blocks vN serves from elsewhere:7/))
  })

  it('is refused while a query process has no code for it, which is named', async () => {
    await deployment.adopt()
    await deployment.addBuilt('blocks')
    // With beats so far apart that it does not count as dead for as long as the verb looks.
    await deployment.announce('serve', () => ({ serves, knows: knowsTransactions }), 5_000)
    const { code, err } = await deployment.verb('promote', 'blocks')
    expect(err).toMatch(versioned(/elsewhere:7 \(9\.9\.9\) cannot answer from blocks vN; deploy .*\[version_unknown\]/))
    expect(code).toBe(1)
    expect((await deployment.plan()).readModels['blocks']?.serving).toBe(firstBuild)
  })

  it('leaves those behind that have no code for it, where it is told to and another one has', async () => {
    await deployment.adopt()
    const id = await deployment.addBuilt('blocks')
    await deployment.announce('serve', () => ({ serves: { blocks: '1' }, knows: { blocks: [1] } }))
    const alone = await deployment.verb('promote', 'blocks', '--leave-behind')
    expect(alone.err).toMatch(
      versioned(/elsewhere:7 \(9\.9\.9\) cannot answer from blocks vN; deploy .*\[version_unknown\]/),
    )
    await server()
    const promoting = deployment.verb('promote', 'blocks', '--leave-behind', '--json')
    const [done] = await Promise.all([promoting, followPlan('blocks', id)])
    expect(done.err).toBe('')
    const { data } = JSON.parse(done.out)
    expect(data).toMatchObject({ changed: true, behind: ['elsewhere:7 (9.9.9)'] })
    expect(data.followed).toHaveLength(1)
  })

  it('is refused while those that keep the read model up to date have no code for it, unless it is a way back', async () => {
    await deployment.adopt()
    const id = await deployment.addBuilt('blocks')
    await deployment.announce('project', () => ({ runs: [], knows: knowsTransactions }), 5_000)
    await changePlan(deployment.control, (plan) => promote(plan, [{ name: 'blocks', id }]))
    await deployment.announce('project', () => ({ runs: [], knows: { blocks: [versionOf('blocks') + 5] } }), 5_000)
    const back = await deployment.verb('rollback', 'blocks')
    expect(back.out, back.err).toMatch(versioned(/^Rolled back: blocks vN /))
    const { code, err } = await deployment.verb('promote', 'blocks', '--version', id)
    expect(err).toMatch(
      versioned(/elsewhere:7 \(9\.9\.9\) cannot keep blocks vN\.2 up to date; deploy .*\[version_unknown\]/),
    )
    expect(code).toBe(1)
    expect((await deployment.plan()).readModels['blocks']?.serving).toBe(firstBuild)
  })

  it('says later which process did not follow, and how to go back', async () => {
    await deployment.adopt()
    await deployment.addBuilt('blocks')
    await server()
    const { code, err } = await deployment.verb('promote', 'blocks', '--wait', '1')
    expect(err).toMatch(/elsewhere:7 \(9\.9\.9\) does not serve it yet; .*projections rollback.*\[not_followed\]/)
    expect(code).toBe(75)
  })

  it('names processes that hang, and takes one that has died neither for serving nor for hanging', async () => {
    await deployment.adopt()
    const id = await deployment.addBuilt('blocks')
    const beatAt = new Date(Date.now() - 20_000).toISOString()
    const left = { role: 'serve', codeVersion: '9.9.9', startedAt: beatAt, beatAt, beat: 5, intervalMs: 1_000, knows }
    // One that this test ran to its end cannot hang.
    const { pid: died } = spawnSync(process.execPath, ['--version'])
    const told = [
      { ...left, id: 'hanging', host: hostname(), pid: process.pid, serves: { blocks: firstBuild } },
      { ...left, id: 'keeper', role: 'project', host: 'another', pid: 8, runs: [] },
      { ...left, id: 'died', host: hostname(), pid: died, serves: { blocks: id } },
    ]
    for (const each of told) await deployment.control.put(`process/${each.id}`, JSON.stringify(each), 0)
    const [done] = await Promise.all([deployment.verb('promote', 'blocks'), followPlan('blocks', id)])
    expect(done.out).toMatch(versioned(/^Promoted: blocks vN\.2 serves; no process serves requests now\n/))
    expect(done.out).toMatch(
      new RegExp(
        `:${process.pid} \\(9\\.9\\.9\\) gives no sign of life for \\d+ s: .*; waking up, it would answer from blocks v${firstBuild} for a moment, not from blocks v${secondBuild}\\. `,
      ),
    )
    expect(done.out).toMatch(
      /^project another:8 .* gives no sign of life for \d+ s: it hangs or was killed\. Nobody waits for it; look at its log, and stop it$/m,
    )
    expect(done.out.match(/no sign of life/g)).toHaveLength(2)
    const back = await deployment.verb('rollback', 'blocks')
    expect(back.out).toMatch(
      versioned(
        /^Rolled back: blocks vN serves; no process serves requests now\n.* gives no sign of life for \d+ s: it hangs or was killed\. /,
      ),
    )
    expect([done.code, back.code]).toEqual([0, 0])
  })

  it('says that another operator has reversed it meanwhile', async () => {
    await deployment.adopt()
    await deployment.addBuilt('blocks')
    await server()
    const promoting = deployment.verb('promote', 'blocks')
    const isPromoted = async () => expect((await deployment.plan()).readModels['blocks']?.serving).toBe(secondBuild)
    await vi.waitFor(isPromoted, { timeout: 20_000, interval: 20 })
    await changePlan(deployment.control, (plan) => rollBack(plan, ['blocks']))
    const { code, err } = await promoting
    expect(err).toMatch(
      versioned(
        /blocks vN\.2 does not serve any more: another operator has rolled it back to vN meanwhile; .*\[operation_refused\]/,
      ),
    )
    expect(code).toBe(1)
  })

  it('moves several read models in one step, and none when one of them cannot move', async () => {
    await deployment.adopt()
    const id = await deployment.addBuilt('blocks')
    const refused = await deployment.verb('promote', 'blocks', 'transactions')
    expect(refused.err).toMatch(/transactions has no other built instance; .*rebuild transactions/)
    expect((await deployment.plan()).readModels['blocks']?.serving).toBe(firstBuild)
    await deployment.addBuilt('transactions')
    const done = await deployment.verb('promote', 'blocks', 'transactions')
    expect(done.out).toMatch(
      versioned(/^Promoted: blocks vN\.2 and transactions vN\.2 serve; no process serves requests now\n/),
    )
    expect((await deployment.plan()).readModels['blocks']).toMatchObject({ serving: id, previous: firstBuild })
  })

  it('changes nothing with --dry-run', async () => {
    await deployment.adopt()
    await deployment.addBuilt('blocks')
    const { code, out } = await deployment.verb('promote', 'blocks', '--dry-run')
    expect({ code, out }).toEqual({ code: 0, out: versioned('blocks vN.2 could serve now; nothing was changed\n') })
    expect((await deployment.plan()).readModels['blocks']?.serving).toBe(firstBuild)
  })
})

describe('prune', () => {
  it('refuses what serves', async () => {
    await deployment.adopt()
    const { code, err } = await deployment.verb('prune', 'blocks', '--version', firstBuild)
    expect(err).toMatch(
      versioned(/blocks vN serves; promote another instance before it is pruned \[operation_refused\]/),
    )
    expect(code).toBe(1)
  })

  it('waits until the last process that reads the instance has gone on, then removes its rows', async () => {
    await deployment.record([])
    await deployment.adopt()
    const id = await deployment.addBuilt('blocks')
    await server()
    await Promise.all([deployment.verb('promote', 'blocks'), followPlan('blocks', id)])
    serves = { ...serves, blocks: firstBuild }
    const rows = join(deployment.folder.store, versioned('blocks@N.sqlite'))
    expect(existsSync(rows)).toBe(true)
    const late = await deployment.verb('prune', 'blocks', '--wait', '1')
    expect(late.err).toMatch(
      versioned(/elsewhere:7 \(9\.9\.9\) still uses it; .*prune blocks --version N.*\[not_followed\]/),
    )
    expect(late.code).toBe(75)
    expect(existsSync(rows)).toBe(true)
    serves = { ...serves, blocks: id }
    const done = await deployment.verb('prune', 'blocks', '--version', firstBuild)
    expect(done.out).toMatch(versioned(/^Removed blocks vN; next: /))
    expect(existsSync(rows)).toBe(false)
    expect((await deployment.plan()).readModels['blocks']).toMatchObject({ serving: id, previous: null })
    expect((await deployment.verb('prune', 'blocks')).out).toMatch(/^Nothing to prune/)
    const again = await deployment.verb('prune', 'blocks', '--version', firstBuild)
    expect(again.err).toMatch(
      versioned(/blocks vN was pruned before, and nothing is left of it; .*\[operation_refused\]/),
    )
    const never = await deployment.verb('prune', 'blocks', '--version', instanceId('blocks', 7), '--dry-run')
    expect(never.err).toMatch(versioned(/There is no blocks vN\.7; there are vN\.2 \[operation_refused\]/))
    expect([again.code, never.code]).toEqual([1, 1])
  })

  it('waits for a process that has only just begun with the instance, and does not say so yet', async () => {
    await deployment.record([])
    await deployment.adopt()
    const id = await deployment.addBuilt('blocks')
    const store = openSqliteReadStore({ folder: deployment.folder.store })
    const writer = await store.openWriter({ ...blocksSchema, build: 2 })
    const pruning = deployment.verb('prune', 'blocks')
    await vi.waitFor(
      async () => expect((await deployment.plan()).readModels['blocks']?.instances[id]).toBeUndefined(),
      {
        timeout: 20_000,
      },
    )
    expect(await Promise.race([pruning, sleep(500)])).toBeUndefined()
    await writer.close()
    await store.close()
    expect(await pruning).toMatchObject({ code: 0, out: expect.stringContaining(`Removed blocks v${id}`) })
  })
})

describe('pause and resume', () => {
  const running: RunningInstance = {
    name: 'blocks',
    id: firstBuild,
    version: versionOf('blocks'),
    build: 1,
    generation: 1,
    state: 'following',
    epoch: 3,
    position: 0,
    head: 0,
    eventsPerSecond: 0,
  }

  it('wait until the owner has let go, and has taken it up again', async () => {
    await deployment.adopt()
    const figures = async () =>
      (await deployment.plan()).readModels['blocks']?.instances[firstBuild]?.paused ? [] : [running]
    let runs: readonly RunningInstance[] = [running]
    await deployment.announce('project', () => ({ runs }))
    const following = setInterval(async () => {
      runs = await figures()
    }, 20)
    const paused = await deployment.verb('pause', 'blocks')
    expect(paused.out).toBe(
      `Paused blocks v${firstBuild}; next: ledger-history projections resume blocks --data ${deployment.path}\n`,
    )
    expect((await deployment.verb('status')).out).toMatch(versioned(/blocks vN .*SERVING paused .*no owner/))
    const resumed = await deployment.verb('resume', 'blocks')
    expect(resumed.out).toMatch(versioned(/^Resumed blocks vN, run by elsewhere:7 \(9\.9\.9\); next: /))
    clearInterval(following)
    const again = await deployment.verb('resume', 'blocks')
    expect(again.err).toMatch(
      versioned(/blocks vN is not paused; "ledger-history projections status" .*\[operation_refused\]/),
    )
    expect(again.code).toBe(1)
  })

  it('name the owner that does not let go', async () => {
    await deployment.adopt()
    await deployment.announce('project', () => ({ runs: [running] }))
    const { code, err } = await deployment.verb('pause', 'blocks', '--wait', '1')
    expect(err).toMatch(
      versioned(/blocks vN is paused in the plan, but elsewhere:7 \(9\.9\.9\) has not let go of it yet/),
    )
    expect(code).toBe(75)
  })

  it('of a verification are undone by Ctrl-C', async () => {
    await deployment.adopt()
    await deployment.announce('project', () => ({ runs: [running] }))
    const program = deployment.start('projections', 'verify', 'blocks')
    const isPaused = async () => (await deployment.plan()).readModels['blocks']?.instances[firstBuild]?.paused
    await vi.waitFor(async () => expect(await isPaused()).toBe(true), { timeout: 20_000, interval: 20 })
    const { code, err } = await program.stop('SIGINT')
    expect(err).toMatch(/has not let go of it yet/)
    expect(code).toBe(75)
    expect(await isPaused()).toBe(false)
  })

  it('say when nobody is there to take it up', async () => {
    await deployment.adopt()
    await deployment.verb('pause', 'blocks')
    const paused = await deployment.verb('pause', 'blocks')
    expect(paused.err).toMatch(
      versioned(/blocks vN is paused already, .* run "ledger-history projections resume blocks /),
    )
    expect(paused.code).toBe(1)
    const { out } = await deployment.verb('resume', 'blocks')
    expect(out).toMatch(
      versioned(/^Resumed blocks vN, but no process has taken it up; next: ledger-history project --data /),
    )
  })
})

describe('status', () => {
  it('says where instances stand although the broker is away', async () => {
    await deployment.adopt()
    const away = ['--log', 'kafka', '--kafka-brokers', '127.0.0.1:1']
    const { out, err, code } = await deployment.verb('status', '--json', ...away)
    expect(code, err).toBe(0)
    const { instances, problems } = JSON.parse(out)
    expect(instances[0]).toMatchObject({ name: 'transactions', position: 0, head: null, lagEvents: null })
    expect(problems).toHaveLength(1)
  })
})

describe('every verb', () => {
  it('names the read models and instances there are when it is given others', async () => {
    await deployment.adopt()
    const { code, err } = await deployment.verb('parked', 'list', 'blcoks')
    expect(err).toMatch(/There is no read model blcoks; there are transactions, blocks, .*\[operation_refused\]/)
    expect(code).toBe(1)
    const instance = await deployment.verb('verify', 'blocks', '--version', '77')
    expect(instance.err).toMatch(versioned(/There is no blocks v77; there are vN \[operation_refused\]/))
    const odd = await deployment.verb('promote', 'blocks', '--version', 'newest')
    expect(odd.err).toMatch(/--version must be a version such as 2, .* not "newest" \[config_invalid\]/)
  })

  it('says what to do where nothing was built', async () => {
    const status = await deployment.verb('status')
    expect(status.out).toMatch(/^No read model was built here yet; next: ledger-history project --data /)
    const rebuild = await deployment.verb('rebuild', 'blocks')
    expect(rebuild.err).toMatch(/No read model was built here yet; run "ledger-history project" first/)
  })
})
