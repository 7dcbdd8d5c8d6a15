import type { StatusView } from '#commands/status/state.ts'
import type { Noun } from '#src/cli/verbs/status/verbs.ts'
import { LedgerError } from '#src/domain/errors.ts'

const shownMax = 5

/**
 * The id that a beginning stands for; what is the beginning of none stays, and is told as that by whoever looks for it. Throws
 * `config_invalid` for the beginning of several.
 */
export function completeId(beginning: string, ids: Iterable<string>, what: string): string {
  const fitting: string[] = []
  for (const id of ids) {
    if (id === beginning) return id
    if (id.startsWith(beginning)) fitting.push(id)
  }
  const [only, ...others] = fitting
  if (only === undefined || beginning === '') return beginning
  if (others.length === 0) return only
  const shown = fitting.slice(0, shownMax).join(', ') + (fitting.length > shownMax ? ', …' : '')
  throw new LedgerError(
    'config_invalid',
    `"${beginning}" is the beginning of ${fitting.length} ids of ${what}s: ${shown}`,
  )
}

/** Ids of what is there. */
export function idsOf(view: StatusView, noun: Noun): string[] {
  if (noun === 'incident') return [...view.incidents.keys()]
  if (noun === 'maintenance') return [...view.maintenances.keys()]
  return [...view.components.values()].filter(({ removed }) => !removed).map(({ component_id }) => component_id)
}
