import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openFolderSource } from '#src/adapters/folder/folder-source.ts'
import { isLedgerError } from '#src/domain/errors.ts'
import type { StreamSource } from '#src/ports/stream-source.ts'

let root: string
let source: StreamSource

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'folder-'))
  source = openFolderSource({ folder: root })
})
afterEach(async () => {
  await source.close()
  rmSync(root, { recursive: true, force: true })
})

function put(path: string, bytes = 1): void {
  mkdirSync(join(root, path, '..'), { recursive: true })
  writeFileSync(join(root, path), Buffer.alloc(bytes))
}

const list = async (after = '', countMax = 100, folder = 'a') =>
  (await source.list({ folder, after, countMax })).map(({ name }) => name)

describe('a folder as a source', () => {
  it('lists files in order behind a marker, without the folders in it', async () => {
    for (const name of ['3.rcd', '1.rcd', '2.rcd', '2.rcd_sig', 'sidecar/2_01.rcd.gz']) put(`a/${name}`)
    expect(await list()).toEqual(['1.rcd', '2.rcd', '2.rcd_sig', '3.rcd'])
    expect(await list('1_')).toEqual(['2.rcd', '2.rcd_sig', '3.rcd'])
    expect(await list('', 2)).toEqual(['1.rcd', '2.rcd'])
  })

  it('has sizes and bytes', async () => {
    put('a/x.rcd', 5)
    expect(await source.list({ folder: 'a', after: '', countMax: 1 })).toEqual([{ name: 'x.rcd', size: 5 }])
    expect(await source.fetch('a/x.rcd', { bytesMax: 5 })).toHaveLength(5)
  })

  it('is empty where there is nothing', async () => {
    expect(await list('', 10, 'nowhere')).toEqual([])
    expect(await source.fetch('nowhere/x.rcd', { bytesMax: 5 })).toBeUndefined()
  })

  it('fails when the whole folder disappears, but not when it has yet to come', async () => {
    const coming = openFolderSource({ folder: join(root, 'b') })
    const names = async () => (await coming.list({ folder: 'a', after: '', countMax: 9 })).map(({ name }) => name)
    expect(await names()).toEqual([])
    put('b/a/x.rcd')
    expect(await names()).toEqual(['x.rcd'])
    rmSync(join(root, 'b'), { recursive: true })
    const error = await names().catch((thrown: unknown) => thrown)
    expect(isLedgerError(error, 'source_unavailable') && error.message).toMatch(
      /is gone.*check that the folder is there/,
    )
    await coming.close()
  })

  it('shows files that come while it is listed again and again', async () => {
    const seen: string[] = []
    for (let round = 1; round <= 9; round++) {
      put(`a/${round}.rcd`)
      seen.push(...(await list(seen.at(-1) ?? '', 2)))
    }
    expect(seen).toEqual(['1.rcd', '2.rcd', '3.rcd', '4.rcd', '5.rcd', '6.rcd', '7.rcd', '8.rcd', '9.rcd'])
  })

  it('refuses a file beyond the limit', async () => {
    put('a/x.rcd', 6)
    const error = await source.fetch('a/x.rcd', { bytesMax: 5 }).catch((thrown: unknown) => thrown)
    expect(isLedgerError(error, 'source_unavailable') && error.message).toMatch(/6 bytes, more than the limit of 5/)
  })

  it('looks into the folders of days', async () => {
    put('2022-07-13/a/2022-07-13T01_00_00Z.rcd', 3)
    put('2022-07-14/a/2022-07-14T01_00_00Z.rcd')
    expect(await list()).toEqual(['2022-07-13T01_00_00Z.rcd', '2022-07-14T01_00_00Z.rcd'])
    expect(await list('2022-07-13T01_00_00Z_')).toEqual(['2022-07-14T01_00_00Z.rcd'])
    expect(await source.fetch('a/2022-07-13T01_00_00Z.rcd', { bytesMax: 9 })).toHaveLength(3)
  })

  it('wakes a waiting caller when a file comes, at a signal, and after the time', async () => {
    const waiting = source.waitForChange(60_000)
    put('x.rcd')
    await waiting
    await source.waitForChange(60_000, AbortSignal.timeout(5))
    await source.waitForChange(5)
  })
})
