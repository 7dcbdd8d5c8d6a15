import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const reference = fileURLToPath(new URL('../../../shared/reference/data/verification/', import.meta.url))
/** The reference's cases lie beside the repository, where they are there at all. */
export const hasReference = existsSync(reference)
export const withoutReference = hasReference ? '' : ' (skipped: ../shared is not there)'

export function referenceCases<T>(name: string): readonly T[] {
  if (!hasReference) return []
  return (JSON.parse(readFileSync(`${reference}${name}`, 'utf8')) as { cases: T[] }).cases
}
