import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { chainOf, eachDeployment, importing, type TestDeployment } from '#test/cli/late-mirror.ts'
import { askUntil } from '#test/cli/support.ts'
import { instanceId } from '#test/support/read-model-versions.ts'

// Every verb is a process of its own, which takes its time to start on a busy machine.
vi.setConfig({ testTimeout: 240_000 })

interface Blocks {
  readonly blocks: readonly { readonly number: number }[]
}

let folder: string
let deployment: TestDeployment

eachDeployment((begun) => {
  deployment = begun
  folder = begun.folder
})

const refused =
  /No plan is known in \S+control\.sqlite.*generation 1 in \S+log, generation 2 in \S+g2; .*import promote <generation> --without-plan.*\[plan_lost\]/

describe('control.sqlite lost while a second generation serves', () => {
  it('stops every verb and role with what lies there, imports nothing, and is made anew from it', async () => {
    deployment.writeFiles(chainOf(5))
    await deployment.succeed(...importing, '--once')
    await deployment.succeed('project', '--once', '--network', 'demo')
    const republish = await deployment.succeed('import', 'republish', '--source', 'streams', '--once')
    const [, rebuild, promote] = /Next:\n {2}(.*)\n {2}(.*)\n/.exec(republish) ?? []
    await deployment.runPrinted(rebuild!)
    await deployment.runPrinted(promote!)
    const before = [await deployment.headOf(1), await deployment.headOf(2)]
    const store = join(folder, 'data', 'store')
    for (const name of readdirSync(store)) if (name.startsWith('control.sqlite')) rmSync(join(store, name))

    const source = ['--source', 'streams', '--network', 'demo']
    const attempts = [
      ['start', '--port', '0', ...source],
      [...importing, '--once'],
      ['project', '--once', '--network', 'demo'],
      ['serve', '--port', '0', '--network', 'demo'],
      ['import', 'status'],
      ['projections', 'status'],
      ['import', 'promote', '2'],
    ]
    for (const args of attempts) {
      const { code, err } = await deployment.run(...args)
      expect(err, args.join(' ')).toMatch(refused)
      expect(code, args.join(' ')).toBe(1)
    }
    expect([await deployment.headOf(1), await deployment.headOf(2)]).toEqual(before)
    expect(existsSync(join(folder, 'data', 'log', 'g3'))).toBe(false)

    expect(await deployment.succeed('import', 'promote', '2', '--without-plan')).toMatch(
      /^Log generation 2 serves by a new plan; kept beside it: 1\. /,
    )
    expect(await deployment.run('import', 'promote', '2', '--without-plan')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/has a plan; .*\[operation_refused\]/),
    })
    expect(JSON.parse(await deployment.succeed('import', 'status', '--json'))).toMatchObject({
      generations: [
        { generation: 1, state: 'retired' },
        { generation: 2, state: 'serving' },
      ],
    })
    const running = deployment.begin('start', '--port', '0', ...source)
    const [, url] = await running.printed(/requests begin with (http:\S+)\/api\/v1/)
    await askUntil<Blocks>(`${url}/api/v1/blocks?limit=1`, ({ blocks }) => blocks?.[0]?.number === 5)
    const { readModels } = (await (await fetch(`${url}/health/readiness`)).json()) as {
      readModels: { name: string; instance: string; generation: number }[]
    }
    // The builds that were made from the second generation, not those of the first, nor new ones.
    expect(readModels.find(({ name }) => name === 'blocks')).toMatchObject({
      instance: instanceId('blocks', 2),
      generation: 2,
    })
    expect((await running.stop()).code).toBe(0)
  })

  it('is no reason to stop where the first generation is the only one', async () => {
    deployment.writeFiles(chainOf(2))
    await deployment.succeed(...importing, '--once')
    const store = join(folder, 'data', 'store')
    for (const name of readdirSync(store)) if (name.startsWith('control.sqlite')) rmSync(join(store, name))
    expect(JSON.parse(await deployment.succeed('import', 'status', '--json'))).toMatchObject({ latestBlock: 2 })
  })
})
