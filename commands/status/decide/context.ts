import type { UpdateText } from '#commands/status/events.ts'
import { refuse } from '#commands/status/refusals.ts'
import type { ComponentState, StatusView } from '#commands/status/state.ts'
import { firstShownDay, isShownDay, isShownInstant, lastShownDay } from '#src/domain/status/shown-values.ts'
import { type ComponentStatus, componentStatuses } from '#src/domain/status/words.ts'
import type { ActorRole } from '#src/ports/decision-store.ts'

/** What a decision depends on besides the command and the state. */
export interface DecisionContext {
  /** ISO 8601 in UTC. */
  readonly now: string
  readonly role: ActorRole
  /** The same ids for the same command: 12 of `[0-9a-z]`, told apart by what they are for. */
  readonly newId: (purpose: string) => string
}

/** What readers are told, as a command carries it. */
export interface Said {
  readonly body?: string
  readonly display_at?: string
  readonly deliver_notifications?: boolean
}

const shownYears = `of ${firstShownDay.slice(0, 4)} to ${lastShownDay.slice(0, 4)}`

export function assertName(name: string): string {
  const text = name.trim()
  return text === '' ? refuse('name_required', 'The name is blank') : text
}

/** A given text must not be blank; where none is given the stock sentence stands in. */
export function bodyOf({ body }: Said, stock: string | undefined): string {
  const text = body ?? stock
  return text === undefined || text.trim() === '' ? refuse('body_required', 'The text for readers is blank') : text
}

export interface ShownBounds {
  /** Time of the opening; undefined while there is none. */
  readonly opened?: string
}

export function updateTextOf(
  said: Said,
  stock: string | undefined,
  { now, newId }: DecisionContext,
  { opened }: ShownBounds = {},
): UpdateText {
  const display_at = shownAt(said.display_at, now, opened)
  const body = bodyOf(said, stock)
  return { update_id: newId('update'), body, display_at, deliver_notifications: said.deliver_notifications ?? true }
}

/** A time for readers that is set back lies before now and not before the opening. */
export function shownAt(given: string | undefined, now: string, opened: string | undefined): string {
  if (given === undefined) return now
  const instant = instantOf(given)
  if (instant > now) refuse('display_time_in_the_future', `${instant} is not before now (${now})`)
  if (opened !== undefined && instant < opened)
    refuse('display_time_before_opening', `${instant} lies before the opening at ${opened}`)
  return instant
}

/** In UTC with milliseconds, so that instants compare as texts. */
export function instantOf(text: string): string {
  const isFull = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)$/.test(text)
  const millis = isFull && isShownDay(text.slice(0, 10)) ? Date.parse(text) : Number.NaN
  const instant = Number.isNaN(millis) ? '' : new Date(millis).toISOString()
  if (isShownInstant(instant)) return instant
  return refuse('time_malformed', `"${text.slice(0, 50)}" is no ISO 8601 time with an offset, of a day ${shownYears}`)
}

/** Earlier releases have written down others. */
export function assertDay(day: string | null): string | null {
  if (day === null || isShownDay(day)) return day
  return refuse('day_malformed', `The start date "${day.slice(0, 50)}" is no day ${shownYears}; state another one`)
}

export function assertComponentStatus(word: string): ComponentStatus {
  if ((componentStatuses as readonly string[]).includes(word)) return word as ComponentStatus
  return refuse('unknown_component_status', `"${word}" is none of ${componentStatuses.join(', ')}`)
}

/** One that is there and not removed. */
export function componentOf({ components }: StatusView, id: string): ComponentState {
  const component = components.get(id)
  if (component === undefined || component.removed) refuse('component_not_found', `There is no component ${id}`)
  return component
}

/** One that has a status of its own. */
export function leafOf(view: StatusView, id: string): ComponentState {
  const component = componentOf(view, id)
  if (component.group) refuse('group_status_is_derived', `${id} is a group: its status is that of its components`)
  return component
}

export function statesOf(
  view: StatusView,
  given: Readonly<Record<string, string>> = {},
): Record<string, ComponentStatus> {
  return Object.fromEntries(
    Object.entries(given).map(([id, status]) => [leafOf(view, id).component_id, assertComponentStatus(status)]),
  )
}

export function assertFree(known: ReadonlyMap<string, unknown>, id: string): string {
  return known.has(id) ? refuse('id_taken', `The id ${id} was given out before`) : id
}
