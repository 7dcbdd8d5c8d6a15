import { airdropsBodySchema } from '#queries/airdrops/body-schema.ts'
import { type Direction, findAirdrops } from '#queries/airdrops/find-airdrops.ts'
import { outstandingParameters, pageDefault, partyPath, pendingParameters } from '#queries/airdrops/params.ts'
import { type AirdropContext, airdropReads } from '#queries/airdrops/reads.ts'
import { renderAirdrop } from '#queries/airdrops/render.ts'
import { selectAirdrops } from '#queries/airdrops/selection.ts'
import { nextBoundLink } from '#queries/common/bound-links.ts'
import { entityIdColumn } from '#queries/common/entity-id-parameter.ts'
import { notFound } from '#queries/common/errors.ts'
import { findAccount } from '#queries/common/find-entity.ts'
import { listBody } from '#queries/common/list-body.ts'
import { type Filter, type Filters, lastValue } from '#queries/common/parameters.ts'
import { type Answer, defineRoute, type QueryRequest } from '#queries/common/route.ts'

const ofAccount = {
  pathParameters: partyPath,
  tag: 'airdrops',
  family: 'B',
  maxAge: 1,
  body: airdropsBodySchema,
  statuses: { 404: 'There is no account with this alias or EVM address' },
} as const

const outstandingRoute = defineRoute({
  path: '/accounts/:id/airdrops/outstanding',
  summary: 'List the airdrops that an account sent and that nobody claimed yet',
  ...ofAccount,
  parameters: outstandingParameters,
  answers: [
    {
      reads: airdropReads,
      answer: (request: QueryRequest<typeof outstandingParameters, typeof partyPath>, context: AirdropContext) =>
        answerAirdrops('outstanding', request, request.filters['receiver.id'], context),
    },
  ],
})

const pendingRoute = defineRoute({
  path: '/accounts/:id/airdrops/pending',
  summary: 'List the airdrops that an account may claim',
  ...ofAccount,
  parameters: pendingParameters,
  answers: [
    {
      reads: airdropReads,
      answer: (request: QueryRequest<typeof pendingParameters, typeof partyPath>, context: AirdropContext) =>
        answerAirdrops('pending', request, request.filters['sender.id'], context),
    },
  ],
})

type CommonFilters = Pick<Filters<typeof pendingParameters>, 'limit' | 'order' | 'serialnumber' | 'token.id'>

interface AirdropRequest
  extends Pick<QueryRequest<typeof pendingParameters, typeof partyPath>, 'path' | 'query' | 'params'> {
  readonly filters: CommonFilters
}

async function answerAirdrops(
  direction: Direction,
  { path, query, filters, params }: AirdropRequest,
  party: readonly Filter<bigint>[],
  context: AirdropContext,
): Promise<Answer> {
  const { rows, checkpoint, settings } = context
  const selection = selectAirdrops({ party, token: filters['token.id'], serial: filters.serialnumber })
  const account = await findAccount(rows.airdrops, params.id, checkpoint)
  if (account === undefined) throw notFound('No account found for the given ID')
  const order = lastValue(filters.order) ?? 'asc'
  const limit = lastValue(filters.limit) ?? pageDefault
  const airdrops = await findAirdrops({ account, direction, order, limit }, selection, context)
  const last = airdrops.length === limit ? airdrops.at(-1) : undefined
  if (last === undefined) return { body: listBody('airdrops', airdrops.map(renderAirdrop), null), next: null }
  const isNft = last.serial > 0n
  const next = nextBoundLink({
    ...{ path, query, order },
    columns: [
      direction === 'outstanding'
        ? entityIdColumn('receiver.id', last.receiver, settings)
        : entityIdColumn('sender.id', last.sender, settings),
      entityIdColumn('token.id', last.token, settings),
      ...(isNft ? [{ name: 'serialnumber', last: last.serial.toString() }] : []),
    ],
    dropped: isNft ? [] : ['serialnumber'],
  })
  return { body: listBody('airdrops', airdrops.map(renderAirdrop), next), next }
}

export const airdropRoutes = [outstandingRoute, pendingRoute]
