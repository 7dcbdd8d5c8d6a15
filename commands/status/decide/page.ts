import type { CommandOf } from '#commands/status/commands.ts'
import { assertName, type DecisionContext } from '#commands/status/decide/context.ts'
import type { StatusEvent } from '#commands/status/events.ts'
import { refuse } from '#commands/status/refusals.ts'
import type { StatusView } from '#commands/status/state.ts'

/** What is left out stays as it is. The first time, the page is made; it needs a name. */
export function configurePage(
  command: CommandOf<'ConfigurePage'>,
  { page }: StatusView,
  { now, newId }: DecisionContext,
): StatusEvent[] {
  const { type: _type, page_id: given, name: wish = page?.name ?? '', url = page?.url ?? '', ...settings } = command
  const page_id = page?.page_id ?? given ?? newId('page')
  if (given !== undefined && given !== page_id) refuse('id_taken', `The page of this deployment is ${page_id}`)
  const time_zone = assertTimeZone(settings.time_zone ?? page?.time_zone ?? 'Etc/UTC')
  const data = {
    maintenance_indicator: settings.maintenance_indicator ?? page?.maintenance_indicator ?? 'maintenance',
    incident_floor: settings.incident_floor ?? page?.incident_floor ?? false,
    automation: settings.automation ?? page?.automation ?? 'propose',
    group_uptime: settings.group_uptime ?? page?.group_uptime ?? 'all_up',
  } as const
  const name = assertName(wish)
  return [
    { type: 'PageConfigured', data: { page_id, name, url: url.replace(/\/+$/, ''), time_zone, ...data, at: now } },
  ]
}

function assertTimeZone(name: string): string {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return name
  } catch {
    return refuse('unknown_time_zone', `"${name}" is no IANA time zone`)
  }
}
