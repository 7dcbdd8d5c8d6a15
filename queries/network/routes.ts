import { invalidParameters } from '#queries/common/errors.ts'
import { defineListRoute, type ListRequest } from '#queries/common/list-route.ts'
import { isEmpty, selectionOf } from '#queries/common/range.ts'
import { registeredNodeSchema } from '#queries/network/body-schema.ts'
import { findNodes } from '#queries/network/find-nodes.ts'
import { findRegisteredNodes } from '#queries/network/find-registered-nodes.ts'
import { nodeParameters, registeredNodeParameters } from '#queries/network/params.ts'
import { networkReads } from '#queries/network/reads.ts'
import { nodeObject } from '#queries/network/render.ts'

const ofNetwork = { tag: 'network', dialect: 'B-object', maxAge: 60, reads: networkReads } as const

const nodeListRoute = defineListRoute({
  path: '/network/nodes',
  summary: 'List the consensus nodes of the newest address book',
  ...ofNetwork,
  parameters: nodeParameters,
  item: nodeObject.schema,
  list: 'nodes',
  find: (request, context) => {
    assertNodeFilters(request)
    return findNodes(request, context)
  },
  render: nodeObject.render,
  position: ({ entry }) => ({ 'node.id': entry.nodeId }),
})

/** What is only wrong in combination. */
function assertNodeFilters({ query, filters }: ListRequest<typeof nodeParameters>): void {
  const repeated = query.find(
    ({ name, values }) => values.length > 1 && (name === 'file.id' || name === 'limit' || name === 'order'),
  )
  if (repeated) throw invalidParameters([`Only a single instance is supported for ${repeated.name}`])
  if (filters['file.id'].some(({ operator }) => operator !== 'eq'))
    throw invalidParameters(['Only equality operator is supported for file.id'])
  if (isEmpty(selectionOf(filters['node.id']))) throw invalidParameters(['Invalid range provided for node.id'])
}

const registeredNodeListRoute = defineListRoute({
  path: '/network/registered-nodes',
  summary: 'List the registered nodes',
  ...ofNetwork,
  parameters: registeredNodeParameters,
  item: registeredNodeSchema,
  list: 'registered_nodes',
  find: (request, context) => {
    const ids = request.filters['registerednode.id']
    if (ids.length > 1 && ids.some(({ operator }) => operator === 'eq'))
      throw invalidParameters(["The 'eq' operator cannot be combined with other operators"])
    if (isEmpty(selectionOf(ids))) throw invalidParameters(['Invalid range: lower bound exceeds upper bound'])
    return findRegisteredNodes(request, context)
  },
  render: ({ text }) => text,
  position: ({ id }) => ({ 'registerednode.id': id }),
})

export const networkRoutes = [nodeListRoute, registeredNodeListRoute]
