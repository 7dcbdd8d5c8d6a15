import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { type CaseRequest, listCaseFiles, readCaseFile } from '#test/conformance/case-file.ts'
import { isServedLater } from '#test/conformance/endpoints.ts'
import { runCase } from '#test/conformance/run-case.ts'

const root = fileURLToPath(new URL('../../../shared/conformance/', import.meta.url))

/** Each with how many requests are answered otherwise, for the reasons below. */
const folders = {
  'cases/accounts': 10,
  'cases/authentication': 0,
  'cases/balances': 0,
  'cases/blocks': 0,
  'cases/contracts': 70,
  'cases/route': 0,
  'cases/schedules': 0,
  'cases/synthetic': 39,
  'cases/tokens': 0,
  'cases/topics': 0,
  'cases/transactions': 0,
  'extra/accounts': 8,
  'extra/authentication': 0,
  'extra/balances': 3,
  'extra/blocks': 0,
  'extra/contracts': 52,
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

/** What docs/compatibility.md says is answered otherwise. */
const reasons: readonly ((request: CaseRequest, differences: readonly string[]) => boolean)[] = [
  // Balances of the past are exact here, and come from pictures there.
  ({ url }) =>
    /^\/api\/v1\/(accounts\/[^/?]*|balances|network\/supply|tokens\/[^/?]*\/balances)\?.*timestamp=/i.test(url),
  // Two living accounts with one alias.
  ({ status }) => status === 500,
  ({ config }) => config?.delegation_address_shown === false,
  // Logs that have a hash, which no table of hashes lists.
  ({ url }) => /\/contracts\/results\/logs\?.*transaction\.hash=/.test(url),
  // Slots of the past between others, which are compared there without the zeros that they begin with.
  ({ url }) => /\/contracts\/[^/]*\/state\?/.test(url) && /timestamp=/.test(url) && /slot=[gl]te?:/.test(url),
  // The result of a call of nobody, which no table of contracts lists.
  ({ url, status }) => status === 404 && /\/contracts\/results\/0x[0-9a-f]{64}\b/.test(url),
  // A hash with half a byte at its end.
  (_request, differences) => differences.every((each) => /hash: expected "0x[0-9a-f]+"/.test(each)),
]

if (!existsSync(root)) console.warn(`skipped: recorded answers are not at ${root}`)

it.skipIf(!existsSync(root)).each(Object.entries(folders))(
  'answers like the recorded service: %s, but for %i requests (skipped without ../shared)',
  async (folder, deviations) => {
    const unexplained: string[] = []
    let explained = 0
    for (const file of listCaseFiles([`${root}${folder}`])) {
      const { outcomes } = await runCase(readCaseFile(file), (request) => !isServedLater(request))
      for (const { request, differences } of outcomes) {
        if (differences.length === 0) continue
        if (reasons.some((explains) => explains(request, differences))) explained += 1
        else unexplained.push(`${request.url}: ${differences.join('; ')}`)
      }
    }
    expect(unexplained).toEqual([])
    expect(explained).toBeLessThanOrEqual(deviations)
  },
  120_000,
)
