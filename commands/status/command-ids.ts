import { createHash } from 'node:crypto'

const alphabet = '0123456789abcdefghijklmnopqrstuvwxyz'
const idLength = 12

/**
 * The id of what a command makes, in the form of the public API: the same for the same command, so that a request which
 * is sent again, and decided by two processes at once, means the same incident. 62 bits.
 */
export function idFor(commandId: string, purpose: string): string {
  let rest = createHash('sha256').update(`${purpose}\n${commandId}`).digest().readBigUInt64BE()
  let id = ''
  for (let index = 0; index < idLength; index++) {
    id += alphabet[Number(rest % 36n)]
    rest /= 36n
  }
  return id
}

/** Ids that the service makes for itself, by what they begin with: what a client says under one would be taken for its own. */
const ownIds = /^(?:health|clock|default)\//

export function isOwnId(commandId: string): boolean {
  return ownIds.test(commandId)
}

/** Of what is left to people to tell: theirs to send, and known by what it begins with. */
export function draftIdOf(component: string, at: string): string {
  return `draft/${component}/${at}`
}

export function isDraftId(commandId: string): boolean {
  return commandId.startsWith('draft/')
}

/** A UUID (version 8) for an event, the same whenever the same event is made again. */
export function eventIdFor(commandId: string, stream: string, type: string, index: number): string {
  const hex = createHash('sha256').update([commandId, stream, type, index].join('\n')).digest('hex')
  const variant = '89ab'[Number.parseInt(hex[16]!, 16) % 4]
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** Digest of what a request says, whatever the order of its fields. */
export function digestOf(content: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(ordered(content)))
    .digest('hex')
    .slice(0, 32)
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, each]) => [key, ordered(each)]),
  )
}
