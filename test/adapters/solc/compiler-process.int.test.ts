import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CompilerFile } from '#src/adapters/solc/compiler-files.ts'
import type { CompilerLimits } from '#src/adapters/solc/limits.ts'
import { compilerText, startCompiler, writeCompiler } from '#test/adapters/solc/made-compiler.ts'
import { temporaryFolder } from '#test/support/temporary-folder.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>

beforeAll(async () => {
  folder = await temporaryFolder()
})
afterAll(() => folder.remove())

/** What a compiler that answers so answers. */
async function answerOf(
  answer: string,
  {
    limits,
    changes,
    input = 'x',
  }: Partial<{ limits: Partial<CompilerLimits>; changes: Partial<CompilerFile>; input: string }> = {},
): Promise<string> {
  const compiler = startCompiler(folder.path, writeCompiler(folder.path, compilerText(answer), changes), limits)
  try {
    return await compiler.compile(input)
  } finally {
    compiler.end(new Error('over'))
    await compiler.ended
  }
}

describe('the process of a compiler', () => {
  it('answers with what the compiler says, byte for byte', async () => {
    await expect(answerOf('return input + input', { input: 'ü→' })).resolves.toBe('ü→ü→')
  })

  it('compiles again with the same compiler', async () => {
    const compiler = startCompiler(folder.path, writeCompiler(folder.path, compilerText('return input.length')))
    expect([await compiler.compile('a'), await compiler.compile('bcd')]).toEqual(['1', '3'])
    compiler.end(new Error('over'))
    await expect(compiler.compile('e')).rejects.toThrow('over')
  })

  it('compiles something before it is asked, which whoever asks meanwhile waits for, and is of no use where that fails', async () => {
    const counting =
      'globalThis.count = (globalThis.count || 0) + 1; if (input === "fail") throw "broken"; return input + count'
    const start = () => startCompiler(folder.path, writeCompiler(folder.path, compilerText(counting)))
    const warm = start()
    warm.warmUp('first')
    expect([await warm.compile('a'), await warm.compile('b')]).toEqual(['a2', 'b3'])
    const broken = start()
    broken.warmUp('fail')
    await broken.warmed
    await expect(broken.compile('a')).rejects.toMatchObject({ code: 'compilation_failed' })
    expect(broken.isUsable).toBe(false)
    for (const each of [warm, broken]) each.end(new Error('over'))
  })

  it('is ended when a compilation takes too long', async () => {
    const begun = performance.now()
    await expect(answerOf('for (;;) {}', { limits: { compileMs: 400 } })).rejects.toMatchObject({
      code: 'compilation_limit',
      message: expect.stringContaining('longer than 400 ms'),
    })
    expect(performance.now() - begun).toBeLessThan(20_000)
  })

  it.each([
    ['in buffers', 'var kept = []; for (;;) kept.push(new Uint8Array(1 << 24).fill(1))'],
    [
      'in the memory of WebAssembly',
      'var memory = new WebAssembly.Memory({ initial: 1 }); for (;;) { memory.grow(64); new Uint8Array(memory.buffer).fill(1) }',
    ],
    ['in objects', 'var kept = []; for (;;) kept.push({ kept: [kept.length] })'],
  ])('is ended when a compilation takes too much memory %s', async (_, answer) => {
    await expect(answerOf(answer, { limits: { residentBytes: 192 * 1024 * 1024 } })).rejects.toMatchObject({
      code: 'compilation_limit',
      message: expect.stringContaining('201326592 bytes of memory'),
    })
  })

  it('takes no larger input, and gives no larger output, than it is told', async () => {
    const input = 'x'.repeat(1_001)
    await expect(answerOf('return 1', { limits: { inputBytes: 1_000 }, input })).rejects.toMatchObject({
      code: 'compilation_limit',
      message: expect.stringContaining('Its input has 1001 bytes, and 1000 are allowed'),
    })
    const limits = { outputBytes: 1_000 }
    await expect(answerOf('return "x".repeat(100000)', { limits })).rejects.toThrow(/output has 100000 bytes, and 1000/)
  })

  it('tells what a compiler threw', async () => {
    await expect(answerOf('throw new Error("abort(17)")')).rejects.toMatchObject({
      code: 'compilation_failed',
      message: expect.stringContaining('abort(17)'),
    })
    await expect(answerOf('throw { get message() { for (;;) {} } }')).rejects.toThrow('something that is no error')
  })

  it('runs no file but the one that the sha256 is of', async () => {
    await expect(answerOf('return 1', { changes: { sha256: '00'.repeat(32) } })).rejects.toMatchObject({
      code: 'compiler_damaged',
      message: expect.stringMatching(/has sha256 [0-9a-f]{64}, and should have 0{64}/),
    })
  })

  it('takes no compiler that says to be another version', async () => {
    const changes = { longVersion: '0.8.98+commit.00000000' }
    await expect(answerOf('return 1', { changes })).rejects.toMatchObject({
      code: 'compiler_damaged',
      message: expect.stringContaining('is version 0.8.99+commit.00000000, and should be 0.8.98+commit.00000000'),
    })
  })
})
