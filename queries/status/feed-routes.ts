import type { ApiRoute } from '#queries/common/route.ts'
import { defineRoute } from '#queries/common/route.ts'
import { siteRoute } from '#queries/status/api-route.ts'
import { atomFeed, type FeedForm, feedOf, rssFeed } from '#queries/status/feeds.ts'
import { readBoard } from '#queries/status/find-board.ts'
import { findIncidents } from '#queries/status/find-incidents.ts'
import { type StatusContext, statusReads } from '#queries/status/reads.ts'
import { rendered } from '#queries/status/rendered.ts'

const entriesMax = 50
const changed = { index: ['updated'], descending: true } as const

function feedRoute(path: string, summary: string, media: string, form: FeedForm): ApiRoute {
  const type = `${media}; charset=utf-8`
  const answer = (_request: unknown, context: StatusContext) =>
    rendered(async () => {
      const body = await readBoard(context, async ({ page }) =>
        feedOf(form, context, page, await findIncidents(context, changed, entriesMax)),
      )
      return { body, type }
    })
  const answers = [{ reads: statusReads, answer }] as const
  return defineRoute({ ...siteRoute, path, summary, body: { type: 'string' }, type: media, answers })
}

/** Incidents and maintenances, newest change first. */
export const feedRoutes = [
  feedRoute('/history.atom', 'Follow incidents and maintenances by an Atom feed', 'application/atom+xml', atomFeed),
  feedRoute('/history.rss', 'Follow incidents and maintenances by an RSS feed', 'application/rss+xml', rssFeed),
]
