import type { IncidentRow } from '#projections/status/schema.ts'
import type { Parameter } from '#queries/common/parameters.ts'
import { lastValue } from '#queries/common/parameters.ts'
import type { PathParameters } from '#queries/common/path-parameters.ts'
import type { Answer, ApiRoute, QueryRequest } from '#queries/common/route.ts'
import { defineRoute } from '#queries/common/route.ts'
import { siteRoute } from '#queries/status/api-route.ts'
import { type Board, readBoard } from '#queries/status/find-board.ts'
import {
  findHistory,
  findIncident,
  findIncidents,
  findNewest,
  findUpdate,
  phases,
  readWhole,
} from '#queries/status/find-incidents.ts'
import { uptimeFacts } from '#queries/status/find-uptime.ts'
import { historyPage } from '#queries/status/page/history.ts'
import { homePage } from '#queries/status/page/home.ts'
import { incidentCard } from '#queries/status/page/incident.ts'
import { type PageContent, pageAnswer } from '#queries/status/page/layout.ts'
import { html } from '#queries/status/page/markup.ts'
import { Pieces } from '#queries/status/page/pieces.ts'
import { uptimePage } from '#queries/status/page/uptime.ts'
import { type StatusContext, statusReads } from '#queries/status/reads.ts'
import { rendered } from '#queries/status/rendered.ts'
import { statusIdPath } from '#queries/status/uptime-route.ts'
import { isShownInstant } from '#src/domain/status/shown-values.ts'

/** Of what stands between the head and the foot of a page. */
const pageBytesMax = 1 << 20
/** Of the texts of an incident on its own page. */
const incidentCharactersMax = 400_000
const historyRows = 50
const page = { ...siteRoute, body: { type: 'string' }, type: 'text/html' } as const
const idPath = { id: statusIdPath }
const updatePath = { ...idPath, update: statusIdPath }
const unknown = { 404: 'There is none with this id' }

type Write<A> = (pieces: Pieces, context: StatusContext, board: Board, params: A) => Promise<PageContent>

/** A page, read in one state and put together in steps. */
async function write<A>(context: StatusContext, params: A, content: Write<A>): Promise<Answer> {
  const { pause } = context
  return rendered(async () =>
    pageAnswer(
      await readBoard(context, (board) =>
        content(new Pieces({ pause, bytesMax: pageBytesMax }), context, board, params),
      ),
    ),
  )
}

function pageRoute(path: string, summary: string, content: Write<unknown>): ApiRoute {
  const answer = (_request: unknown, context: StatusContext) => write(context, undefined, content)
  return defineRoute({ ...page, path, summary, answers: [{ reads: statusReads, answer }] })
}

function pageOfRoute<A extends PathParameters>(
  path: string,
  summary: string,
  pathParameters: A,
  content: Write<QueryRequest<typeof siteRoute.parameters, A>['params']>,
): ApiRoute {
  const answer = ({ params }: QueryRequest<typeof siteRoute.parameters, A>, context: StatusContext) =>
    write(context, params, content)
  return defineRoute({
    ...page,
    path,
    pathParameters,
    summary,
    statuses: unknown,
    answers: [{ reads: statusReads, answer }],
  })
}

const homeRoute = pageRoute('/', 'Show the page', async (pieces, context, board) =>
  homePage(pieces, context, board, await findIncidents(context, phases.unresolved)),
)

const uptimeRoute = pageRoute('/uptime', 'Show the uptime of the components', (pieces, context, board) =>
  uptimeFrom(pieces, context, board, undefined),
)

const moreUptimeRoute = pageOfRoute(
  '/uptime/from/:id',
  'Show the uptime of the components from one on',
  idPath,
  (pieces, context, board, { id }) => uptimeFrom(pieces, context, board, id),
)

async function uptimeFrom(pieces: Pieces, context: StatusContext, board: Board, id: string | undefined) {
  const all = board.components.filter(({ showcase }) => showcase)
  const first = id === undefined ? 0 : all.findIndex((component) => component.id === id)
  if (first === -1) return notFoundPage(board, 'component')
  const facts = uptimeFacts(context, board, await findIncidents(context, phases.unresolved))
  return uptimePage(pieces, facts, all.slice(first))
}

const before: Parameter<string> = {
  name: 'before',
  description: 'Only what began, or was planned, before this time.',
  schema: { type: 'string', format: 'date-time' },
  operators: [],
  repeatable: false,
  parse: instantOf,
}

function instantOf(text: string): string | undefined {
  const ms = Date.parse(text)
  const instant = Number.isNaN(ms) ? '' : new Date(ms).toISOString()
  return isShownInstant(instant) ? instant : undefined
}

const historyParameters = { before }

const historyRoute = defineRoute({
  ...page,
  path: '/history',
  summary: 'Show incidents and maintenances of the past',
  parameters: historyParameters,
  keepsLast: false,
  answers: [
    {
      reads: statusReads,
      answer: async ({ filters }: QueryRequest<typeof historyParameters>, context: StatusContext) => {
        const last = lastValue(filters.before)
        return write(context, undefined, async (pieces, _context, board) =>
          historyOf(pieces, context, board, await findNewest(context, last, historyRows + 1)),
        )
      },
    },
  ],
})

const moreHistoryRoute = pageOfRoute(
  '/history/from/:id',
  'Show incidents and maintenances of the past from one on',
  idPath,
  async (pieces, context, board, { id }) => {
    const from = await findIncident(context, id)
    if (from === undefined) return notFoundPage(board, 'incident')
    return historyOf(pieces, context, board, await findHistory(context, from, historyRows + 1))
  },
)

function historyOf(pieces: Pieces, context: StatusContext, board: Board, found: readonly IncidentRow[]) {
  return historyPage(pieces, context, board, found.slice(0, historyRows), found[historyRows])
}

const incidentRoute = pageOfRoute(
  '/incidents/:id',
  'Show an incident or a maintenance',
  idPath,
  (pieces, context, board, { id }) => incidentPage(pieces, context, board, id, undefined),
)

const moreOfIncidentRoute = pageOfRoute(
  '/incidents/:id/from/:update',
  'Show an incident or a maintenance from one of its updates back',
  updatePath,
  (pieces, context, board, { id, update }) => incidentPage(pieces, context, board, id, update),
)

async function incidentPage(
  pieces: Pieces,
  context: StatusContext,
  board: Board,
  id: string,
  updateId: string | undefined,
): Promise<PageContent> {
  const incident = await findIncident(context, id)
  const from = updateId === undefined ? undefined : await findUpdate(context, id, updateId)
  if (incident === undefined || (updateId !== undefined && from === undefined)) return notFoundPage(board, 'incident')
  const whole = await readWhole(context, incident, incidentCharactersMax, from)
  pieces.say(incidentCard(whole, board.page, 'h1'))
  return { page: board.page, title: incident.name, main: pieces.html }
}

function notFoundPage({ page: row }: Board, what: string): PageContent {
  const pieces = new Pieces({ pause: async () => undefined, bytesMax: pageBytesMax })
  pieces.say(
    html`<h1>Not found</h1><p>There is no ${what} here. <a href="/history">The history</a> has all incidents.</p>`,
  )
  return { page: row, title: 'Not found', main: pieces.html, status: 404 }
}

const shortRoute = defineRoute({
  ...page,
  path: '/i/:id',
  pathParameters: idPath,
  summary: 'Lead from the short address of an incident to the incident',
  statuses: { 301: 'To the incident' },
  answers: [
    {
      reads: statusReads,
      answer: async ({ params: { id } }: QueryRequest<typeof siteRoute.parameters, typeof idPath>) => ({
        body: '',
        status: 301,
        type: 'text/plain',
        headers: { location: `/incidents/${encodeURIComponent(id)}` },
      }),
    },
  ],
})

export const statusPageRoutes = [
  homeRoute,
  historyRoute,
  moreHistoryRoute,
  uptimeRoute,
  moreUptimeRoute,
  incidentRoute,
  moreOfIncidentRoute,
  shortRoute,
]
