import { readFileSync } from 'node:fs'

/** A request and what it was answered, as a test recorded it; long lists and texts are cut. */
export interface Example {
  /** Address below the server. */
  readonly request: string
  /** What was sent, where that is text. */
  readonly sent?: unknown
  readonly status: number
  /** JSON, or the text of an answer of another type. */
  readonly answer: unknown
}

export type Examples = Readonly<Record<string, Example>>

const file = new URL('./examples.json', import.meta.url)

/** By the id of the operation. `LEDGER_TEST_RECORD_EXAMPLES=1 npm test -- examples` records them anew. */
export function readExamples(): Examples {
  return JSON.parse(readFileSync(file, 'utf8'))
}
