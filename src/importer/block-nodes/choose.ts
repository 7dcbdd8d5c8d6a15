import { isLedgerError, LedgerError } from '#src/domain/errors.ts'
import type { FollowedNode } from '#src/importer/block-nodes/followed-node.ts'
import { groupsOf } from '#src/importer/block-nodes/order.ts'
import type { BlockRange } from '#src/ports/block-node.ts'

export interface ChooseOptions {
  readonly nodes: readonly FollowedNode[]
  /** Failed for this block just now, each with its error: not asked again. */
  readonly tried: ReadonlyMap<FollowedNode, unknown>
  /** undefined: the earliest block that a node has. */
  readonly wanted: bigint | undefined
  readonly now: () => number
  readonly signal: AbortSignal | undefined
}

export interface Choice {
  readonly node: FollowedNode
  readonly from: bigint
}

interface Answer {
  readonly node: FollowedNode
  readonly ranges?: readonly BlockRange[]
  readonly error?: unknown
}

const namedMax = 5

/**
 * The first node that has the block. The best one is asked alone, since it mostly has; then those that are as good as it all
 * at once, then the next ones. Rejects with `source_unavailable` where nobody has it; `details.behind` tells that somebody
 * answered, so that it may only not be there yet.
 */
export async function chooseNode(options: ChooseOptions): Promise<Choice> {
  const chosen = new AbortController()
  const ending = options.signal ? AbortSignal.any([options.signal, chosen.signal]) : chosen.signal
  try {
    return await choose(options, ending)
  } finally {
    // Answers that were not waited for.
    chosen.abort()
  }
}

async function choose(options: ChooseOptions, ending: AbortSignal): Promise<Choice> {
  const { nodes, tried, wanted, now, signal } = options
  const answers: Answer[] = []
  for (const group of groupsOf(nodes, wanted, now())) {
    const [best, ...others] = group.filter((node) => !tried.has(node))
    for (const asked of [best ? [best] : [], others]) {
      for (const answering of asked.map((node) => ask(node, now, ending))) {
        const answer = await answering
        if (signal?.aborted) throw signal.reason
        answers.push(answer)
        const from = startOf(answer.ranges ?? [], wanted)
        if (from !== undefined) return { node: answer.node, from }
      }
    }
  }
  throw nobodyHas(options, answers)
}

/** Never rejects: a node that does not tell is not used for this block, and that is all. */
async function ask(node: FollowedNode, now: () => number, ending: AbortSignal): Promise<Answer> {
  const signal = AbortSignal.any([ending, node.gone.signal])
  try {
    return { node, ranges: await node.client.status(signal) }
  } catch (error) {
    if (!signal.aborted) node.note(error, now())
    return { node, error }
  }
}

function startOf(ranges: readonly BlockRange[], wanted: bigint | undefined): bigint | undefined {
  if (wanted === undefined) return ranges[0]?.first
  return ranges.some(({ first, last }) => first <= wanted && wanted <= last) ? wanted : undefined
}

function nobodyHas({ nodes, tried, wanted }: ChooseOptions, answers: readonly Answer[]): LedgerError {
  if (nodes.length === 0) return nobodyKnown(wanted)
  const behind = answers.some(({ ranges }) => ranges !== undefined)
  const reports = [...tried].map(([node, error]): Answer => ({ node, error })).concat(answers)
  const named = reports.slice(0, namedMax).map(reportOf).join('; ')
  const more = reports.length > namedMax ? `; and ${reports.length - namedMax} more` : ''
  const message = `No block node gives ${textOf(wanted)}: ${named}${more}. It is asked for again; "import nodes" shows them all`
  const cause = reports.find(({ error }) => error !== undefined)?.error
  return new LedgerError('source_unavailable', message, { wanted, nodes: nodes.length, behind }, cause)
}

export function nobodyKnown(wanted: bigint | undefined): LedgerError {
  return new LedgerError(
    'source_unavailable',
    `No block node is known to ask for ${textOf(wanted)}; configure one, or wait until one is registered`,
    { wanted, nodes: 0, behind: false },
  )
}

function textOf(wanted: bigint | undefined): string {
  return wanted === undefined ? 'a block' : `block ${wanted}`
}

function reportOf({ node, ranges, error }: Answer): string {
  const { name } = node.client
  if (ranges === undefined) return `${name} fails (${reasonOf(error)})`
  const last = ranges.at(-1)
  const first = ranges[0]
  return first && last ? `${name} has ${first.first} to ${last.last}` : `${name} has none`
}

function reasonOf(error: unknown): string {
  return isLedgerError(error) ? String(error.details['reason'] ?? error.code) : String(error)
}
