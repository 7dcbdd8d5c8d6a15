import type { ApiRoute } from '#queries/common/route.ts'
import { defineRoute } from '#queries/common/route.ts'
import { apiRoute } from '#queries/status/api-route.ts'
import {
  componentsSchema,
  healthSchema,
  incidentsSchema,
  maintenancesSchema,
  statusOnlySchema,
  summarySchema,
} from '#queries/status/body-schema.ts'
import { componentDocuments, pageDocument, statusDocument } from '#queries/status/documents.ts'
import { type Board, readBoard } from '#queries/status/find-board.ts'
import { findIncidents, findPlanned, phases } from '#queries/status/find-incidents.ts'
import { healthMembers } from '#queries/status/health-document.ts'
import { IncidentLists } from '#queries/status/incident-lists.ts'
import { type StatusContext, statusReads } from '#queries/status/reads.ts'
import { rendered } from '#queries/status/rendered.ts'
import { uptimeRoute } from '#queries/status/uptime-route.ts'

/** The hosted product gives so many; more are in its history. */
const incidentsMax = 50
/** Of the maintenances of all times. */
const maintenancesMax = 500

/** Members of a document behind its page, as JSON. */
type Members = Readonly<Record<string, string>>

/** A document of the page: how it is told from the page, read in one state. */
function documentRoute(
  path: string,
  summary: string,
  body: object,
  read: (context: StatusContext, board: Board, lists: IncidentLists) => Promise<Members>,
): ApiRoute {
  const answer = (_request: unknown, context: StatusContext) =>
    rendered(async () => ({
      body: await readBoard(context, async (board) => {
        const members = await read(context, board, new IncidentLists(context, board))
        return documentOf({ page: JSON.stringify(pageDocument(board.page)), ...members })
      }),
    }))
  return defineRoute({ ...apiRoute, path, summary, body, answers: [{ reads: statusReads, answer }] })
}

function documentOf(members: Members): string {
  return `{${Object.entries(members)
    .map(([name, value]) => `${JSON.stringify(name)}:${value}`)
    .join(',')}}`
}

const newest = { index: ['kind', 'sortsBy'], prefix: ['incident'], descending: true } as const
const allPlanned = { index: ['kind', 'sortsBy'], prefix: ['maintenance'], descending: true } as const

export const statusApiRoutes = [
  documentRoute(
    '/summary.json',
    'Show the page with its components, unresolved incidents, and maintenances that come or are on',
    summarySchema,
    async (context, board, lists) => {
      const unresolved = await findIncidents(context, phases.unresolved)
      const components = JSON.stringify(componentDocuments(board))
      const incidents = await lists.of(unresolved)
      const scheduled_maintenances = await lists.of(await findPlanned(context))
      const status = JSON.stringify(statusDocument(board, unresolved))
      return { components, incidents, scheduled_maintenances, status }
    },
  ),
  documentRoute('/status.json', 'Show how the page is as a whole', statusOnlySchema, async (context, board) => ({
    status: JSON.stringify(statusDocument(board, await findIncidents(context, phases.unresolved))),
  })),
  documentRoute('/components.json', 'List components', componentsSchema, async (_context, board) => ({
    components: JSON.stringify(componentDocuments(board)),
  })),
  documentRoute('/incidents.json', 'List the newest incidents', incidentsSchema, async (context, _board, lists) => ({
    incidents: await lists.of(await findIncidents(context, newest, incidentsMax)),
  })),
  documentRoute(
    '/incidents/unresolved.json',
    'List unresolved incidents',
    incidentsSchema,
    async (context, _board, lists) => ({ incidents: await lists.of(await findIncidents(context, phases.unresolved)) }),
  ),
  documentRoute(
    '/scheduled-maintenances.json',
    'List maintenances of all times',
    maintenancesSchema,
    async (context, _board, lists) => ({
      scheduled_maintenances: await lists.of(await findIncidents(context, allPlanned, maintenancesMax)),
    }),
  ),
  documentRoute(
    '/scheduled-maintenances/upcoming.json',
    'List maintenances that have not begun',
    maintenancesSchema,
    async (context, _board, lists) => ({
      scheduled_maintenances: await lists.of(await findIncidents(context, phases.upcoming)),
    }),
  ),
  documentRoute(
    '/scheduled-maintenances/active.json',
    'List maintenances that are on',
    maintenancesSchema,
    async (context, _board, lists) => ({
      scheduled_maintenances: await lists.of(await findIncidents(context, phases.active)),
    }),
  ),
  {
    ...documentRoute(
      '/health.json',
      'Show what the status of components is judged by',
      healthSchema,
      async (context, { page }) => healthMembers(context.health, page.timeZone),
    ),
    // What was measured a while ago is no evidence.
    maxAge: 1,
    keepsLast: false,
  },
  uptimeRoute,
]
