import type { ComponentState } from '#commands/status/state.ts'
import type { ComponentStatus } from '#src/domain/status/words.ts'

type Change = NonNullable<ComponentState['health_change']>

const seconds = (value: number): string =>
  value < 120 ? `${Math.round(value * 10) / 10} s` : `${Math.round(value / 60)} min`
const share = (value: number): string => `${Math.round(value * 1_000) / 10} %`

/** What a figure says, after the name of the component and a colon. */
const measured: Readonly<Record<string, (value: number) => string>> = {
  importer_lag_seconds: (value) => `the newest transaction is ${seconds(value)} old`,
  source_quiet_seconds: (value) =>
    value === 0 ? 'the network is heard of' : `nothing new has come from the network for ${seconds(value)}`,
  import_failures: () => 'the import has stopped and needs a person',
  projection_lag_seconds: (value) => `${seconds(value)} behind the log`,
  projection_stalled_seconds: (value) => (value === 0 ? 'nothing stands still' : `no progress for ${seconds(value)}`),
  http_error_ratio: (value) => `${share(value)} of requests fail`,
  http_slow_ratio: (value) => `${share(value)} of requests take longer than a second`,
  decisions_seconds: (value) => `the decision store answers after ${seconds(value)}`,
}

const words: Readonly<Record<ComponentStatus, string>> = {
  operational: 'works',
  under_maintenance: 'is under maintenance',
  degraded_performance: 'is degraded',
  partial_outage: 'works in part only',
  major_outage: 'does not work',
}

/** Name of an incident that the rules open. */
export function incidentName({ name }: ComponentState, { status }: Change): string {
  return `${name} ${words[status]}`
}

/** What readers are told of a change of level. */
export function bodyOf(
  { name }: ComponentState,
  { status, evidence }: Change,
  cause: ComponentState | undefined,
): string {
  const also = cause === undefined ? '' : ` ${cause.name} is in trouble as well, which may be why.`
  if (evidence.reason === 'silence')
    return `${name}: nothing has been measured since ${timeOf(evidence.since)}, so it counts as not working.${also}`
  const figure = evidence.value === null ? '' : `: ${(measured[evidence.metric] ?? String)(evidence.value)}`
  if (status === 'operational') return `${name} works again${figure}.`
  return `${name} ${words[status]}${figure}, since ${timeOf(evidence.since)}.${also}`
}

export const stableBody = 'Everything has been well for a while since. The incident is over.'

/** `14:05:10 UTC` */
function timeOf(instant: string): string {
  return `${instant.slice(11, 19)} UTC`
}
