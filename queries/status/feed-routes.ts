import type { PageRow } from '#projections/status/schema.ts'
import type { ApiRoute } from '#queries/common/route.ts'
import { defineRoute } from '#queries/common/route.ts'
import { siteRoute } from '#queries/status/api-route.ts'
import { atomFeed, rssFeed } from '#queries/status/feeds.ts'
import { readBoard } from '#queries/status/find-board.ts'
import { findIncidents, type WholeIncident } from '#queries/status/find-incidents.ts'
import { type StatusContext, statusReads } from '#queries/status/reads.ts'

const entriesMax = 50

function feedRoute(
  path: string,
  summary: string,
  media: string,
  write: (page: PageRow, entries: readonly WholeIncident[]) => string,
): ApiRoute {
  const answer = async (_request: unknown, context: StatusContext) => {
    const body = await readBoard(context, async ({ page }) =>
      write(page, await findIncidents(context, { index: ['updated'], descending: true, limit: entriesMax })),
    )
    return { body, type: `${media}; charset=utf-8` }
  }
  const answers = [{ reads: statusReads, answer }] as const
  return defineRoute({ ...siteRoute, path, summary, body: { type: 'string' }, type: media, answers })
}

/** Incidents and maintenances, newest change first. */
export const feedRoutes = [
  feedRoute('/history.atom', 'Follow incidents and maintenances by an Atom feed', 'application/atom+xml', atomFeed),
  feedRoute('/history.rss', 'Follow incidents and maintenances by an RSS feed', 'application/rss+xml', rssFeed),
]
