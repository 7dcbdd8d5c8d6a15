import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { StepTools } from '#commands/verification/steps.ts'
import { openCompilers } from '#src/adapters/solc/compilers.ts'
import type { Compilers } from '#src/ports/compilers.ts'
import { verifyContract } from '#src/verification/verify-contract.ts'
import { temporaryFolder } from '#test/support/temporary-folder.ts'
import { chain, checksummed, contractCreated, evmAddress, VerificationFixture } from '#test/verification/fixture.ts'

/** What docs/how-to/verify-a-contract.md says of hostile callers, as far as no test beside what it is about shows it. */
const compilerVersion = '0.8.28+commit.7893614a'
const named = { address: checksummed, chainId: chain, compilerVersion, contractName: 'A' }
const inputOf = (content: string, settings: object = {}, label = 'a.sol') => ({
  'input.json': JSON.stringify({ language: 'Solidity', sources: { [label]: { content } }, settings }),
})

let fixture: VerificationFixture
afterEach(() => fixture.end())

describe('a hostile compilation', () => {
  let compilers: Compilers
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  const compileMs = 4_000
  beforeEach(async () => {
    folder = await temporaryFolder()
    compilers = openCompilers({ folder: folder.path, limits: { compileMs, atOnce: 2, waiting: 0, spares: 0 } })
    const verify: StepTools['verify'] = (input, code, signal) => verifyContract(input, code, compilers, signal)
    const addresses = [evmAddress, '11'.repeat(20), '22'.repeat(20), '33'.repeat(20)]
    const records = addresses.map((each, index) =>
      contractCreated(BigInt(index + 1), BigInt(5_001 + index), Buffer.from(each, 'hex')),
    )
    fixture = await new VerificationFixture({ service: { verify }, settings: { waitMs: 60_000 } }).begin(records)
  })
  afterEach(async () => {
    await compilers.close()
    await folder.remove()
  })

  it('is ended in time, and told, while others are answered; more than may wait are turned away', async () => {
    const functions = Array.from(
      { length: 6_000 },
      (_, n) => `function f${n}(uint a) public pure returns (uint) { return a * ${n} + a / 3; }`,
    )
    const files = inputOf(`contract A { ${functions.join('\n')} }`, { viaIR: true, optimizer: { enabled: true } })
    const begun = performance.now()
    const hostile = fixture.post('/verify/solc-json', { ...named, files })
    const other = await fixture.post('/verify/solc-json', {
      ...named,
      address: '11'.repeat(20),
      files: inputOf('contract A {}'),
    })
    expect([other.status, other.body.result[0].code]).toEqual([200, 'bytecode_length_mismatch'])
    const asked = performance.now()
    expect((await fixture.get(`/files/any/${chain}/${checksummed}`)).status).toBe(404)
    expect(performance.now() - asked).toBeLessThan(2_000)

    const crowd = ['22', '33'].map((each) =>
      fixture.post('/verify/solc-json', { ...named, address: each.repeat(20), files }),
    )
    const { status, body } = await hostile
    expect([status, body.code, body.error]).toEqual([
      400,
      'compilation_limit',
      expect.stringContaining(`${compileMs} ms`),
    ])
    // Its own time, that of loading, and what a busy machine adds to either.
    expect(performance.now() - begun).toBeLessThan(compileMs * 4)
    const codes = (await Promise.all(crowd)).map((each) => [each.status, each.body.code])
    expect(codes).toContainEqual([503, 'overloaded'])
  })
})

describe('a hostile request', () => {
  beforeEach(async () => {
    fixture = await new VerificationFixture().begin()
  })

  it.each(['0.8.28; touch /tmp/x', '../../../etc/passwd', '$(id)', '0.8.28+commit.7893614a\n', '0.8', 'latest'])(
    'names no compiler but one of the table: %j',
    async (version) => {
      let used: string | undefined
      const compilers: Compilers = {
        list: async () => [],
        close: async () => undefined,
        use: async (asked) => {
          used = asked
          throw new Error(asked)
        },
      }
      const verify: StepTools['verify'] = (input, code, signal) => verifyContract(input, code, compilers, signal)
      await fixture.end()
      fixture = await new VerificationFixture({ service: { verify } }).begin()
      const { status, body } = await fixture.post('/verify/solc-json', {
        ...named,
        compilerVersion: version,
        files: inputOf(''),
      })
      expect([status, body.code, used]).toEqual([400, 'invalid_compiler_version', undefined])
    },
  )

  it('names sources as objects name what they inherit, and gets them back as they were', async () => {
    for (const label of ['__proto__', 'constructor', 'toString']) {
      // As JSON has it: a literal would set the prototype instead.
      const sources = `{"${label}":{"content":"perfect ${label}"}}`
      const files = { 'input.json': `{"language":"Solidity","sources":${sources},"settings":{"__proto__":{"x":1}}}` }
      const { status } = await fixture.post('/verify/solc-json', { ...named, files })
      expect(status).toBe(200)
      await fixture.fold()
    }
    const { text } = await fixture.get(`/v2/contract/${chain}/${checksummed}?fields=sources`)
    expect(text).toContain('"sources":{"__proto__":{"content":"perfect __proto__"}}')
    const listed = await fixture.get(`/files/any/${chain}/${checksummed}`)
    expect(listed.body.files.map(({ name }: { name: string }) => name)).toContain('__proto__')
    const given = await fixture.post('/session/input-files', '{"files":{"__proto__":"x","constructor":"y"}}')
    expect([given.status, given.body.files]).toEqual([200, ['__proto__', 'constructor']])
    expect(({} as { x?: number }).x).toBeUndefined()
  })

  it('sends no more than it may: little where it names, much where it brings sources', async () => {
    const long = (bytes: number) => JSON.stringify({ address: 'x'.repeat(bytes) })
    for (const [path, bytes] of [
      ['/verify/explorer', 65_536],
      ['/session/verify/explorer', 65_536],
      ['/verify', 10 << 20],
      ['/session/input-files', 10 << 20],
    ] as const) {
      expect((await fixture.post(path, long(bytes - 1_000))).status).toBe(400)
      expect((await fixture.post(path, long(bytes))).status).toBe(413)
    }
  })

  it('fills a session with no more contracts than it may hold', async () => {
    const metadata = (name: string) =>
      JSON.stringify({
        compiler: { version: '0.8.28' },
        settings: { compilationTarget: { 'a.sol': name } },
        sources: {},
      })
    const files = Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`${at}.json`, metadata(`C${at}`)]))
    const { status, body } = await fixture.post('/session/input-files', { files })
    expect([status, body.error]).toEqual([413, 'Too much session memory used. Delete some files or clear the session.'])
    expect(await fixture.control.list('verification-')).toEqual([])
  })

  it('is told what is wrong with it, a thousand of them, at every address that takes a body', async () => {
    const broken = [
      '{',
      '[]',
      '"x"',
      '1',
      'null',
      '{"address":{}}',
      '{"address":"0x","chainId":"298"}',
      '{"__proto__":1}',
      '\u0000',
      '',
    ]
    const paths = [
      '/verify/explorer',
      '/verify/etherscan',
      '/verify',
      '/verify/solc-json',
      '/server',
      '/session/verify/explorer',
      '/session/input-files',
      '/session/verify-checked',
      `/v2/verify/${chain}/${checksummed}`,
      `/v2/verify/metadata/${chain}/0x12`,
    ]
    const types = [
      'application/json',
      'application/json; charset=utf-8',
      'text/plain',
      'multipart/form-data; boundary=x',
      'application/x-www-form-urlencoded',
    ]
    for (let count = 0; count < 1_000; count++) {
      const [path, body] = [paths[count % 10]!, broken[Math.floor(count / 10) % 10]!]
      const type = types[Math.floor(count / 100) % 5]!
      const answer = await fixture.post(path, body, { 'content-type': type })
      const isTold =
        answer.status >= 400 &&
        answer.status < 500 &&
        typeof answer.body?.message === 'string' &&
        answer.body.message !== ''
      expect(isTold, `${path} ${type} ${JSON.stringify(body)}: ${answer.status} ${answer.text}`).toBe(true)
    }
    expect(await fixture.all()).toEqual([])
  })
})
