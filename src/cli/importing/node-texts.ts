import type { NodeAnswer, SeenBy } from '#src/cli/importing/asked-nodes.ts'
import type { BlockRange } from '#src/ports/block-node.ts'

/** A block node with what it answered now, and what importers say of it. */
export interface NodeReport {
  readonly answer: NodeAnswer
  readonly seen: readonly SeenBy[]
}

const rangesShownMax = 3

/** `0 to 12, 20 to 31`; the ends of a long list. */
export function rangesText(ranges: readonly BlockRange[]): string {
  if (ranges.length === 0) return 'no block'
  const texts = ranges.map(({ first, last }) => (first === last ? `${first}` : `${first} to ${last}`))
  if (texts.length <= rangesShownMax) return texts.join(', ')
  return `${texts[0]}, ${texts.length - 2} more ranges, ${texts.at(-1)}`
}

function originText({ node }: NodeAnswer): string {
  return node.origin === 'discovered' ? `discovered (registered node ${node.registeredNodeId})` : 'configured'
}

/** A node in a few lines, for people. */
export function formatNode({ answer, seen }: NodeReport): string {
  const { name, node } = answer
  const { status, stream } = node.endpoints
  const statusPort = status.port === stream.port ? '' : `  status port ${status.port}`
  const head = `${name}  ${originText(answer)}  priority ${node.priority}  ${stream.tls ? 'TLS' : 'no TLS'}${statusPort}`
  return [head, `  ${answerText(answer)}`, ...seen.flatMap((one) => seenLines(one).map((line) => `  ${line}`))].join(
    '\n',
  )
}

function answerText({ ranges, answerMs, error }: NodeAnswer): string {
  return error === null
    ? `has ${rangesText(ranges ?? [])}, answers in ${answerMs} ms`
    : `fails (${error.reason}): ${error.message}`
}

function seenLines({
  process,
  streaming,
  latencyMs,
  lastBlock,
  setAsideUntil,
  errors,
  oddities,
  lastError,
}: SeenBy): string[] {
  const parts = [
    streaming ? 'streams from it' : 'knows it',
    ...(lastBlock === undefined ? [] : [`block ${lastBlock} last`]),
    ...(latencyMs === undefined ? [] : [`latency ${latencyMs} ms`]),
    ...(setAsideUntil === undefined ? [] : [`set aside until ${setAsideUntil}`]),
    ...countTexts(errors, 'errors'),
    ...countTexts(oddities, 'oddities'),
  ]
  const lines = [`importer ${process}: ${parts.join(', ')}`]
  if (lastError !== undefined) lines.push(`  last error at ${lastError.at}: ${lastError.message}`)
  return lines
}

function countTexts(counts: Readonly<Record<string, number>>, what: string): string[] {
  const texts = Object.entries(counts).map(([name, count]) => `${name} ${count}`)
  return texts.length === 0 ? [] : [`${what}: ${texts.join(', ')}`]
}

/** The same for programs. */
export function nodeToJson({ answer, seen }: NodeReport): object {
  const { name, node, ranges, answerMs, error } = answer
  const { endpoints, priority, origin, registeredNodeId = null } = node
  const { stream, status } = endpoints
  const { host, port, tls } = stream
  const place = { name, host, port, statusPort: status.port, tls, priority, origin, registeredNodeId }
  return { ...place, ranges, answerMs, error, importers: seen }
}
