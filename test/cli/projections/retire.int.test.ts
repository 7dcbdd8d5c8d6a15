import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openSqliteLog } from '#src/adapters/sqlite/message-log.ts'
import { openSqliteReadStore } from '#src/adapters/sqlite/read-store.ts'
import { adopt, rollBack } from '#src/operations/decide.ts'
import { changePlan } from '#src/operations/plan-store.ts'
import { instanceId, versioned } from '#test/support/read-model-versions.ts'
import { TestDeployment } from './deployment.ts'

let deployment: TestDeployment

/** A read model that an earlier release had, with rows of two versions and what it published. */
async function withFormerModel(): Promise<readonly string[]> {
  await deployment.adopt()
  await changePlan(deployment.control, (plan) =>
    adopt(plan, [{ name: 'former', version: 2 }], '2026-01-01T00:00:00.000Z'),
  )
  await changePlan(deployment.control, (plan) => ({
    ...plan,
    readModels: { ...plan.readModels, former: { ...plan.readModels['former']!, builds: { 1: 1, 2: 1 } } },
  }))
  const store = openSqliteReadStore({ folder: deployment.folder.store })
  for (const version of [1, 2]) await (await store.openWriter({ name: 'former', version, collections: {} })).close()
  await store.close()
  const output = join(deployment.folder.log, 'former-events')
  await (await openSqliteLog({ folder: output }).openWriter()).close()
  return [...[1, 2].map((version) => join(deployment.folder.store, `former@${version}.sqlite`)), output]
}

beforeEach(() => {
  deployment = new TestDeployment()
})
afterEach(() => deployment.close())

describe('retire', () => {
  it('removes rows of every version, what was published when asked, and its place in the plan', async () => {
    const [first, second, output] = (await withFormerModel()) as [string, string, string]
    const dry = await deployment.verb('retire', 'former', '--output', 'former-events', '--dry-run')
    expect(dry.out).toBe(`Would remove former v2, former v1, output ${output}, and forget former\n`)
    expect([first, second, output].map(existsSync)).toEqual([true, true, true])
    const done = await deployment.verb('retire', 'former', '--output', 'former-events', '--json')
    expect(done.code, done.err).toBe(0)
    expect(JSON.parse(done.out)).toMatchObject({
      verb: 'projections retire',
      ok: true,
      data: { name: 'former', removed: ['former v2', 'former v1', `output ${output}`] },
      next: [expect.stringContaining('projections status')],
    })
    expect([first, second, output].map(existsSync)).toEqual([false, false, false])
    const { readModels } = await deployment.plan()
    expect(readModels['former']).toBeUndefined()
    expect(readModels['blocks']).toBeDefined()
    const again = await deployment.verb('retire', 'former')
    expect(again.err).toMatch(/There is no read model former; there are .*\[operation_refused\]/)
  })

  it('leaves what was published unless asked', async () => {
    const [, , output] = (await withFormerModel()) as [string, string, string]
    expect((await deployment.verb('retire', 'former')).code).toBe(0)
    expect(existsSync(output)).toBe(true)
  })

  it('refuses what this code has, and would build again', async () => {
    await deployment.adopt()
    const { code, err } = await deployment.verb('retire', 'blocks')
    expect(err).toMatch(versioned(/This code still has blocks vN, and would build it again; .*\[operation_refused\]/))
    expect(code).toBe(1)
  })

  it('removes nothing while a process of an older release has it', async () => {
    const [first] = (await withFormerModel()) as [string]
    await deployment.announce('serve', () => ({ serves: {}, knows: { former: [2] } }))
    const { code, out } = await deployment.verb('retire', 'former', '--wait', '1', '--json')
    expect(code).toBe(75)
    expect(JSON.parse(out)).toMatchObject({
      ok: false,
      error: { code: 'not_followed', mayPass: true, exitCode: 75, message: expect.stringContaining('elsewhere:7') },
    })
    expect(existsSync(first)).toBe(true)
  })
})

describe('--all', () => {
  it('promotes and rolls back every read model that can be, in one step, and says where none can', async () => {
    await deployment.adopt()
    const none = await deployment.verb('promote', '--all')
    expect(none.err).toMatch(/No read model has a newer built instance; .*\[operation_refused\]/)
    await deployment.addBuilt('blocks')
    await deployment.addBuilt('topics')
    const done = await deployment.verb('promote', '--all', '--json')
    expect(JSON.parse(done.out)).toMatchObject({
      verb: 'projections promote',
      ok: true,
      data: {
        changed: true,
        instances: [
          { name: 'blocks', id: instanceId('blocks', 2) },
          { name: 'topics', id: instanceId('topics', 2) },
        ],
      },
    })
    const back = await deployment.verb('rollback', '--all', '--dry-run')
    expect(back.out).toBe(versioned('blocks vN and topics vN could serve now; nothing was changed\n'))
    await changePlan(deployment.control, (plan) => rollBack(plan, ['blocks']))
    expect((await deployment.verb('rollback', '--all')).out).toMatch(versioned(/^Rolled back: topics vN serves/))
  }, 60_000)

  it('prunes what serves nowhere, and says of what stays why', async () => {
    await deployment.adopt()
    await deployment.addBuilt('blocks')
    const pruned = await deployment.verb('prune', '--all')
    expect(pruned.out).toMatch(versioned(/^Removed blocks vN\.2; next: /))
    expect((await deployment.verb('prune', 'blocks')).out).toBe(versioned('Nothing to prune: blocks vN serves\n'))
  })

  it.each(['promote', 'rollback', 'prune', 'rebuild'])(
    'of %s is instead of names, not beside them',
    async (verb) => {
      await deployment.adopt()
      for (const args of [[], ['blocks', '--all']]) {
        const { code, err } = await deployment.verb(verb, ...args)
        expect(err).toMatch(/Name the read models, or give --all for every one \[config_invalid\]/)
        expect(code).toBe(78)
      }
    },
    30_000,
  )
})
