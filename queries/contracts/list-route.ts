import { entityIdColumn } from '#queries/common/entity-id-parameter.ts'
import { invalidParameter } from '#queries/common/errors.ts'
import { nextLink } from '#queries/common/links.ts'
import { listBody } from '#queries/common/list-body.ts'
import { lastValue, pageSize } from '#queries/common/parameters.ts'
import { type OperatorAndText, splitOperator } from '#queries/common/parse-query.ts'
import type { QueryParameters } from '#queries/common/query-string.ts'
import { type Answer, defineRoute, type QueryRequest } from '#queries/common/route.ts'
import { contractListSchema } from '#queries/contracts/body-schema.ts'
import { findContracts } from '#queries/contracts/find-contracts.ts'
import { contractListParameters } from '#queries/contracts/params.ts'
import { type ContractContext, contractReads } from '#queries/contracts/reads.ts'
import { renderContract } from '#queries/contracts/render.ts'

export const contractListRoute = defineRoute({
  path: '/contracts',
  summary: 'List contracts, the newest first',
  tag: 'contracts',
  parameters: contractListParameters,
  maxAge: 10,
  body: contractListSchema,
  statuses: { 404: 'There is no contract with an EVM address in contract.id' },
  answers: [{ reads: contractReads, answer: answerList }],
})

async function answerList(
  { path, query, filters }: QueryRequest<typeof contractListParameters>,
  context: ContractContext,
): Promise<Answer> {
  assertAddressesEqual(query)
  const { rows, settings } = context
  const contracts = await findContracts(filters, context)
  const keys = contracts.map(({ id }) => [id] as const)
  const codes = await rows.contracts.get('contracts', keys, ['fileId'])
  const bodies = contracts.map((row, index) => `{${renderContract(row, codes[index]?.fileId ?? null)}}`)
  const last = contracts.at(-1)
  const isFull = last !== undefined && contracts.length === pageSize(filters.limit, settings)
  const order = lastValue(filters.order) ?? 'desc'
  const next = isFull
    ? nextLink({ path, query, order, columns: [entityIdColumn('contract.id', last.id, settings)] })
    : null
  return { body: listBody('contracts', bodies, next), next }
}

/** An address has no order: it can only be equalled. */
function assertAddressesEqual(query: QueryParameters): void {
  const values = query.find(({ name }) => name === 'contract.id')?.values.map(splitOperator) ?? []
  const isWrong = ({ operator, text }: OperatorAndText) => operator !== 'eq' && /[0-9a-f]{40}$/i.test(text)
  if (values.some(isWrong)) throw invalidParameter('contract.id')
}
