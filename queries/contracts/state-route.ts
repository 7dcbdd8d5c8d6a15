import { invalidParameters } from '#queries/common/errors.ts'
import { nextLink, type PagingColumn } from '#queries/common/links.ts'
import { listBody } from '#queries/common/list-body.ts'
import { lastValue, pageSize } from '#queries/common/parameters.ts'
import { splitOperator } from '#queries/common/parse-query.ts'
import { type Answer, defineRoute, type QueryRequest } from '#queries/common/route.ts'
import { stateSchema } from '#queries/contracts/body-schema.ts'
import { findAddresses, getContractId } from '#queries/contracts/find-contract.ts'
import { findState } from '#queries/contracts/find-state.ts'
import { contractPath, stateParameters } from '#queries/contracts/params.ts'
import { type ContractContext, contractReads } from '#queries/contracts/reads.ts'
import { asBuffer } from '#src/domain/bytes.ts'
import { formatEntityId } from '#src/domain/entity-id.ts'
import { formatLedgerTime } from '#src/domain/ledger-time.ts'

const pathParameters = { contractid: contractPath }

export const stateRoute = defineRoute({
  path: '/contracts/:contractid/state',
  pathParameters,
  summary: 'List the storage slots of a contract, now or at a time',
  tag: 'contracts',
  checksFirst: 'path',
  parameters: stateParameters,
  maxAge: 1,
  body: stateSchema,
  statuses: { 404: 'There is no contract with this EVM address' },
  answers: [{ reads: contractReads, answer: answerState }],
})

async function answerState(
  { path, query, filters, params }: QueryRequest<typeof stateParameters, typeof pathParameters>,
  context: ContractContext,
): Promise<Answer> {
  if (filters.timestamp.some(({ operator }) => operator === 'ne'))
    throw invalidParameters(['Not equals (ne) operator is not supported for timestamp'])
  const { rows, checkpoint, settings } = context
  const contract = await getContractId(rows.entities, params.contractid, checkpoint)
  const slots = await findState(contract, filters, context)
  const address = (await findAddresses(rows.entities, [contract])).get(contract)
  const state = slots.map(
    ({ slot, time, value }) =>
      `{"address":"${address}","contract_id":"${formatEntityId(contract)}","slot":"${word(slot)}",` +
      `"timestamp":"${formatLedgerTime(time)}","value":"${word(value)}"}`,
  )
  const last = slots.at(-1)
  const isFull = last !== undefined && slots.length === pageSize(filters.limit, settings)
  const order = lastValue(filters.order) ?? 'asc'
  const next = isFull ? nextLink({ path, query, order, columns: [slotColumn(word(last.slot))] }) : null
  return { body: listBody('state', state, next), next }
}

function word(bytes: Uint8Array): string {
  return `0x${asBuffer(bytes).toString('hex').padStart(64, '0')}`
}

function slotColumn(last: string): PagingColumn {
  return {
    name: 'slot',
    last,
    numberOf: (value) => {
      const digits = /^(?:0x)?([0-9a-fA-F]{1,64})$/.exec(splitOperator(value).text)?.[1]
      return digits === undefined ? undefined : BigInt(`0x${digits}`)
    },
  }
}
