import { contractsSchema, isUserFile } from '#projections/contracts/schema.ts'
import { findCurrent, findVersion } from '#queries/accounts/find-version.ts'
import { min } from '#queries/common/bigints.ts'
import { entityIdColumn } from '#queries/common/entity-id-parameter.ts'
import { invalidParameter, notFound } from '#queries/common/errors.ts'
import { combineRange } from '#queries/common/integer-range.ts'
import { nextLink } from '#queries/common/links.ts'
import { listBody } from '#queries/common/list-body.ts'
import { type Filter, lastValue, pageSize } from '#queries/common/parameters.ts'
import { type OperatorAndText, splitOperator } from '#queries/common/parse-query.ts'
import type { QueryParameters } from '#queries/common/query-string.ts'
import { type Answer, defineRoute, type QueryRequest } from '#queries/common/route.ts'
import { contractListSchema, contractSchema } from '#queries/contracts/body-schema.ts'
import { findFileContents } from '#queries/contracts/file-contents.ts'
import { findContractId } from '#queries/contracts/find-contract.ts'
import { findContracts } from '#queries/contracts/find-contracts.ts'
import { contractDetailParameters, contractListParameters, contractPathInWords } from '#queries/contracts/params.ts'
import { type ContractContext, contractReads } from '#queries/contracts/reads.ts'
import { renderContract } from '#queries/contracts/render-contract.ts'
import { hexOf } from '#src/domain/bytes.ts'
import type { RowOf } from '#src/ports/read-store.ts'

type CodeRow = RowOf<typeof contractsSchema, 'contracts'>

const codeFields = Object.keys(contractsSchema.collections.contracts.fields) as (keyof CodeRow)[]

const listRoute = defineRoute({
  path: '/contracts',
  summary: 'List contracts, the newest first',
  tag: 'contracts',
  parameters: contractListParameters,
  maxAge: 10,
  body: contractListSchema,
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

const pathParameters = { contractid: contractPathInWords }

const detailRoute = defineRoute({
  path: '/contracts/:contractid',
  pathParameters,
  summary: 'Get a contract with its code, now or as it was',
  tag: 'contracts',
  checksFirst: 'path',
  parameters: contractDetailParameters,
  maxAge: 1,
  body: contractSchema,
  answers: [{ reads: contractReads, answer: answerDetail }],
})

async function answerDetail(
  { filters, params }: QueryRequest<typeof contractDetailParameters, typeof pathParameters>,
  { rows, checkpoint }: ContractContext,
): Promise<Answer> {
  const range = validityRange(filters.timestamp, checkpoint.time)
  const id = await findContractId(rows.entities, params.contractid, { time: range.upper })
  if (id === undefined) throw notFound()
  const [version, [code]] = await Promise.all([
    filters.timestamp.length === 0
      ? findCurrent(rows.entities, [id], checkpoint).then(([row]) => row)
      : findVersion(rows.entities, id, range),
    rows.contracts.get('contracts', [[id]], codeFields),
  ])
  if (version?.type !== 'CONTRACT') throw notFound()
  const bytecode = await bytecodeOf(code, version.createdTimestamp, rows.contracts)
  const contract = renderContract(version, code?.fileId ?? null)
  return {
    body: `{${contract},"bytecode":${JSON.stringify(bytecode)},"runtime_bytecode":"${shownCode(code?.runtimeBytecode)}"}`,
  }
}

/**
 * When the version was in force: one that ended after the lower bound and began up to the upper one, even where nothing lies
 * between them. Of several single times the earliest counts.
 */
function validityRange(filters: readonly Filter<bigint>[], now: bigint) {
  const { lower, upper, equal, excluded } = combineRange(filters)
  return { lower, upper: [...equal, upper, now].reduce(min), excluded }
}

/** Init code: of the creating transaction, or what its file held then, which is hex text already. */
async function bytecodeOf(
  code: CodeRow | undefined,
  created: bigint | null,
  contracts: ContractContext['rows']['contracts'],
): Promise<string> {
  if (code === undefined || code.fileId === null || !isUserFile(code.fileId)) return shownCode(code?.initcode)
  if (created === null) return '0x'
  const text = (await findFileContents(contracts, code.fileId, created))?.toString('utf8') ?? ''
  return text.startsWith('0x') ? text : `0x${text}`
}

function shownCode(code: Uint8Array | null | undefined): string {
  return code ? `0x${hexOf(code)}` : '0x'
}

export const contractRoutes = [listRoute, detailRoute]
