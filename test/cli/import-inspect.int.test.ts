import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from '#test/support/temporary-folder.ts'
import { run } from './support.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
const block = 'streams/simulated/block/0000/0000/0000/0000/001.blk.zstd'
const inspect = (...args: string[]) => run(['import', 'inspect', ...args], { cwd: folder.path })

beforeAll(async () => {
  folder = await temporaryFolder()
  const simulate = ['network', 'simulate', '--out', 'streams', '--stream', 'blocks', '--blocks', '2', '--nodes', '2']
  expect((await run(simulate, { cwd: folder.path })).code).toBe(0)
}, 60_000)
afterAll(() => folder.remove())

describe('import inspect', () => {
  it('says what a block is, and that it was not tried where nobody says whom to believe', async () => {
    const { code, out, err } = await inspect(block)
    expect(code, err).toBe(0)
    expect(out).toMatch(/^kind +block$/m)
    expect(out).toMatch(/^number +1$/m)
    expect(out).toMatch(/^version +HAPI 0\.80\.0, software /m)
    expect(out).toMatch(/^hash, sixteen leaves +[0-9a-f]{96}$/m)
    expect(out).toMatch(/^time +\d+\.\d{9} \(\d{4}-\d\d-\d\dT\S+Z\)$/m)
    expect(out).toMatch(/^proof +signature of the network: not checked: .*--ledger-publication$/m)
  })

  it('tries it with whom the settings name, and prints JSON with numbers as they are', async () => {
    const believe = ['--ledger-publication', 'streams/ledger-publication.bin']
    const { code, out } = await inspect(block, ...believe)
    expect(code).toBe(0)
    expect(out).toMatch(/^hash, sixteen leaves +[0-9a-f]{96} {2}fits the proof$/m)
    expect(out).toMatch(
      /^proof .*\(SIGNATURE_SCHNORR, release \d of the library\): holds, by the ledger [0-9a-f]{64} /m,
    )
    const json = JSON.parse((await inspect(block, ...believe, '--json')).out) as Record<string, unknown>
    expect(json).toMatchObject({ kind: 'block', number: 1, hashRule: 'sixteen', proofs: [{ verdict: 'holds' }] })
    expect(json['consensusStart']).toMatch(/^\d+\.\d{9}$/)
  })

  it('ends with 1 where a proof does not hold, or the file is none of these', async () => {
    const other = ['network', 'simulate', '--out', 'other', '--stream', 'blocks', '--blocks', '1', '--seed', 'other']
    await run(other, { cwd: folder.path })
    const stranger = await inspect(block, '--ledger-publication', 'other/ledger-publication.bin')
    expect(stranger.code).toBe(1)
    expect(stranger.out).toMatch(/^proof .*: does not hold: /m)
    writeFileSync(join(folder.path, 'cut.blk.zstd'), readFileSync(join(folder.path, block)).subarray(0, 200))
    const cut = await inspect('cut.blk.zstd')
    expect(cut).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringMatching(/^ledger-history: cut\.blk\.zstd.*\[file_malformed\]\n$/),
    })
    const missing = await inspect('missing.blk')
    expect(missing).toMatchObject({
      code: 78,
      err: expect.stringMatching(/missing\.blk cannot be read .*\[config_invalid\]\n$/),
    })
    const book = await inspect(block, '--address-book', block)
    expect(book).toMatchObject({
      code: 1,
      err: expect.stringMatching(/is no address book.*\[address_book_invalid\]\n$/),
    })
  })
})
