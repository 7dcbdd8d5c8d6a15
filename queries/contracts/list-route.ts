import { invalidParameter } from '#queries/common/errors.ts'
import { defineListRoute } from '#queries/common/list-route.ts'
import { type OperatorAndText, splitOperator } from '#queries/common/parse-query.ts'
import type { QueryParameters } from '#queries/common/query-string.ts'
import { findContracts } from '#queries/contracts/find-contracts.ts'
import { contractListParameters } from '#queries/contracts/params.ts'
import { contractReads } from '#queries/contracts/reads.ts'
import { listedContract } from '#queries/contracts/render.ts'

export const contractListRoute = defineListRoute({
  path: '/contracts',
  summary: 'List contracts, the newest first',
  tag: 'contracts',
  parameters: contractListParameters,
  maxAge: 10,
  item: listedContract.schema,
  statuses: { 404: 'There is no contract with an EVM address in contract.id' },
  reads: contractReads,
  list: 'contracts',
  find: (request, context) => {
    assertAddressesEqual(request.query)
    return findContracts(request, context)
  },
  renderAll: async (contracts, _request, { rows }) => {
    const keys = contracts.map(({ id }) => [id] as const)
    const codes = await rows.contracts.get('contracts', keys, ['fileId'])
    return contracts.map((row, index) => listedContract.render({ row, fileId: codes[index]?.fileId ?? null }))
  },
  position: ({ id }) => ({ 'contract.id': id }),
})

/** An address has no order: it can only be equalled. */
function assertAddressesEqual(query: QueryParameters): void {
  const values = query.find(({ name }) => name === 'contract.id')?.values.map(splitOperator) ?? []
  const isWrong = ({ operator, text }: OperatorAndText) => operator !== 'eq' && /[0-9a-f]{40}$/i.test(text)
  if (values.some(isWrong)) throw invalidParameter('contract.id')
}
