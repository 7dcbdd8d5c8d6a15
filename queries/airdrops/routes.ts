import { type Direction, findAirdrops } from '#queries/airdrops/find-airdrops.ts'
import { outstandingParameters, partyPath, pendingParameters } from '#queries/airdrops/params.ts'
import { type AirdropContext, airdropReads } from '#queries/airdrops/reads.ts'
import { airdropObject } from '#queries/airdrops/render.ts'
import { selectAirdrops } from '#queries/airdrops/selection.ts'
import { notFound } from '#queries/common/errors.ts'
import { findAccount } from '#queries/common/find-entity.ts'
import { defineListRoute, type ListRequest } from '#queries/common/list-route.ts'
import type { Filter, Filters } from '#queries/common/parameters.ts'

const ofAccount = {
  pathParameters: partyPath,
  tag: 'airdrops',
  dialect: 'B',
  maxAge: 1,
  item: airdropObject.schema,
  statuses: { 404: 'There is no account with this alias or EVM address' },
  reads: airdropReads,
  list: 'airdrops',
  render: airdropObject.render,
} as const

const outstandingRoute = defineListRoute({
  path: '/accounts/:id/airdrops/outstanding',
  summary: 'List the airdrops that an account sent and that nobody claimed yet',
  ...ofAccount,
  parameters: outstandingParameters,
  find: (request, context) => findOf('outstanding', request, request.filters['receiver.id'], context),
  position: ({ receiver, token, serial }) => ({ 'receiver.id': receiver, 'token.id': token, ...serialOf(serial) }),
})

const pendingRoute = defineListRoute({
  path: '/accounts/:id/airdrops/pending',
  summary: 'List the airdrops that an account may claim',
  ...ofAccount,
  parameters: pendingParameters,
  find: (request, context) => findOf('pending', request, request.filters['sender.id'], context),
  position: ({ sender, token, serial }) => ({ 'sender.id': sender, 'token.id': token, ...serialOf(serial) }),
})

/** Coins have no serial number. */
function serialOf(serial: bigint) {
  return { serialnumber: serial > 0n ? serial : undefined }
}

interface AirdropRequest
  extends Pick<ListRequest<typeof pendingParameters, typeof partyPath>, 'params' | 'order' | 'limit'> {
  readonly filters: Pick<Filters<typeof pendingParameters>, 'serialnumber' | 'token.id'>
}

async function findOf(
  direction: Direction,
  { filters, params, order, limit }: AirdropRequest,
  party: readonly Filter<bigint>[],
  context: AirdropContext,
) {
  const selection = selectAirdrops({ party, token: filters['token.id'], serial: filters.serialnumber })
  const account = await findAccount(context.rows.airdrops, params.id)
  if (account === undefined) throw notFound('No account found for the given ID')
  return findAirdrops({ account, direction, order, limit }, selection, context)
}

export const airdropRoutes = [outstandingRoute, pendingRoute]
