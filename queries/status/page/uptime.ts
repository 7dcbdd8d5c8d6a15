import type { ComponentChildren } from 'preact'
import type { Board } from '#queries/status/find-board.ts'
import type { ComponentUptime } from '#queries/status/find-uptime.ts'
import { barOf, percentText } from '#queries/status/page/bar.ts'
import type { PageContent } from '#queries/status/page/layout.ts'
import { html } from '#queries/status/page/markup.ts'
import { componentStateNames } from '#queries/status/state-names.ts'
import { uptimePercent } from '#queries/status/uptime.ts'
import { minutesOf, uptimeRule } from '#queries/status/uptime-rule.ts'
import { longDay } from '#src/domain/status/zoned-time.ts'

/** Every day that was not well, as a table; the bars with them. */
export function uptimePage({ page }: Board, uptimes: readonly ComponentUptime[]): PageContent {
  const main = html`<h1>Uptime</h1>
    <p>${uptimeRule}</p>
    ${uptimes.map((uptime) => html`<section id=${uptime.component.id}><h2>${uptime.component.name}: ${percentText(uptime.uptime)}</h2>${barOf(uptime)}${tableOf(uptime)}</section>`)}`
  return { page, title: 'Uptime', main }
}

function tableOf({ component, days }: ComponentUptime): ComponentChildren {
  const told = days.filter(({ worst }) => worst !== 'operational').toReversed()
  if (told.length === 0) return html`<p class="dim">No day had an outage.</p>`
  return html`<table><caption class="dim">Days of ${component.name} that were not well throughout</caption>
    <thead><tr><th scope="col">Day</th><th scope="col">Uptime</th><th scope="col">Worst</th><th scope="col">Outage, minutes</th></tr></thead>
    <tbody>${told.map(
      (day) =>
        html`<tr><th scope="row">${longDay(day.date)}</th><td>${percentText(uptimePercent([day]))}</td><td>${componentStateNames[day.worst]}</td><td>${minutesOf(day.majorMs)} major, ${minutesOf(day.partialMs)} partial</td></tr>`,
    )}</tbody></table>`
}
