import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { permissionFlags } from '#src/adapters/solc/compiler-process.ts'
import { compilerText, startCompiler, writeCompiler } from '#test/adapters/solc/made-compiler.ts'
import { temporaryFolder } from '#test/support/temporary-folder.ts'

const root = join(import.meta.dirname, '../../..')
const probe = join(import.meta.dirname, 'hostile-probe.ts')
const run = promisify(execFile)

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let server: Server
let connections = 0

beforeAll(async () => {
  folder = await temporaryFolder()
  server = createServer((_, response) => response.end()).on('connection', () => connections++)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
beforeEach(() => {
  connections = 0
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await folder.remove()
})

const port = () => (server.address() as AddressInfo).port

/** What hostile code in a process gets, begun with these flags. */
async function probed(mode: 'locked' | 'open', flags: readonly string[]): Promise<Readonly<Record<string, string>>> {
  const given = [mode, `http://127.0.0.1:${port()}`, String(port()), folder.path]
  const { stdout } = await run(process.execPath, [...flags, '--disable-warning=ExperimentalWarning', probe, ...given])
  return JSON.parse(stdout)
}

const permitted = () => permissionFlags([join(root, 'src/adapters/solc/child/'), join(root, 'package.json'), probe])

describe('hostile code in the process of a compiler', () => {
  it('would get everything if nothing kept it', async () => {
    const got = await probed('open', [])
    for (const [name, result] of Object.entries(got)) expect(`${name}: ${result}`).toMatch(/: got /)
    expect(connections).toBeGreaterThanOrEqual(2)
    for (const name of ['written', 'run']) expect(existsSync(join(folder.path, name))).toBe(true)
  })

  it('is refused files, processes and threads by permissions alone, even where it gets hold of Node', async () => {
    const got = await probed('open', permitted())
    for (const name of ['read', 'write', 'run', 'thread', 'evaluate'])
      expect(`${name}: ${got[name]}`).toMatch(/refused/)
  })

  it("reaches nothing once the process is locked down, not even outside of the compiler's realm", async () => {
    const got = await probed('locked', permitted())
    for (const [name, result] of Object.entries(got)) expect(`${name}: ${result}`).toMatch(/: refused: /)
    expect(connections).toBe(0)
  })
})

describe('hostile code in place of a compiler', () => {
  /** What JavaScript gets that is loaded as a compiler. */
  async function answerOf(code: string): Promise<string> {
    const compiler = startCompiler(folder.path, writeCompiler(folder.path, compilerText(code)))
    try {
      return await compiler.compile(String(port()))
    } finally {
      compiler.end(new Error('over'))
      await compiler.ended
    }
  }

  it('finds a language and nothing else', async () => {
    const names = [
      'process',
      'require',
      'module',
      'fetch',
      'WebSocket',
      'XMLHttpRequest',
      'Buffer',
      'setTimeout',
      'Worker',
      'navigator',
    ]
    const code = `return JSON.stringify(${JSON.stringify(names)}.filter(function (name) { return name in globalThis }))`
    await expect(answerOf(code)).resolves.toBe('[]')
  })

  it.each([
    ['the constructor of functions', `return globalThis.constructor.constructor('return process')().pid`],
    [
      'that of an object of the process',
      `return Object.getPrototypeOf(globalThis).constructor.constructor('return process')().pid`,
    ],
    ['eval', `return (0, eval)('process').pid`],
  ])('does not break out by %s', async (_, code) => {
    await expect(answerOf(code)).rejects.toThrow(/Code generation from strings disallowed/)
  })

  it('does not find who called it', async () => {
    const code = `
      var seen = []
      Error.prepareStackTrace = function (error, sites) {
        for (var i = 0; i < sites.length; i++) seen.push(sites[i].getThis(), sites[i].getFunction())
        return ''
      }
      new Error().stack
      try { null.x } catch (error) { error.stack }
      return seen.some(function (each) {
        var realm = each && each.constructor && each.constructor.constructor
        try { return realm && realm('return process')() } catch (error) { return false }
      })`
    await expect(answerOf(code)).resolves.toBe('false')
  })

  it('imports nothing', async () => {
    const code = `
      import('node:fs').then(function (fs) { fs.writeFileSync('${folder.path}/imported', '') })
      import('node:net').then(function (net) { net.connect(Number(input)) })
      return 'asked'`
    await expect(answerOf(code)).resolves.toBe('asked')
    expect([existsSync(join(folder.path, 'imported')), connections]).toEqual([false, 0])
  })
})
