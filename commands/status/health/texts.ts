import type { ComponentState } from '#commands/status/state.ts'
import { figureText } from '#src/domain/status/health-words.ts'
import type { ComponentStatus } from '#src/domain/status/words.ts'
import { longDay } from '#src/domain/status/zoned-time.ts'

type Change = NonNullable<ComponentState['health_change']>

const nameCharactersMax = 255

/** Behind the name of a component, whatever that is: `Read models`, `REST API`. */
const words: Readonly<Record<ComponentStatus, string>> = {
  operational: 'operational',
  under_maintenance: 'under maintenance',
  degraded_performance: 'degraded performance',
  partial_outage: 'partial outage',
  major_outage: 'major outage',
}

/** Name of an incident that the rules open: `Read models: degraded performance`. */
export function incidentName({ name }: ComponentState, { status }: Change): string {
  const state = `: ${words[status]}`
  return name.slice(0, nameCharactersMax - state.length).toWellFormed() + state
}

/** What readers are told of a change of level. */
export function bodyOf(
  { name }: ComponentState,
  { status, evidence, at }: Change,
  cause: ComponentState | undefined,
): string {
  const also = cause === undefined ? '' : ` There is trouble with ${cause.name} as well, which may be why.`
  const since = timeOf(evidence.since, at)
  if (evidence.reason === 'silence')
    return `${name}: nothing has been measured since ${since}, so this counts as an outage.${also}`
  const figure = evidence.value === null ? '' : `, ${figureText(evidence.metric, evidence.value)}`
  if (status === 'operational') return `${name}: well again${figure}.`
  return `${name}: ${words[status]} since ${since}${figure}.${also}`
}

export const stableBody = 'Everything has been well for a while since. The incident is over.'

/** `14:05:10 UTC`, with the day where that is another one. */
function timeOf(instant: string, at: string): string {
  const time = `${instant.slice(11, 19)} UTC`
  const day = instant.slice(0, 10)
  return day === at.slice(0, 10) ? time : `${longDay(day)}, ${time}`
}
