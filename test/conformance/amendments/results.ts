import { fromRlp, isHex } from 'viem'
import { defaultQuerySettings } from '#queries/common/settings.ts'
import { type Amendment, resourceOf, withBody, withElements } from '#test/conformance/amendments/amendment.ts'
import type { CaseRequest } from '#test/conformance/case-file.ts'

type Json = Readonly<Record<string, unknown>>

/** Every result that an answer shows with what its Ethereum transaction says. */
function withResults(request: CaseRequest, change: (result: Json) => Json): CaseRequest {
  const resource = resourceOf(request)
  if (!resource.startsWith('contracts/')) return request
  const changed = (result: Json) => ('access_list' in result ? change(result) : result)
  return withBody(withElements(request, 'results', changed), changed)
}

/** Bytes that are no list stay as they are: no version says what they would become. */
export const accessLists: Amendment = {
  name: 'access_list is an array of addresses and their slots',
  version: '0.156',
  amend: (request) =>
    withResults(request, (result) => ({ ...result, access_list: accessListOf(result['access_list']) })),
}

function accessListOf(text: unknown): unknown {
  if (text === null || text === '0x') return []
  if (typeof text !== 'string' || !isHex(text)) return text
  try {
    const entries = fromRlp(text) as [address: `0x${string}`, keys: `0x${string}`[]][]
    return entries.map(([address, keys]) => ({
      address: padded(address, 40),
      storage_keys: keys.map((key) => padded(key, 64)),
    }))
  } catch {
    return text
  }
}

export const authorizations: Amendment = {
  name: 'authorization_list has whole addresses and words, and a parity in hex',
  version: '0.156',
  amend: (request) =>
    withResults(request, (result) => {
      const list = result['authorization_list']
      return Array.isArray(list) ? { ...result, authorization_list: list.map(authorizationOf) } : result
    }),
}

function authorizationOf(authorization: Json): Json {
  const { address, chain_id: chain, r, s, y_parity: parity } = authorization
  return {
    ...authorization,
    address: padded(address, 40),
    chain_id: chain === '0x' ? '0x0' : chain,
    r: padded(r, 64),
    s: padded(s, 64),
    y_parity: parity === 0 ? '0x0' : '0x1',
  }
}

function padded(hex: unknown, digits: number): string {
  return `0x${String(hex).replace(/^0x/, '').padStart(digits, '0')}`
}

const chainOfNetwork = `0x${defaultQuerySettings.chainId.toString(16)}`

/** The recorded ledgers have no fee schedule or no exchange rate, so that the price of gas stays unknown. */
export const networkDefaults: Amendment = {
  name: 'results that name no type or chain have type 0 and the chain of the network',
  version: '0.157',
  amend: (request) =>
    withResults(request, (result) => {
      const { type, chain_id: chain } = result
      return { ...result, type: type ?? 0, chain_id: chain === null || chain === '0x' ? chainOfNetwork : chain }
    }),
}
