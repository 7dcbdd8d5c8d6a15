import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { type Example, readExamples } from '#src/http/reference/examples.ts'

const file = fileURLToPath(new URL('../../src/http/reference/examples.json', import.meta.url))
/** Whether what is recorded is kept, instead of held against what is kept. */
export const records = process.env['LEDGER_TEST_RECORD_EXAMPLES'] !== undefined
const entriesMax = 2
const charactersMax = 200
const textMax = 500

/** Holds what operations answer now against their examples, by members and their types; or keeps them as the examples. */
export function holdExamples(recorded: Readonly<Record<string, Example>>): void {
  const kept = readExamples()
  const cut = Object.entries(recorded).map(([id, example]): [string, Example] => [id, cutExample(example)])
  if (records) {
    const all = Object.entries({ ...kept, ...Object.fromEntries(cut) }).sort(([a], [b]) => (a < b ? -1 : 1))
    writeFileSync(file, `${JSON.stringify(Object.fromEntries(all), null, 1)}\n`)
    return
  }
  const hint = 'LEDGER_TEST_RECORD_EXAMPLES=1 npm test -- examples records them anew'
  for (const [id, example] of cut) expect({ id, drift: driftOf(kept[id], example) }, hint).toEqual({ id, drift: [] })
}

function cutExample(example: Example): Example {
  const { answer } = example
  const cut = typeof answer === 'string' ? cutText(answer, textMax) : cutValue(answer)
  return { ...example, answer: cut }
}

function cutValue(value: unknown): unknown {
  if (typeof value === 'string') return cutText(value, charactersMax)
  if (Array.isArray(value)) return value.slice(0, entriesMax).map(cutValue)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, cutValue(part)]))
}

function cutText(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max)}...`
}

/** Where the form of two examples differs. A value that is null now and then, and a list that is empty, tell no form. */
export function driftOf(kept: Example | undefined, now: Example): string[] {
  if (kept === undefined) return ['no example is kept']
  if (kept.status !== now.status) return [`status ${kept.status} is ${now.status}`]
  return differencesOf(kept.answer, now.answer, '')
}

function differencesOf(kept: unknown, now: unknown, path: string): string[] {
  if (kept === null || now === null) return []
  if (kindOf(kept) !== kindOf(now)) return [`${path} ${kindOf(kept)} is ${kindOf(now)}`]
  if (Array.isArray(kept)) {
    const both = kept.length > 0 && (now as unknown[]).length > 0
    return both ? differencesOf(kept[0], (now as unknown[])[0], `${path}[]`) : []
  }
  if (typeof kept !== 'object' || typeof now !== 'object') return []
  const [before, after] = [membersOf(kept), membersOf(now)]
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) => {
    const at = path === '' ? name : `${path}.${name}`
    if (!(name in before)) return [`+ ${at}`]
    return name in after ? differencesOf(before[name], after[name], at) : [`- ${at}`]
  })
}

type Members = Readonly<Record<string, unknown>>

/** What is kept by number is of one form. */
function membersOf(value: object): Members {
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [/^\d+$/.test(name) ? '<number>' : name, part]))
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? 'list' : typeof value
}
