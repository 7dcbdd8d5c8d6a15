import type { ComponentChildren } from 'preact'
import type { IncidentRow } from '#projections/status/schema.ts'
import { statusDocument } from '#queries/status/documents.ts'
import type { Board } from '#queries/status/find-board.ts'
import { findPlanned } from '#queries/status/find-incidents.ts'
import { uptimeFacts } from '#queries/status/find-uptime.ts'
import { addComponents } from '#queries/status/page/components.ts'
import { completeness } from '#queries/status/page/evidence.ts'
import { addCards } from '#queries/status/page/incident.ts'
import type { PageContent } from '#queries/status/page/layout.ts'
import { html } from '#queries/status/page/markup.ts'
import { addPastDays, findChanged } from '#queries/status/page/past-days.ts'
import type { Pieces } from '#queries/status/page/pieces.ts'
import type { StatusContext } from '#queries/status/reads.ts'
import { dayAt } from '#src/domain/status/zoned-time.ts'

/** Of what each part of the page may take of it, so that none takes the others' room. */
const openBytesMax = 256 << 10
const plannedBytesMax = 128 << 10
const componentsBytesMax = 384 << 10

export async function homePage(
  pieces: Pieces,
  context: StatusContext,
  board: Board,
  unresolved: readonly IncidentRow[],
): Promise<PageContent> {
  const { page } = board
  const { indicator, description } = statusDocument(board, unresolved)
  // The indicator alone says that all is well while an incident is open; readers would be misled.
  const isMisleading = unresolved.length > 0 && indicator === 'none'
  const headline = isMisleading ? openText(unresolved.length) : description
  const today = dayAt(Number(context.now / 1_000_000n), page.timeZone)
  const planned = await findPlanned(context)
  const inPhase = (wanted: string) => planned.filter(({ phase }) => phase === wanted)
  const section = (title: string, incidents: readonly IncidentRow[], bytesMax: number) =>
    pieces.within(bytesMax, () => addSection(pieces, context, board, title, incidents))

  pieces.say(html`<h1 class=${`headline ${isMisleading ? 'minor' : indicator}`}>${headline}</h1>`)
  pieces.say(leftOut(await context.setAside('status')))
  await section('Open incidents', unresolved, openBytesMax)
  await section('Maintenance in progress', inPhase('active'), plannedBytesMax)
  pieces.say(html`<h2>Components</h2>`)
  await pieces.within(componentsBytesMax, () => addComponents(pieces, uptimeFacts(context, board, unresolved)))
  pieces.say(completeness(context.health))
  await section('Planned maintenance', inPhase('upcoming'), plannedBytesMax)
  pieces.say(html`<h2>Past days</h2>`)
  const changed = await findChanged(context, today, page.timeZone)
  await addPastDays(pieces, context, { page, today, unresolved, changed })
  pieces.say(html`<p><a href="/history">All of the history</a></p>`)
  return { page, title: headline, main: pieces.html, refresh: String(page.position) }
}

/** What is missing is nobody's secret: readers must not take the page for whole. */
function leftOut(count: number): ComponentChildren {
  if (count === 0) return null
  const what = count === 1 ? 'One entry of its records is' : `${count} entries of its records are`
  return html`<p class="card">This page is not complete: ${what} of a form that it cannot show.</p>`
}

function openText(count: number): string {
  return count === 1 ? 'One incident is open' : `${count} incidents are open`
}

async function addSection(
  pieces: Pieces,
  context: StatusContext,
  { page }: Board,
  title: string,
  incidents: readonly IncidentRow[],
): Promise<void> {
  if (incidents.length === 0) return
  pieces.say(html`<h2>${title}</h2>`)
  const told = await addCards(pieces, context, incidents, page, 'h3')
  const next = incidents[told]
  if (next === undefined) return
  const more = incidents.length - told
  pieces.say(
    html`<p><a href=${`/incidents/${next.id}`}><bdi>${next.name}</bdi></a>${more > 1 ? html` and <a href="/history">${more - 1} more</a>` : null}</p>`,
  )
}
