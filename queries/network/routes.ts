import { nextBoundLink } from '#queries/common/bound-links.ts'
import { invalidParameters } from '#queries/common/errors.ts'
import { listBody } from '#queries/common/list-body.ts'
import { lastValue } from '#queries/common/parameters.ts'
import type { Answer, QueryRequest } from '#queries/common/route.ts'
import { defineRoute } from '#queries/common/route.ts'
import { isEmptySelection, selectionOf } from '#queries/common/selection.ts'
import { nodeListSchema, registeredNodeListSchema } from '#queries/network/body-schema.ts'
import { findNodes } from '#queries/network/find-nodes.ts'
import { findRegisteredNodes } from '#queries/network/find-registered-nodes.ts'
import {
  nodePageSize,
  nodeParameters,
  registeredNodeLimitDefault,
  registeredNodeParameters,
} from '#queries/network/params.ts'
import { type NetworkContext, networkReads } from '#queries/network/reads.ts'
import { renderNode } from '#queries/network/render.ts'
import { maxInt64 } from '#src/domain/ledger-time.ts'

const nodeListRoute = defineRoute({
  path: '/network/nodes',
  summary: 'List the consensus nodes of the newest address book',
  tag: 'network',
  family: 'B-object',
  parameters: nodeParameters,
  maxAge: 60,
  body: nodeListSchema,
  answers: [{ reads: networkReads, answer: answerNodes }],
})

type NodeRequest = QueryRequest<typeof nodeParameters>

async function answerNodes({ path, query, filters }: NodeRequest, context: NetworkContext): Promise<Answer> {
  assertNodeFilters({ query, filters })
  const nodes = await findNodes(filters, context)
  const last = nodes.at(-1)
  const full = last !== undefined && nodes.length >= nodePageSize(filters.limit)
  const order = lastValue(filters.order) ?? 'asc'
  const columns = last ? [{ name: 'node.id', last: last.entry.nodeId.toString() }] : []
  const next = full ? nextBoundLink({ path, query, order, columns }) : null
  return { body: listBody('nodes', nodes.map(renderNode), next), next }
}

/** What is only wrong in combination. */
function assertNodeFilters({ query, filters }: Pick<NodeRequest, 'query' | 'filters'>): void {
  const repeated = query.find(
    ({ name, values }) => values.length > 1 && (name === 'file.id' || name === 'limit' || name === 'order'),
  )
  if (repeated) throw invalidParameters([`Only a single instance is supported for ${repeated.name}`])
  if (filters['file.id'].some(({ operator }) => operator !== 'eq'))
    throw invalidParameters(['Only equality operator is supported for file.id'])
  if (isEmptySelection(selectionOf(filters['node.id'], maxInt64)))
    throw invalidParameters(['Invalid range provided for node.id'])
}

const registeredNodeListRoute = defineRoute({
  path: '/network/registered-nodes',
  summary: 'List the registered nodes',
  tag: 'network',
  family: 'B-object',
  parameters: registeredNodeParameters,
  maxAge: 60,
  body: registeredNodeListSchema,
  answers: [{ reads: networkReads, answer: answerRegisteredNodes }],
})

async function answerRegisteredNodes(
  { path, query, filters }: QueryRequest<typeof registeredNodeParameters>,
  context: NetworkContext,
): Promise<Answer> {
  const ids = filters['registerednode.id']
  if (ids.length > 1 && ids.some(({ operator }) => operator === 'eq'))
    throw invalidParameters(["The 'eq' operator cannot be combined with other operators"])
  if (isEmptySelection(selectionOf(ids, maxInt64)))
    throw invalidParameters(['Invalid range: lower bound exceeds upper bound'])
  const nodes = await findRegisteredNodes(filters, context)
  const last = nodes.at(-1)
  const full = last !== undefined && nodes.length >= (lastValue(filters.limit) ?? registeredNodeLimitDefault)
  const order = lastValue(filters.order) ?? 'asc'
  const columns = last ? [{ name: 'registerednode.id', last: last.id.toString() }] : []
  const next = full ? nextBoundLink({ path, query, order, columns }) : null
  const texts = nodes.map(({ text }) => text)
  return { body: listBody('registered_nodes', texts, next), next }
}

export const networkRoutes = [nodeListRoute, registeredNodeListRoute]
