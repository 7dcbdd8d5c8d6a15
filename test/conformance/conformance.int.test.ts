import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { amendments } from '#test/conformance/amendments/index.ts'
import { listCaseFiles, readCaseFile } from '#test/conformance/case-file.ts'
import { explanationOf } from '#test/conformance/explanations.ts'
import { runCase } from '#test/conformance/run-case.ts'

const root = fileURLToPath(new URL('../../../shared/conformance/', import.meta.url))

/** Each with how many requests are answered otherwise, for reasons that are given. */
const folders = {
  'cases/accounts': 10,
  'cases/authentication': 0,
  'cases/balances': 0,
  'cases/blocks': 0,
  'cases/contracts': 70,
  'cases/route': 0,
  'cases/schedules': 0,
  'cases/synthetic': 105,
  'cases/tokens': 0,
  'cases/topics': 0,
  'cases/transactions': 0,
  'extra/accounts': 9,
  'extra/authentication': 0,
  'extra/balances': 3,
  'extra/blocks': 0,
  'extra/contracts': 55,
  'extra/schedules': 0,
  'extra/tokens': 1,
  'extra/topics': 0,
  'extra/transactions': 0,
  'java/accounts-airdrops-outstanding': 0,
  'java/accounts-airdrops-pending': 0,
  'java/accounts-allowances-nfts': 0,
  'java/accounts-hooks': 0,
  'java/accounts-hooks-storage': 0,
  'java/common': 0,
  'java/network-exchangerate': 0,
  'java/network-fees': 0,
  'java/network-fees-estimate': 0,
  'java/network-nodes': 0,
  'java/network-registered-nodes': 0,
  'java/network-stake': 0,
  'java/network-supply': 2,
  'java/topics-id': 0,
}

const used = new Set<string>()

if (!existsSync(root)) console.warn(`skipped: recorded answers are not at ${root}`)

it.skipIf(!existsSync(root)).each(Object.entries(folders))(
  'answers like the recorded service: %s, but for %i requests (skipped without ../shared)',
  async (folder, deviations) => {
    const unexplained: string[] = []
    let explained = 0
    for (const file of listCaseFiles([`${root}${folder}`])) {
      const { outcomes } = await runCase(readCaseFile(file))
      for (const { request, differences, amendments: names } of outcomes) {
        for (const name of names) used.add(name)
        if (differences.length === 0) continue
        if (explanationOf(request, differences) !== undefined) explained += 1
        else unexplained.push(`${request.url}: ${differences.join('; ')}`)
      }
    }
    expect(unexplained).toEqual([])
    expect(explained).toBeLessThanOrEqual(deviations)
  },
  120_000,
)

it.skipIf(!existsSync(root))('every amendment changes a recorded answer (skipped without ../shared)', () => {
  expect(amendments.filter(({ name }) => !used.has(name)).map(({ name }) => name)).toEqual([])
})
