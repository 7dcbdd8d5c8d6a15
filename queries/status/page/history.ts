import type { Board } from '#queries/status/find-board.ts'
import type { WholeIncident } from '#queries/status/find-incidents.ts'
import { incidentCard } from '#queries/status/page/incident.ts'
import type { PageContent } from '#queries/status/page/layout.ts'
import { html } from '#queries/status/page/markup.ts'
import { dayAt, monthOf } from '#src/domain/status/zoned-time.ts'

/** `older`: where the list goes on. */
export function historyPage(
  { page }: Board,
  incidents: readonly WholeIncident[],
  older: string | undefined,
): PageContent {
  const byMonth = Map.groupBy(incidents, ({ incident }) => monthOf(dayAt(Date.parse(incident.sortsBy), page.timeZone)))
  const main = html`<h1>History</h1>
    ${incidents.length === 0 ? html`<p>Nothing to tell.</p>` : null}
    ${[...byMonth].map(([month, own]) => html`<section><h2>${month}</h2>${own.map((each) => incidentCard(each, page, 'h3'))}</section>`)}
    ${older === undefined ? null : html`<p><a rel="next" href=${older}>Older</a></p>`}`
  return { page, title: 'History', main }
}
