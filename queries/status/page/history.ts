import type { IncidentRow } from '#projections/status/schema.ts'
import type { Board } from '#queries/status/find-board.ts'
import { addCards } from '#queries/status/page/incident.ts'
import type { PageContent } from '#queries/status/page/layout.ts'
import { html } from '#queries/status/page/markup.ts'
import type { Pieces } from '#queries/status/page/pieces.ts'
import type { StatusContext } from '#queries/status/reads.ts'
import { dayAt, monthOf } from '#src/domain/status/zoned-time.ts'

/** `next`: the first that is not of this page any more. */
export async function historyPage(
  pieces: Pieces,
  context: StatusContext,
  { page }: Board,
  incidents: readonly IncidentRow[],
  next: IncidentRow | undefined,
): Promise<PageContent> {
  pieces.say(html`<h1>History</h1>`)
  if (incidents.length === 0) pieces.say(html`<p>Nothing to tell.</p>`)
  const months = Map.groupBy(incidents, ({ sortsBy }) => monthOf(dayAt(Date.parse(sortsBy), page.timeZone)))
  let older = next
  for (const [month, own] of months) {
    pieces.say(html`<h2>${month}</h2>`)
    const told = await addCards(pieces, context, own, page, 'h3')
    if (told === own.length) continue
    older = own[told]
    break
  }
  if (older !== undefined) pieces.say(html`<p><a rel="next" href=${`/history/from/${older.id}`}>Older</a></p>`)
  return { page, title: 'History', main: pieces.html }
}
