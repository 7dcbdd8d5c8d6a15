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
import { componentDocuments, incidentDocument, pageDocument, statusDocument } from '#queries/status/documents.ts'
import { type Board, readBoard } from '#queries/status/find-board.ts'
import { findIncidents, phases, type WholeIncident } from '#queries/status/find-incidents.ts'
import { healthDocument } from '#queries/status/health-document.ts'
import { type StatusContext, statusReads } from '#queries/status/reads.ts'
import { uptimeRoute } from '#queries/status/uptime-route.ts'

/** The hosted product gives so many; more are in its history. */
const incidentsMax = 50

/** A document of the family: how it is told from the page, read in one state. */
function documentRoute(
  path: string,
  summary: string,
  body: object,
  read: (context: StatusContext, board: Board) => Promise<object>,
): ApiRoute {
  const answer = async (_request: unknown, context: StatusContext) => {
    const document = await readBoard(context, async (board) => ({
      page: pageDocument(board.page),
      ...(await read(context, board)),
    }))
    return { body: JSON.stringify(document) }
  }
  return defineRoute({ ...apiRoute, path, summary, body, answers: [{ reads: statusReads, answer }] })
}

const documentsOf = (found: readonly WholeIncident[], board: Board) =>
  found.map((each) => incidentDocument(each, board))

const maintenances = async (found: Promise<WholeIncident[]>, board: Board) => ({
  scheduled_maintenances: documentsOf(await found, board),
})

export const statusApiRoutes = [
  documentRoute(
    '/summary.json',
    'Show the page with its components, unresolved incidents, and maintenances that come or are on',
    summarySchema,
    async (context, board) => {
      const unresolved = await findIncidents(context, phases.unresolved)
      return {
        components: componentDocuments(board),
        incidents: documentsOf(unresolved, board),
        scheduled_maintenances: documentsOf(await findPlanned(context), board),
        status: statusDocument(board, unresolved),
      }
    },
  ),
  documentRoute('/status.json', 'Show how the page is as a whole', statusOnlySchema, async (context, board) => ({
    status: statusDocument(board, await findIncidents(context, phases.unresolved)),
  })),
  documentRoute('/components.json', 'List components', componentsSchema, async (_context, board) => ({
    components: componentDocuments(board),
  })),
  documentRoute('/incidents.json', 'List the newest incidents', incidentsSchema, async (context, board) => ({
    incidents: documentsOf(
      await findIncidents(context, {
        index: ['kind', 'sortsBy'],
        prefix: ['incident'],
        descending: true,
        limit: incidentsMax,
      }),
      board,
    ),
  })),
  documentRoute('/incidents/unresolved.json', 'List unresolved incidents', incidentsSchema, async (context, board) => ({
    incidents: documentsOf(await findIncidents(context, phases.unresolved), board),
  })),
  documentRoute('/scheduled-maintenances.json', 'List all maintenances', maintenancesSchema, (context, board) =>
    maintenances(
      findIncidents(context, { index: ['kind', 'sortsBy'], prefix: ['maintenance'], descending: true }),
      board,
    ),
  ),
  documentRoute(
    '/scheduled-maintenances/upcoming.json',
    'List maintenances that have not begun',
    maintenancesSchema,
    (context, board) => maintenances(findIncidents(context, phases.upcoming), board),
  ),
  documentRoute(
    '/scheduled-maintenances/active.json',
    'List maintenances that are on',
    maintenancesSchema,
    (context, board) => maintenances(findIncidents(context, phases.active), board),
  ),
  {
    ...documentRoute(
      '/health.json',
      'Show what the status of components is judged by',
      healthSchema,
      async (context, { page }) => healthDocument(context.health, page.timeZone),
    ),
    // What was measured a while ago is no evidence.
    maxAge: 1,
    keepsLast: false,
  },
  uptimeRoute,
]

/** Maintenances that come or are on, earliest first. */
export async function findPlanned(context: StatusContext): Promise<WholeIncident[]> {
  const found = [...(await findIncidents(context, phases.active)), ...(await findIncidents(context, phases.upcoming))]
  return found.sort(({ incident: a }, { incident: b }) => compare(a.sortsBy, b.sortsBy) || compare(a.id, b.id))
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
