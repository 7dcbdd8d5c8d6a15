import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { parseStreamFileName } from '#src/importer/record/file-name.ts'
import { chainOf, eachDeployment, importing, type TestDeployment } from '#test/cli/late-mirror.ts'
import { nodes, transfer } from '#test/importer/import-folder.ts'
import { byAccount, chainV6, signatureName } from '#test/support/record-writer.ts'

let folder: string
let deployment: TestDeployment
const files = chainOf(4)

eachDeployment(async (begun) => {
  deployment = begun
  folder = begun.folder
  deployment.writeFiles(files)
  await deployment.succeed(...importing, '--once')
})

function changeLog(statement: string): void {
  const database = new DatabaseSync(join(folder, 'data', 'log', 'log.sqlite'))
  database.exec(statement)
  database.close()
}

describe('import verify', () => {
  it('holds a whole log against itself and against the signed files', async () => {
    expect(await deployment.succeed('import', 'verify')).toBe(
      'The log holds: 4 blocks in 11 events; no source was compared, name one with --source\n',
    )
    expect(await deployment.succeed('import', 'verify', '--source', 'streams')).toBe(
      'The log holds: 4 blocks in 11 events, as the signed files say\n',
    )
    const json = JSON.parse(await deployment.succeed('import', 'verify', '--source', 'streams', '--json'))
    expect(json).toEqual({
      generation: 1,
      events: 11,
      blocks: 4,
      uncheckedThrough: 0,
      compared: 11,
      outputs: [],
      findings: [],
    })
  }, 60_000)

  it('names a damaged chunk and its repair, as detect-gaps does', async () => {
    changeLog('UPDATE chunk SET data = zeroblob(length(data)) WHERE last_sequence = 11')
    for (const verb of ['verify', 'detect-gaps']) {
      const { code, out, err } = await deployment.run('import', verb, '--source', 'streams')
      expect(code, err).toBe(1)
      expect(out).toMatch(/cannot be read behind event 3: .* events 4 to 11 do not have the checksum/)
      expect(out).toMatch(/repair: ledger-history import republish --source streams --reason damage/)
    }
  }, 60_000)

  it('says what the log says otherwise than files whose signatures hold, and not which nodes it has them of', async () => {
    rmSync(join(folder, 'streams', byAccount(nodes[0]!), signatureName(files[1]!)))
    await deployment.succeed('import', 'verify', '--source', 'streams')
    deployment.writeFiles(files.slice(0, 2))
    const others = chainV6({
      first: parseStreamFileName(files[0]!.name)!.instant,
      number: 1n,
      items: [transfer, transfer, (time) => [...transfer(time), ...transfer(time + 1n)], transfer],
    })
    deployment.writeFiles(others)
    const { code, out, err } = await deployment.run('import', 'verify', '--source', 'streams')
    expect(code, err).toBe(1)
    expect(out).toMatch(
      /^Event 9 of the log is the BlockRecorded \w+, where the source has the TransactionRecorded \d+\n/,
    )
    expect(out).toMatch(
      /repair: ledger-history import republish --source streams --reason 'the log differs from its source'/,
    )
  }, 60_000)
})
