import { isUnknownContract } from '#test/conformance/amendments/unknown-contracts.ts'
import type { CaseRequest } from '#test/conformance/case-file.ts'

/** A reason, as docs/compatibility.md gives it, for which an answer is not the recorded one and no amendment makes it so. */
export interface Explanation {
  readonly name: string
  readonly explains: (request: CaseRequest, difference: string) => boolean
}

export const explanations: readonly Explanation[] = [
  {
    name: 'an account that is found by its EVM address as contracts are',
    explains: (request) => isUnknownContract(request),
  },
  {
    name: 'balances of the past are exact here, and come from pictures there',
    explains: ({ url }) =>
      /^\/api\/v1\/(accounts\/[^/?]*|balances|network\/supply|tokens\/[^/?]*\/balances)\?.*timestamp=/i.test(url),
  },
  {
    name: 'a call of a service of the network with less than a selector',
    explains: ({ url, status }) => url.endsWith('/contracts/call') && status === 500,
  },
  { name: 'two living accounts with one alias', explains: ({ status }) => status === 500 },
  {
    name: 'delegation_address is always shown',
    explains: ({ config }) => config?.delegation_address_shown === false,
  },
  {
    name: 'logs that have a hash, which no table of hashes lists',
    explains: ({ url }) => /\/contracts\/results\/logs\?.*transaction\.hash=/.test(url),
  },
  {
    name: 'slots of the past are compared without the zeros that they begin with there',
    explains: ({ url }) =>
      /\/contracts\/[^/]*\/state\?/.test(url) && /timestamp=/.test(url) && /slot=[gl]te?:/.test(url),
  },
  {
    name: 'the result of a call of nobody, which no table of contracts lists',
    explains: ({ url, status }) => status === 404 && /\/contracts\/results\/0x[0-9a-f]{64}\b/.test(url),
  },
  {
    name: 'a hash with half a byte at its end',
    explains: (_request, difference) => /hash: expected "0x[0-9a-f]+"/.test(difference),
  },
  {
    name: 'an access list of bytes that are none',
    explains: (_request, difference) => /access_list: expected "0x[0-9a-f]+", got \[\]$/.test(difference),
  },
]

/** The reasons for all differences of an answer; undefined when one of them has none. */
export function explanationOf(request: CaseRequest, differences: readonly string[]): string | undefined {
  const names = new Set<string>()
  for (const difference of differences) {
    const found = explanations.find(({ explains }) => explains(request, difference))
    if (found === undefined) return undefined
    names.add(found.name)
  }
  return [...names].join('; ')
}
