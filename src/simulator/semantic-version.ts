import type { Message } from '#src/simulator/codec.ts'

/** A SemanticVersion of `major.minor.patch`. */
export function semanticVersion(text: string): Message {
  const [major, minor, patch] = text.split('.').map(Number)
  return { major, minor, patch }
}
