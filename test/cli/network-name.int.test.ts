import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { networkNameOf } from '#src/cli/network-name.ts'
import { loadConfig } from '#src/config/load.ts'
import { LedgerError } from '#src/domain/errors.ts'

const folder = mkdtempSync(join(tmpdir(), 'ledger-network-'))
mkdirSync(join(folder, 'by-account', 'recordstreams', 'record0.0.3'), { recursive: true })
mkdirSync(join(folder, 'by-node', 'previewnet', '0', '0', 'record'), { recursive: true })
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function nameOf(flags: Record<string, string>): string {
  return networkNameOf(loadConfig({ flags, environment: {}, file: undefined }).config)
}

describe('network name', () => {
  it.each([
    [{}, 'simulated'],
    [{ source: 's3://hedera-mainnet-streams' }, 'mainnet'],
    [{ source: 's3://my-bucket/ignored' }, 'my-bucket'],
    [{ source: join(folder, 'by-account') }, 'by-account'],
    [{ source: join(folder, 'by-node') }, 'previewnet'],
    [{ source: join(folder, 'by-node'), network: 'own' }, 'own'],
  ])('of %o is %s', (flags, name) => {
    expect(nameOf(flags as Record<string, string>)).toBe(name)
  })

  it.each([
    ['not-there', 'is not there'],
    ['file', 'is not a folder'],
    ['file/below', 'is not there'],
  ])('is not taken from the source %s, which %s', (name, what) => {
    writeFileSync(join(folder, 'file'), '')
    for (const network of [{}, { network: 'own' }]) {
      const run = (): string => nameOf({ source: join(folder, name), ...network })
      expect(run).toThrow(new RegExp(`The source folder ${join(folder, name)} ${what}; check .*--source`))
      expect(run).toThrow(expect.toSatisfy((error) => error instanceof LedgerError && error.code === 'config_invalid'))
    }
  })
})
