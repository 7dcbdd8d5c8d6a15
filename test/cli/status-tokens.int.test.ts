import { createHash } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { StatusTokens } from '#src/cli/status-tokens.ts'
import { loadConfig } from '#src/config/load.ts'
import { toStatusToken } from '#src/config/sections/status-token.ts'
import { silentLogger } from '#src/ports/logger.ts'
import { temporaryFolder } from '#test/support/temporary-folder.ts'

const sha256 = createHash('sha256').update('secret').digest('hex')
let remove: (() => Promise<void>) | undefined
afterEach(() => remove?.())

async function tokensOf(flags: Record<string, string> = {}) {
  const folder = await temporaryFolder()
  remove = folder.remove
  const file = join(folder.path, 'tokens')
  const { config } = loadConfig({ flags: { 'status-tokens-file': file, ...flags }, environment: {}, file: undefined })
  const errors: object[] = []
  let now = 0
  const logger = { ...silentLogger, error: (fields: object) => errors.push(fields) }
  const tokens = new StatusTokens({ status: config.status, logger, now: () => now })
  const names = (): string[] => {
    now += 1_000
    return tokens.current.map(({ name }) => name)
  }
  return { file, tokens, names, errors }
}

it('gives tokens and takes them back as a file says, beside those that are configured', async () => {
  const { file, tokens, names, errors } = await tokensOf({ 'status-tokens': `alice:operator:${sha256}` })
  expect(tokens.areConfigured).toBe(true)
  expect(names()).toEqual(['alice'])
  expect(errors).toHaveLength(1)
  writeFileSync(file, `# who may\n\nbob:operator:${sha256}\n  probe:automation:${sha256}:2026-12-31  \n`)
  expect(names()).toEqual(['alice', 'bob', 'probe'])
  expect(tokens.current.at(-1)?.expires).toBe('2027-01-01T00:00:00.000Z')
  writeFileSync(file, `probe:automation:${sha256}\n`)
  expect(names()).toEqual(['alice', 'probe'])
  rmSync(file)
  expect(names()).toEqual(['alice'])
  expect(names()).toEqual(['alice'])
  expect(errors).toHaveLength(2)
})

it('passes over a line that is no token, without repeating it', async () => {
  const { file, names, errors } = await tokensOf()
  writeFileSync(file, `bob:operator:the-token-itself\ncarol:operator:${sha256}\n`)
  expect(names()).toEqual(['carol'])
  expect(errors).toEqual([{ line: 1 }])
})

it('lets nobody in where the file is no list', async () => {
  const { file, names, errors } = await tokensOf()
  writeFileSync(file, Buffer.alloc(2 << 20, `bob:operator:${sha256}\n`))
  expect(names()).toEqual([])
  expect(errors).toMatchObject([{ reason: 'it has more than 1048576 bytes' }])
})

it.each([
  [`a:operator:${sha256}`, undefined],
  [`a:operator:${sha256}:2026-12-31`, '2027-01-01T00:00:00.000Z'],
  [`a:automation:${sha256}:2026-12-31T22:00:00+01:00`, '2026-12-31T21:00:00.000Z'],
  [{ name: 'a', role: 'operator', sha256, expires: '2026-12-31T22:00:00Z' }, '2026-12-31T22:00:00.000Z'],
])('reads %j', (input, expires) => {
  expect(toStatusToken(input)).toMatchObject({ name: 'a', sha256, ...(expires && { expires }) })
})

it.each([
  `a:root:${sha256}`,
  `a:operator:${sha256.slice(1)}`,
  `a:operator:${sha256}:`,
  `a:operator:${sha256}:2026-13-01`,
  `a:operator:${sha256}:soon`,
  `a:operator:${sha256}:2026-12-31T22:00:00`,
  `:operator:${sha256}`,
])('refuses %j', (input) => {
  expect(toStatusToken(input)).toBeUndefined()
})
