import { notFound } from '#queries/common/errors.ts'
import type { PathParameter } from '#queries/common/path-parameters.ts'
import { defineRoute } from '#queries/common/route.ts'
import { apiRoute } from '#queries/status/api-route.ts'
import { uptimeSchema } from '#queries/status/body-schema.ts'
import { readBoard } from '#queries/status/find-board.ts'
import { findIncidents, phases } from '#queries/status/find-incidents.ts'
import { type ComponentUptime, findUptime, uptimeFacts } from '#queries/status/find-uptime.ts'
import { statusReads } from '#queries/status/reads.ts'
import { type DayUptime, uptimePercent } from '#queries/status/uptime.ts'
import { minutesOf, uptimeRule } from '#queries/status/uptime-rule.ts'

const idForm = /^[0-9a-z]{12}$/

/** Any text: what is no id names nothing, and is told so. */
export const statusIdPath: PathParameter<string> = {
  description: 'Id of 12 letters and digits',
  schema: { type: 'string', pattern: '^[0-9a-z]{12}$' },
  parse: (text) => text,
}

const uptimePath = { id: statusIdPath }

export const uptimeRoute = defineRoute({
  ...apiRoute,
  path: '/components/:id/uptime.json',
  pathParameters: uptimePath,
  summary: 'Show the uptime of a component over the last ninety days',
  body: uptimeSchema,
  statuses: { 404: 'There is no component with this id' },
  reads: statusReads,
  answer: async ({ params: { id } }, context) => {
    const uptime = await readBoard(context, async (board) => {
      const component = idForm.test(id) ? board.components.find((each) => each.id === id) : undefined
      if (component === undefined) return undefined
      return findUptime(uptimeFacts(context, board, await findIncidents(context, phases.unresolved)), component)
    })
    if (uptime === undefined) throw notFound(`No component has the id ${id.slice(0, 32)}`)
    return { body: JSON.stringify(uptimeDocument(uptime)) }
  },
})

function uptimeDocument({ component, days, uptime }: ComponentUptime) {
  return { component_id: component.id, from: days[0]?.date, days: days.map(dayDocument), uptime, rule: uptimeRule }
}

function dayDocument(day: DayUptime) {
  return {
    date: day.date,
    major_outage_minutes: minutesOf(day.majorMs),
    partial_outage_minutes: minutesOf(day.partialMs),
    uptime: uptimePercent([day]),
  }
}
