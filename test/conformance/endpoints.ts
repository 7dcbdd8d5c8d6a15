import type { CaseFile } from '#test/conformance/case-file.ts'

/** Folders that are named otherwise than their endpoint. */
const endpoints: Readonly<Record<string, string>> = {
  'accounts-airdrops-outstanding': 'accounts/{id}/airdrops/outstanding',
  'accounts-airdrops-pending': 'accounts/{id}/airdrops/pending',
  'accounts-allowances-nfts': 'accounts/{id}/allowances/nfts',
  'accounts-hooks': 'accounts/{id}/hooks',
  'accounts-hooks-storage': 'accounts/{id}/hooks/{id}/storage',
  'contracts-call': 'contracts/call',
  'network-exchangerate': 'network/exchangerate',
  'network-fees': 'network/fees',
  'network-fees-estimate': 'network/fees',
  'network-nodes': 'network/nodes',
  'network-registered-nodes': 'network/registered-nodes',
  'network-stake': 'network/stake',
  'network-supply': 'network/supply',
  'topics-id': 'topics/{id}',
}

/** The endpoint that a case belongs to: its name without the last part, as the API writes it. */
export function endpointOf({ name }: Pick<CaseFile, 'name'>): string {
  const slash = name.lastIndexOf('/')
  const folder = slash === -1 ? name : name.slice(0, slash)
  return endpoints[folder] ?? folder
}
