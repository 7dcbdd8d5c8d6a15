import type { ComponentChildren } from 'preact'
import type { ComponentUptime } from '#queries/status/find-uptime.ts'
import { html } from '#queries/status/page/markup.ts'
import { componentStateNames } from '#queries/status/state-names.ts'
import { type DayUptime, uptimePercent } from '#queries/status/uptime.ts'

/** Colour and height of a day by its downtime; `n` where nothing is known of it. */
type Level = 0 | 1 | 2 | 3 | 'n'

const heights: Readonly<Record<Level, number>> = { 0: 34, 1: 29, 2: 22, 3: 15, n: 2 }
const dayWidth = 10
const barHeight = 34

function levelOf(percent: number | null): Level {
  if (percent === null) return 'n'
  if (percent === 100) return 0
  return percent >= 99 ? 1 : percent >= 90 ? 2 : 3
}

/** Incidents of one day that its button leads to; how many there were is told in any case. */
const incidentsMax = 10

/**
 * Ninety days as a strip: a picture with a table behind a link, of which a script makes a button for each day. Days on which
 * all was well are not told one by one.
 */
export function barOf({ component, days, uptime, incidents }: ComponentUptime): ComponentChildren {
  const told = days.map((day, index) => ({ day, percent: uptimePercent([day]), ids: [...(incidents[index] ?? [])] }))
  const odd = told.flatMap(({ day, percent, ids }, index) => {
    const level = levelOf(percent)
    const state = stateNameOf(day)
    if (level === 0 && state === '' && ids.length === 0) return []
    return [[index, [level, String(percent), state, ids.slice(0, incidentsMax), ids.length]]]
  })
  const label = `Uptime of ${component.name}, ${days.length} days`
  return html`<div class="bar" data-from=${days[0]?.date} data-count=${days.length} data-label=${label} data-days=${JSON.stringify(Object.fromEntries(odd))}>
    <svg viewBox=${`0 0 ${days.length * dayWidth} ${barHeight}`} preserveAspectRatio="none" role="img" aria-label=${`${label}: ${percentText(uptime)}`}>${pictureOf(told.map(({ percent }) => levelOf(percent)))}</svg>
    <div class="ends dim"><span>${days.length} days ago</span><span>${percentText(uptime)} uptime, <a href=${`/uptime#${component.id}`}>day by day</a></span><span>Today</span></div>
  </div>`
}

/** Runs of days of the same level are one shape with gaps: most bars are one run. */
function pictureOf(levels: readonly Level[]): ComponentChildren {
  const byLevel = Map.groupBy(levels.entries(), ([, level]) => level)
  return [...byLevel].map(([level, entries]) => {
    const top = barHeight - heights[level]
    const path = [...entries].map(([index]) => `M${index * dayWidth} ${top}h8v${heights[level]}h-8z`).join('')
    return html`<path class=${`l${level}`} d=${path} />`
  })
}

function stateNameOf({ worst }: DayUptime): string {
  return worst === 'operational' ? '' : componentStateNames[worst].toLowerCase()
}

export function percentText(percent: number | null): string {
  return percent === null ? 'no data' : `${percent} %`
}
