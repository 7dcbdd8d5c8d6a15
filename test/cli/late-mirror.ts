import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect } from 'vitest'
import { allProjections } from '#projections/index.ts'
import { type Engines, enginesOf } from '#src/cli/engines.ts'
import { loadConfig } from '#src/config/load.ts'
import { decodeEvent } from '#src/events/codec.ts'
import { parseStreamFileName } from '#src/importer/record/file-name.ts'
import { silentLogger } from '#src/ports/logger.ts'
import { askUntil, type Finished, Program, run } from '#test/cli/support.ts'
import { addressBook, nodes, transfer } from '#test/importer/import-folder.ts'
import { until } from '#test/importer/import-world.ts'
import { chainV6, type TestFile, writeFile } from '#test/support/record-writer.ts'
import { temporaryFolder } from '#test/support/temporary-folder.ts'

const first = 1_700_000_000_000_000_000n

/** A deployment of its own for each test of a file, in a new folder: given to `begin`, and stopped and removed afterwards. */
export function eachDeployment(begin: (deployment: TestDeployment) => void | Promise<void>): void {
  let begun: { readonly deployment: TestDeployment; readonly remove: () => Promise<void> }
  beforeEach(async () => {
    const { path, remove } = await temporaryFolder()
    begun = { deployment: new TestDeployment(path), remove }
    await begin(begun.deployment)
  })
  afterEach(async () => {
    await begun.deployment.stop()
    await begun.remove()
  })
}

/** One deployment of our processes, on the engines that the flags name, with files of a network beside it. */
export class TestDeployment {
  readonly folder: string
  /** Settings that say where log and read models are, as on the command line. */
  readonly flags: readonly string[]
  readonly engines: Engines
  readonly #programs: Program[] = []

  constructor(folder: string, flags: readonly string[] = []) {
    this.folder = folder
    this.flags = flags
    const named: Record<string, string> = {}
    for (let at = 0; at < flags.length; at += 2) named[flags[at]!.slice(2)] = flags[at + 1]!
    const { config } = loadConfig({ flags: named, environment: {}, file: undefined })
    const data = join(folder, 'data')
    this.engines = enginesOf(
      config,
      { log: join(data, 'log'), store: join(data, 'store'), decisions: join(data, 'decisions') },
      silentLogger,
    )
  }

  writeFiles(files: readonly TestFile[]): void {
    const root = join(this.folder, 'streams')
    for (const file of files) writeFile(file, { root, nodes })
    writeFileSync(join(root, 'address-book.bin'), addressBook)
  }

  begin(...args: readonly string[]): Program {
    const program = new Program([...args, ...this.flags], { cwd: this.folder })
    this.#programs.push(program)
    return program
  }

  run(...args: readonly string[]): Promise<Finished> {
    return run([...args, ...this.flags], { cwd: this.folder })
  }

  /** Its output; expects that it does what it should. */
  async succeed(...args: readonly string[]): Promise<string> {
    const { code, out, err } = await this.run(...args)
    expect(code, `${args.join(' ')}\n${err}`).toBe(0)
    return out
  }

  /** Runs a command that was printed, as a person would copy it. */
  async runPrinted(line: string): Promise<string> {
    const { code, out, err } = await run(wordsOf(line), { cwd: this.folder })
    expect(code, `${line}\n${err}`).toBe(0)
    return out
  }

  /** The same for one that goes on. */
  beginPrinted(line: string): Program {
    const program = new Program(wordsOf(line), { cwd: this.folder })
    this.#programs.push(program)
    return program
  }

  async headOf(generation: number): Promise<number> {
    const log = await this.engines.openLog(generation)
    const { sequence } = await log.head()
    await log.close()
    return sequence
  }

  async lastEventOf(generation: number): Promise<{ type: string; event: object } | undefined> {
    const log = await this.engines.openLog(generation)
    try {
      const { sequence } = await log.head()
      const read = { after: sequence - 1, countMax: 1, bytesMax: 1, follow: false }
      for await (const { records } of log.read(read)) {
        for (const record of records) return { type: record.type, event: decodeEvent(record) }
      }
      return undefined
    } finally {
      await log.close()
    }
  }

  /** Ends what still runs. */
  async stop(): Promise<void> {
    for (const { child, finished } of this.#programs) {
      // A stopped process is killed all the same.
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
      await finished
    }
  }
}

/** The arguments of a printed command, as a shell takes it apart. */
export function wordsOf(line: string): string[] {
  const [program, ...args] = [...line.trim().matchAll(/(?:'[^']*'|[^\s'])+/g)].map(([word]) => word.replaceAll("'", ''))
  expect(program).toBe('ledger-history')
  return args
}

/** Files of one transfer each, numbered from 1. */
export function chainOf(count: number): TestFile[] {
  return chainV6({ first, number: 1n, items: Array.from({ length: count }, () => transfer) })
}

export const importing = ['import', 'run', '--source', 'streams', '--network', 'demo'] as const

interface Blocks {
  readonly blocks: readonly { readonly number: number }[]
}

/**
 * A mirror that began late gets the history before its start in a new log generation, while importer, projector and API
 * go on; then the old log is pruned. Every step is the command that the step before has printed.
 */
export async function giveLateMirrorItsHistory(deployment: TestDeployment, nextLog: string): Promise<void> {
  const files = chainOf(9)
  deployment.writeFiles(files.slice(0, 7))
  const date = new Date(Number(parseStreamFileName(files[2]!.name)!.instant / 1_000_000n)).toISOString()
  const started = await deployment.succeed(...importing, '--once', '--start-date', date)
  expect(started).toMatch(/^Imported 4 blocks with 4 transactions; next: ledger-history project --once --network demo/)

  const running = [deployment.begin(...importing), deployment.begin('project')]
  const api = deployment.begin('serve', '--port', '0')
  const [, url] = await api.printed(/^API of network "demo" at (http\S+)\/api\/v1/)
  const oldestIs = (number: number) => blockIs(`${url}/api/v1/blocks?order=asc&limit=1`, number)
  const newestIs = (number: number) => blockIs(`${url}/api/v1/blocks?order=desc&limit=1`, number)
  await oldestIs(4)

  const gaps = await deployment.run('import', 'detect-gaps', '--source', 'streams')
  expect(gaps.code, gaps.err).toBe(1)
  expect(gaps.out).toMatch(/^The source has 3 files \(.*\) before the log's first block, block 4 /)
  expect(gaps.out).toMatch(
    /\n {2}repair: ledger-history import republish .*--source streams.* --reason 'earlier history'\n/,
  )

  const republish = deployment.begin('import', 'republish', '--source', 'streams', '--reason', 'earlier history')
  const [, rebuild, promote] = await republish.printed(/Next:\n {2}(.*)\n {2}(.*)\n/)
  expect(rebuild).toMatch(/^ledger-history projections rebuild [a-z -]*\btransactions\b[a-z -]* --generation 2/)
  await deployment.runPrinted(rebuild!)
  // The old log grows on meanwhile, and the new one with it.
  deployment.writeFiles(files.slice(7, 8))
  await newestIs(8)
  await oldestIs(4)
  expect(await deployment.runPrinted(promote!)).toMatch(
    /^Log generation 2 serves now; generation 1 is kept\n {2}way back:\n {4}ledger-history import promote 1 --allow-older/,
  )
  await oldestIs(1)
  expect(await republish.finished).toMatchObject({
    code: 0,
    out: expect.stringContaining('Log generation 2 is promoted'),
  })

  // The importer sees the plan a moment later; what it still appends to the old log is on the new one as well.
  await until(async () => (await deployment.lastEventOf(1))?.type === 'LogSuperseded')
  deployment.writeFiles(files.slice(8))
  await newestIs(9)
  expect(await deployment.lastEventOf(1)).toEqual({
    type: 'LogSuperseded',
    event: expect.objectContaining({ nextGeneration: 2, nextLog, reason: 'earlier history' }),
  })
  expect(JSON.parse(await deployment.succeed('import', 'status', '--json'))).toMatchObject({
    network: 'demo',
    latestBlock: 9,
    gaps: 0,
    generations: [
      { generation: 1, state: 'retired', latestBlock: 8 },
      { generation: 2, state: 'serving', latestBlock: 9, reason: 'earlier history' },
    ],
    processes: [{ state: 'importing', generation: 2 }],
  })
  expect(await deployment.succeed('import', 'detect-gaps', '--source', 'streams')).toMatch(/^No gap: 9 blocks/)

  expect(await deployment.run('import', 'prune', '1')).toMatchObject({
    code: 1,
    err: expect.stringMatching(
      /still has rows of log generation 1; run "ledger-history projections prune \w+" first \[operation_refused\]/,
    ),
  })
  await deployment.succeed('projections', 'prune', ...allProjections.map(({ schema }) => schema.name))
  await deployment.succeed('import', 'prune', '1')
  expect(JSON.parse(await deployment.succeed('import', 'status', '--json')).generations).toMatchObject([
    { generation: 2, state: 'serving' },
  ])
  for (const program of [...running, api]) expect((await program.stop()).code).toBe(0)
}

async function blockIs(address: string, number: number): Promise<void> {
  await askUntil<Blocks>(address, ({ blocks }) => blocks[0]?.number === number, 60_000)
}
