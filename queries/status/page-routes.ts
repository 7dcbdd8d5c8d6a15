import type { Parameter } from '#queries/common/parameters.ts'
import { lastValue } from '#queries/common/parameters.ts'
import type { Answer, ApiRoute, QueryRequest } from '#queries/common/route.ts'
import { defineRoute } from '#queries/common/route.ts'
import { siteRoute } from '#queries/status/api-route.ts'
import { findPlanned } from '#queries/status/api-routes.ts'
import { type Board, readBoard } from '#queries/status/find-board.ts'
import { findIncident, findIncidents, phases, type WholeIncident } from '#queries/status/find-incidents.ts'
import { type ComponentUptime, findUptime } from '#queries/status/find-uptime.ts'
import { historyPage } from '#queries/status/page/history.ts'
import { homePage, pastDays } from '#queries/status/page/home.ts'
import { incidentCard } from '#queries/status/page/incident.ts'
import { type PageContent, pageAnswer } from '#queries/status/page/layout.ts'
import { html } from '#queries/status/page/markup.ts'
import { uptimePage } from '#queries/status/page/uptime.ts'
import { type StatusContext, statusReads } from '#queries/status/reads.ts'
import { statusIdPath } from '#queries/status/uptime-route.ts'
import { addDays, dayAt, startOfDay } from '#src/domain/status/zoned-time.ts'

const historyRows = 50
const page = { ...siteRoute, body: { type: 'string' }, type: 'text/html' } as const
const idPath = { id: statusIdPath }
type IdRequest = QueryRequest<typeof siteRoute.parameters, typeof idPath>

function pageRoute(
  path: string,
  summary: string,
  read: (context: StatusContext, board: Board) => Promise<PageContent>,
): ApiRoute {
  const answer = async (_request: unknown, context: StatusContext): Promise<Answer> =>
    pageAnswer(await readBoard(context, (board) => read(context, board)))
  return defineRoute({ ...page, path, summary, answers: [{ reads: statusReads, answer }] })
}

const homeRoute = pageRoute('/', 'Show the page', async (context, board) => {
  const today = dayAt(Number(context.now / 1_000_000n), board.page.timeZone)
  const first = new Date(startOfDay(addDays(today, 1 - pastDays), board.page.timeZone)).toISOString()
  const unresolved = await findIncidents(context, phases.unresolved)
  const uptimes = await findUptimes(context, board, unresolved)
  return homePage({
    board,
    unresolved,
    planned: await findPlanned(context),
    past: (await findSince(context, first)).filter(({ incident }) => incident.phase === 'past'),
    uptimes: new Map(uptimes.map((uptime) => [uptime.component.id, uptime])),
    today,
    health: context.health,
    setAside: await context.setAside('status'),
  })
})

const uptimeRoute = pageRoute('/uptime', 'Show the uptime of the components', async (context, board) =>
  uptimePage(board, await findUptimes(context, board, await findIncidents(context, phases.unresolved))),
)

async function findUptimes(
  context: StatusContext,
  board: Board,
  unresolved: readonly WholeIncident[],
): Promise<ComponentUptime[]> {
  const found: ComponentUptime[] = []
  for (const component of board.components)
    if (component.showcase) found.push(await findUptime(context, board, component, unresolved))
  return found
}

/** Incidents and maintenances that changed since an instant, newest first. */
async function findSince(context: StatusContext, instant: string): Promise<WholeIncident[]> {
  return findIncidents(context, { index: ['updated'], lower: { value: instant, inclusive: true }, descending: true })
}

const before: Parameter<string> = {
  name: 'before',
  description: 'Only what began, or was planned, before this time.',
  schema: { type: 'string', format: 'date-time' },
  operators: [],
  repeatable: false,
  parse: (text) => (Number.isNaN(Date.parse(text)) ? undefined : new Date(text).toISOString()),
}
const historyParameters = { before }

const historyRoute = defineRoute({
  ...page,
  path: '/history',
  summary: 'Show incidents and maintenances of the past',
  parameters: historyParameters,
  keepsLast: false,
  answers: [{ reads: statusReads, answer: answerHistory }],
})

async function answerHistory(
  { filters }: QueryRequest<typeof historyParameters>,
  context: StatusContext,
): Promise<Answer> {
  const last = lastValue(filters.before)
  const content = await readBoard(context, async (board) => {
    const found = await Promise.all(['incident', 'maintenance'].map((kind) => findBefore(context, kind, last)))
    const sorted = found
      .flat()
      .sort((a, b) => (a.incident.sortsBy < b.incident.sortsBy ? 1 : -1))
      .slice(0, historyRows)
    const oldest = sorted.length < historyRows ? undefined : sorted.at(-1)?.incident.sortsBy
    return historyPage(board, sorted, oldest === undefined ? undefined : `/history?before=${oldest}`)
  })
  return pageAnswer(content)
}

function findBefore(context: StatusContext, kind: string, last: string | undefined): Promise<WholeIncident[]> {
  return findIncidents(context, {
    index: ['kind', 'sortsBy'],
    prefix: [kind],
    ...(last !== undefined && { upper: { value: last, inclusive: false } }),
    descending: true,
    limit: historyRows,
  })
}

const incidentRoute = defineRoute({
  ...page,
  path: '/incidents/:id',
  pathParameters: idPath,
  summary: 'Show an incident or a maintenance',
  statuses: { 404: 'There is none with this id' },
  answers: [{ reads: statusReads, answer: answerIncident }],
})

async function answerIncident({ params: { id } }: IdRequest, context: StatusContext): Promise<Answer> {
  const content = await readBoard(context, async ({ page: row }): Promise<PageContent> => {
    const whole = await findIncident(context, id)
    if (whole !== undefined) return { page: row, title: whole.incident.name, main: incidentCard(whole, row, 'h1') }
    const main = html`<h1>Not found</h1><p>There is no incident here. <a href="/history">The history</a> has all of them.</p>`
    return { page: row, title: 'Not found', main, status: 404 }
  })
  return pageAnswer(content)
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
      answer: async ({ params: { id } }: IdRequest) => ({
        body: '',
        status: 301,
        type: 'text/plain',
        headers: { location: `/incidents/${encodeURIComponent(id)}` },
      }),
    },
  ],
})

export const statusPageRoutes = [homeRoute, historyRoute, uptimeRoute, incidentRoute, shortRoute]
