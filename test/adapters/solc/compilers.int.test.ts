import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addCompiler } from '#src/adapters/solc/add-compiler.ts'
import { getCompilerFile } from '#src/adapters/solc/compiler-files.ts'
import { openCompilers } from '#src/adapters/solc/compilers.ts'
import type { Compile } from '#src/ports/compilers.ts'
import { writeCompiler } from '#test/adapters/solc/made-compiler.ts'
import { temporaryFolder } from '#test/support/temporary-folder.ts'

const version = '0.8.28'
const { signal } = new AbortController()
let folder: Awaited<ReturnType<typeof temporaryFolder>>

beforeAll(async () => {
  folder = await temporaryFolder()
})
afterAll(() => folder.remove())

function inputOf(content: string, settings: object = {}): string {
  const outputSelection = { '*': { '*': ['evm.bytecode.object'] } }
  const sources = { '../a.sol': { content }, '/etc/b.sol': { content: 'contract B {}' } }
  return JSON.stringify({ language: 'Solidity', sources, settings: { ...settings, outputSelection } })
}

const errorsIn = (output: string): string =>
  (JSON.parse(output) as { errors: { message: string }[] }).errors.map(({ message }) => message).join('\n')

describe('compilers', () => {
  it('resolve imports from the given sources alone, whose names are no paths', async () => {
    const compilers = openCompilers({ folder: folder.path, limits: { spares: 0 } })
    const compileAll = async (compile: Compile) => [
      await compile(inputOf('import "/etc/b.sol"; contract A is B {}')),
      await compile(inputOf('import "/etc/hosts"; import "https://example.com/a.sol"; contract A {}')),
      await compile(JSON.stringify({ language: 'Solidity', sources: { a: { urls: ['/etc/hosts'] } } })),
    ]
    const [good, bad, urls] = await compilers.use(version, compileAll, signal)
    expect(JSON.parse(good!).contracts['../a.sol'].A.evm.bytecode.object).toMatch(/^6080/)
    expect(errorsIn(bad!)).toMatch(
      /Source "\/etc\/hosts" not found[\s\S]*Source "https:\/\/example.com\/a.sol" not found/,
    )
    expect(errorsIn(urls!)).toMatch(/import|callback/i)
    await compilers.close()
  })

  it('say which command adds one that is missing', async () => {
    const compilers = openCompilers({ folder: folder.path })
    const use = (wanted: string) => compilers.use(wanted, async () => 'used', signal)
    await expect(use('0.8.20')).rejects.toMatchObject({
      code: 'compiler_missing',
      message: 'Compiler 0.8.20 is not here; run "ledger-history verification compilers add 0.8.20"',
    })
    await expect(use('0.8.28+commit.00000000')).rejects.toThrow(/release 0.8.28 is 0.8.28\+commit.7893614a/)
    await expect(use('0.8.1')).rejects.toThrow(/releases 0.4.11 to 0.8.\d+ that are packages of npm/)
    await compilers.close()
  })

  it('end a hostile compilation in time, while others are answered', async () => {
    const compilers = openCompilers({ folder: folder.path, limits: { atOnce: 2, spares: 0, compileMs: 10_000 } })
    const functions = Array.from(
      { length: 6_000 },
      (_, n) => `function f${n}(uint a) public pure returns (uint) { return a * ${n} + a / 3; }`,
    )
    const hostile = inputOf(`contract A { ${functions.join('\n')} }`, { viaIR: true, optimizer: { enabled: true } })
    const ended = compilers.use(version, (compile) => compile(hostile), AbortSignal.timeout(3_000))
    const outcome = expect(ended).rejects.toMatchObject({ name: 'TimeoutError' })
    const answer = await compilers.use(version, (compile) => compile(inputOf('contract A {}')), signal)
    expect(answer).toContain('6080')
    await outcome
    await compilers.close()
  })

  it('load one for the next request of the version, which gets another process than the one before', async () => {
    const compilers = openCompilers({ folder: folder.path, limits: { spares: 1 } })
    const kept: Compile[] = []
    const use = () =>
      compilers.use(
        version,
        async (compile) => {
          kept.push(compile)
          return compile(inputOf('contract A {}'))
        },
        signal,
      )
    await use()
    expect(await use()).toContain('6080')
    for (const compile of kept) await expect(compile(inputOf('contract A {}'))).rejects.toThrow('handed back')
    await compilers.close()
  })

  it('give a request another process where the one that was loaded for it failed before', async () => {
    // What it compiles beforehand has more output than that.
    const compilers = openCompilers({ folder: folder.path, limits: { spares: 1, outputBytes: 5_000 } })
    const use = () => compilers.use(version, (compile) => compile(inputOf('contract A {}')), signal)
    expect([await use(), await use()]).toEqual([expect.stringContaining('6080'), expect.stringContaining('6080')])
    await compilers.close()
  })

  it('are closed with all that waits', async () => {
    const compilers = openCompilers({ folder: folder.path, limits: { atOnce: 1, spares: 0 } })
    const forever = () => new Promise<never>(() => {})
    const running = compilers.use(version, (compile) => compile(inputOf('contract A {}')).then(forever), signal)
    const waiting = compilers.use(version, forever, signal)
    const refused = [running, waiting].map((each) => expect(each).rejects.toMatchObject({ code: 'unavailable' }))
    await compilers.close()
    await Promise.all(refused)
  })
})

describe('a compiler that is added', () => {
  it('is kept where its sha256 is the pinned one', async () => {
    const added = join(folder.path, 'added')
    const { path: file } = getCompilerFile(added, version)
    const path = await addCompiler({ folder: added, version, file, signal })
    expect(getCompilerFile(added, version)).toMatchObject({ path, origin: 'added' })
    const compilers = openCompilers({ folder: added })
    expect((await compilers.list()).find((each) => each.version === version)).toMatchObject({ origin: 'added' })
    await compilers.close()
  })

  it('is not kept where it is another one', async () => {
    const added = join(folder.path, 'refused')
    mkdirSync(added)
    const { path: file } = writeCompiler(folder.path, 'another')
    await expect(addCompiler({ folder: added, version, file, signal })).rejects.toMatchObject({
      code: 'compiler_damaged',
      message: expect.stringContaining('nothing was added'),
    })
    expect(readdirSync(added)).toEqual([])
    const missing = addCompiler({ folder: added, version, file: join(added, 'none'), signal })
    await expect(missing).rejects.toMatchObject({ code: 'config_invalid' })
  })
})
