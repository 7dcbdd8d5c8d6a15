import { cpSync, existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { importStateOf } from '#src/importer/state/state-schema.ts'
import { chainOf, eachDeployment, importing, type TestDeployment } from '#test/cli/late-mirror.ts'
import { dateOf, fillMiddleGap, fixDecoding, printedRepair } from '#test/cli/repair-stories.ts'
import { until } from '#test/importer/import-world.ts'

let folder: string
let deployment: TestDeployment

eachDeployment((begun) => {
  deployment = begun
  folder = begun.folder
})

describe('blocks that are missing in the middle', () => {
  it('are brought by the printed commands, whatever start date made the gap', () => fillMiddleGap(deployment), 120_000)
})

describe('transactions that an older release did not understand', () => {
  it('are found by one that does, and written anew by the printed commands', () => fixDecoding(deployment), 120_000)
})

describe('a generation that begins later than the serving one', () => {
  it('is not promoted unless the loss is accepted', async () => {
    const files = chainOf(4)
    deployment.writeFiles(files)
    await deployment.succeed(...importing, '--once')
    const shortened = ['--source', 'streams', '--once', '--start-date', dateOf(files[1]!)]
    await deployment.succeed('import', 'republish', ...shortened)
    expect(await deployment.run('import', 'promote', '2')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/generation 2 begins with block 3 .*, behind block 1 .*import prune 2.*--allow-older/),
    })
    await deployment.succeed('import', 'promote', '2', '--allow-older')
  }, 60_000)
})

describe('a generation that was pruned', () => {
  it('has a number that is not used again, and an interrupted prune is finished by another', async () => {
    deployment.writeFiles(chainOf(2))
    await deployment.succeed(...importing, '--once')
    const again = ['import', 'republish', '--source', 'streams', '--once']
    await deployment.succeed(...again)
    await deployment.succeed('import', 'prune', '2')
    expect(await deployment.succeed(...again)).toMatch(/^Writing log generation 3, /)
    // As if it had been killed before the log was removed.
    await (await deployment.engines.openLog(2)).close()
    expect(existsSync(join(folder, 'data', 'log', 'g2', 'log.sqlite'))).toBe(true)
    await deployment.succeed('import', 'prune', '2')
    expect(existsSync(join(folder, 'data', 'log', 'g2'))).toBe(false)
    for (const flags of [[], ['--dry-run']])
      expect(await deployment.run('import', 'prune', '2', ...flags)).toMatchObject({
        code: 1,
        err: expect.stringMatching(
          /Log generation 2 was pruned before, and nothing is left of it; .*import status.*\[operation_refused\]/,
        ),
      })
    expect(await deployment.run('import', 'prune', '7')).toMatchObject({ code: 1 })
    expect(await deployment.run('import', 'detect-gaps', '--generation', '2')).toMatchObject({
      code: 78,
      err: expect.stringContaining('There is no generation 2 of the log; there are 1, 3.'),
    })
  }, 60_000)

  it('is not made anew by a republish that stood by', async () => {
    deployment.writeFiles(chainOf(2))
    await deployment.succeed(...importing, '--once')
    const again = ['import', 'republish', '--source', 'streams']
    const one = deployment.begin(...again)
    await one.printed(/Next:/)
    const other = deployment.begin(...again)
    await until(() => other.err.includes('another importer is at work; this one stands by'))
    await deployment.succeed('import', 'prune', '2')
    for (const program of [one, other]) {
      expect(await program.finished).toMatchObject({ code: 0, out: expect.stringContaining('generation 2 was pruned') })
    }
    expect(existsSync(join(folder, 'data', 'log', 'g2'))).toBe(false)
    const { readStore, close } = await deployment.engines.openStores()
    const reader = await readStore.openReader(importStateOf(2))
    expect(await reader.checkpoint()).toBeUndefined()
    await reader.close()
    await close()
  }, 60_000)
})

describe('a log where the next generation would be written', () => {
  it('is not gone on with, since nobody knows what it holds', async () => {
    deployment.writeFiles(chainOf(2))
    await deployment.succeed(...importing, '--once')
    const log = join(folder, 'data', 'log')
    cpSync(join(log, 'log.sqlite'), join(log, 'g2', 'log.sqlite'))
    expect(await deployment.run('import', 'republish', '--source', 'streams', '--once')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/g2 of the next generation, 2, holds events already .* \[operation_refused\]/),
    })
    const { generations } = JSON.parse(await deployment.succeed('import', 'status', '--json'))
    expect(generations).toMatchObject([{ generation: 1 }])
  }, 60_000)
})

describe('a retired log that was damaged', () => {
  it('does not keep the serving one from growing', async () => {
    const files = chainOf(3)
    deployment.writeFiles(files.slice(0, 2))
    await deployment.succeed(...importing, '--once')
    await deployment.succeed('import', 'republish', '--source', 'streams', '--once')
    await deployment.succeed('import', 'promote', '2')
    for (const end of ['-wal', '-shm']) rmSync(join(folder, 'data', 'log', `log.sqlite${end}`), { force: true })
    writeFileSync(join(folder, 'data', 'log', 'log.sqlite'), 'no database at all'.repeat(1_000))
    deployment.writeFiles(files)
    expect(await deployment.succeed(...importing, '--once')).toMatch(/^Imported 1 block /)
    expect(await deployment.headOf(2)).toBe(3 + 2 * 3)
  }, 60_000)
})

describe('files behind the end of the log', () => {
  it('are brought by the printed command, which knows the network', async () => {
    const files = chainOf(3)
    deployment.writeFiles(files)
    await deployment.succeed(...importing, '--once', '--end-date', dateOf(files[1]!))
    const within = await deployment.succeed(
      'import',
      'detect-gaps',
      '--source',
      'streams',
      '--end-date',
      dateOf(files[1]!),
    )
    expect(within).toMatch(/^No gap: 2 blocks/)
    const line = await printedRepair(deployment, '--source', 'streams')
    expect(line).toMatch(/^ledger-history import run --once .*--network demo$/)
    await deployment.runPrinted(line)
    expect(await deployment.succeed('import', 'detect-gaps', '--source', 'streams')).toMatch(/^No gap: 3 blocks/)
  }, 60_000)
})
