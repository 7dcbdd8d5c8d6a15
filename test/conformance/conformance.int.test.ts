import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { listCaseFiles, readCaseFile } from '#test/conformance/case-file.ts'
import { runCase } from '#test/conformance/run-case.ts'

const root = fileURLToPath(new URL('../../../shared/conformance/', import.meta.url))
const folders = [
  'cases/transactions',
  'cases/blocks',
  'cases/route',
  'extra/transactions',
  'extra/blocks',
  'cases/synthetic',
]
const served = ['/api/v1/transactions', '/api/v1/blocks', '/api/v1/hedera']

if (!existsSync(root)) console.warn(`skipped: recorded answers are not at ${root}`)

/** The folders that this project serves, where the recorded answers are at hand. */
it.skipIf(!existsSync(root)).each(folders)(
  'answers like the recorded service: %s (skipped without ../shared)',
  async (folder) => {
    const wrong: string[] = []
    for (const file of listCaseFiles([`${root}${folder}`])) {
      const { outcomes } = await runCase(readCaseFile(file), ({ url }) =>
        served.some((prefix) => url.startsWith(prefix)),
      )
      for (const { request, differences } of outcomes)
        if (differences.length > 0) wrong.push(`${request.url}: ${differences.join('; ')}`)
    }
    expect(wrong).toEqual([])
  },
)
