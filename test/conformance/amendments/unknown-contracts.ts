import { type Amendment, resourceOf } from '#test/conformance/amendments/amendment.ts'
import type { CaseFile, CaseRequest } from '#test/conformance/case-file.ts'

const refusal = /^No contract with the given evm address 0x[0-9a-f]* has been found\.$/

/** A single result of it is not found, as one that a known contract has not. */
export const unknownContracts: Amendment = {
  name: 'what a contract of unknown address has is an empty list',
  version: '0.155',
  amend: (request, file) => {
    const [, list, time] =
      /^contracts\/[^/]+\/(results\/logs|results|state)(\/[^/]+)?\/?$/.exec(resourceOf(request)) ?? []
    if (list === undefined || request.status !== 404 || !isUnknownContract(request)) return request
    if (hasAccount(request, file)) return request
    if (time !== undefined) return { ...request, body: { _status: { messages: [{ message: 'Not found' }] } } }
    const name = list.replace('results/', '')
    return { ...request, status: 200, body: { [name]: [], links: { next: null } } }
  },
}

/** Whether the recorded service found no contract of an EVM address. */
export function isUnknownContract({ status, body }: CaseRequest): boolean {
  return status === 404 && refusal.test(messageOf(body))
}

const listedTables = ['contract_result', 'contract_log', 'contract_state', 'contract_state_change']

/** Accounts are found in this way since then, too: of one that the case knows anything of, the list is not empty. */
function hasAccount(request: CaseRequest, { rows }: CaseFile): boolean {
  const address = /[0-9a-f]{40}/i.exec(resourceOf(request))?.[0].toLowerCase()
  const accounts = (rows['entity'] ?? []).filter(
    ({ type, evm_address: own }) => type === 'ACCOUNT' && String(own).replace(/^0x/, '').toLowerCase() === address,
  )
  const ids = new Set(accounts.map(({ id }) => String(id)))
  return listedTables.some((table) => (rows[table] ?? []).some(({ contract_id: id }) => ids.has(String(id))))
}

function messageOf(body: unknown): string {
  const { _status: status } = body as {
    readonly _status?: { readonly messages: readonly { readonly message: string }[] }
  }
  return status?.messages[0]?.message ?? ''
}
