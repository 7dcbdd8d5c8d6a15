import { isShownDay, isShownInstant } from '#src/domain/status/shown-values.ts'
import { addDays } from '#src/domain/status/zoned-time.ts'
import type { StatusToken } from '#src/http/settings.ts'

export const statusTokenForm = 'name:role:sha256[:expires]'

/** A token as it is configured, in one text or as an object; undefined where it is none. */
export function toStatusToken(input: unknown): StatusToken | undefined {
  const record = typeof input === 'object' && input !== null ? (input as Record<keyof StatusToken, unknown>) : undefined
  const [name, role, sha256, until] =
    typeof input === 'string' ? partsOf(input) : [record?.name, record?.role, record?.sha256, record?.expires]
  if (typeof name !== 'string' || typeof sha256 !== 'string' || !/^[\w.@-]{1,100}$/.test(name)) return undefined
  const isWhole = (role === 'operator' || role === 'automation') && /^[\da-f]{64}$/.test(sha256)
  const expires = until === undefined ? undefined : toInstant(until)
  if (!isWhole || (until !== undefined && expires === undefined)) return undefined
  return { name, role, sha256, ...(expires !== undefined && { expires }) }
}

/** An instant has colons of its own. */
function partsOf(text: string): (string | undefined)[] {
  const [name, role, sha256, ...until] = text.split(':')
  return [name, role, sha256, until.length === 0 ? undefined : until.join(':')]
}

/** A day is good until its end, in UTC. */
function toInstant(until: unknown): string | undefined {
  if (typeof until !== 'string') return undefined
  if (isShownDay(until)) return `${addDays(until, 1)}T00:00:00.000Z`
  const ms = /T.*(?:Z|[+-]\d\d:\d\d)$/.test(until) && isShownDay(until.slice(0, 10)) ? Date.parse(until) : Number.NaN
  const instant = Number.isNaN(ms) ? '' : new Date(ms).toISOString()
  return isShownInstant(instant) ? instant : undefined
}
