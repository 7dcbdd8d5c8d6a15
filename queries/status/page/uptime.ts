import type { ComponentChildren } from 'preact'
import type { ComponentRow } from '#projections/status/schema.ts'
import { type ComponentUptime, findUptime, type UptimeFacts } from '#queries/status/find-uptime.ts'
import { barOf, percentText } from '#queries/status/page/bar.ts'
import type { PageContent } from '#queries/status/page/layout.ts'
import { html } from '#queries/status/page/markup.ts'
import type { Pieces } from '#queries/status/page/pieces.ts'
import { componentStateNames } from '#queries/status/state-names.ts'
import { uptimePercent } from '#queries/status/uptime.ts'
import { minutesOf, uptimeRule } from '#queries/status/uptime-rule.ts'
import { longDay } from '#src/domain/status/zoned-time.ts'

/** Every day that was not well, as a table; the bars with them. */
export async function uptimePage(
  pieces: Pieces,
  facts: UptimeFacts,
  components: readonly ComponentRow[],
): Promise<PageContent> {
  pieces.say(html`<h1>Uptime</h1><p>${uptimeRule}</p>`)
  for (const component of components) {
    const uptime = await findUptime(facts, component)
    if (await pieces.add(sectionOf(uptime))) continue
    pieces.say(html`<p><a rel="next" href=${`/uptime/from/${component.id}`}>More components</a></p>`)
    break
  }
  return { page: facts.board.page, title: 'Uptime', main: pieces.html }
}

function sectionOf(uptime: ComponentUptime): ComponentChildren {
  const { id, name } = uptime.component
  return html`<section id=${id}><h2><bdi>${name}</bdi>: ${percentText(uptime.uptime)}</h2>${barOf(uptime)}${tableOf(uptime)}</section>`
}

function tableOf({ component, days }: ComponentUptime): ComponentChildren {
  const told = days.filter(({ worst }) => worst !== 'operational').toReversed()
  if (told.length === 0) return html`<p class="dim">No day had an outage.</p>`
  return html`<table><caption class="dim">Days of <bdi>${component.name}</bdi> that were not well throughout</caption>
    <thead><tr><th scope="col">Day</th><th scope="col">Uptime</th><th scope="col">Worst</th><th scope="col">Outage, minutes</th></tr></thead>
    <tbody>${told.map(
      (day) =>
        html`<tr><th scope="row">${longDay(day.date)}</th><td>${percentText(uptimePercent([day]))}</td><td>${componentStateNames[day.worst]}</td><td>${minutesOf(day.majorMs)} major, ${minutesOf(day.partialMs)} partial</td></tr>`,
    )}</tbody></table>`
}
