import type { Day } from '#src/domain/status/zoned-time.ts'

/**
 * What the page, its feeds and its documents can show. Years have four digits whatever the zone, XML 1.0 has a character for
 * every character, and a link leads to where a browser goes.
 */
export const firstShownDay: Day = '1970-01-01'
export const lastShownDay: Day = '2199-12-31'

const dayForm = /^\d{4}-\d{2}-\d{2}$/
const instantForm = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/
/** Control characters, halves of characters, and what Unicode promises never to be one; a text may have lines and tabs. */
const unshownInLines = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]/u
const unshownInTexts = /(?![\t\n\r])[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]/u

/** A day that the calendar has, between the bounds. */
export function isShownDay(text: string): boolean {
  if (!dayForm.test(text) || text < firstShownDay || text > lastShownDay) return false
  const ms = Date.parse(`${text}T00:00:00Z`)
  // The language takes the 30th of February for a day of March.
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text)
}

/** In UTC with milliseconds, of such a day. */
export function isShownInstant(text: string): boolean {
  if (!instantForm.test(text) || !isShownDay(text.slice(0, 10))) return false
  const ms = Date.parse(text)
  return !Number.isNaN(ms) && new Date(ms).toISOString() === text
}

/** A text of one line. */
export function isShownLine(text: string): boolean {
  return !unshownInLines.test(text)
}

export function isShownText(text: string): boolean {
  return !unshownInTexts.test(text)
}

/** Base address of a page: `https` or `http`, to which a path can be added. */
export function isPageAddress(text: string): boolean {
  const url = /^https?:\/\/[^\s?#]+$/i.test(text) && isShownLine(text) ? URL.parse(text) : null
  return url !== null && url.host !== '' && url.username === '' && url.password === ''
}
