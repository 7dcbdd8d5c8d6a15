import { askNodes, type NodeAnswer, nodesToAsk, openNodesToAsk, withNode } from '#src/cli/importing/asked-nodes.ts'
import { rangesText } from '#src/cli/importing/node-texts.ts'
import { type Check, failedOf, fails, ok, unknown } from '#src/cli/importing/ready/check.ts'
import { lastBlockOf, nextNumber, type ReadyContext } from '#src/cli/importing/ready/ready-context.ts'
import { blockNodesToldMax } from '#src/operations/import-presence.ts'
import type { BlockRange, SourceBlock } from '#src/ports/block-node.ts'

const allName = 'block nodes'
const blocksName = 'blocks of block nodes'
const namedMax = 5
/** A node may have a block later than another one from which the log has it. */
const behindMax = 15n

/** Whether block nodes answer and have what is next: each that is configured, and of those that are registered any. */
export async function checkNodes(context: ReadyContext): Promise<Check[]> {
  const { config, found } = context
  if (config.blocks.from === 'bucket') return [ok(allName, 'not needed: --blocks-from bucket')]
  const nodes = nodesToAsk(context)
  if (nodes.length === 0) return [noNodes(context)]
  const answers = await askNodes(nodes.slice(0, blockNodesToldMax), context)
  const judged = answers.map((answer) => ({ answer, check: judge(answer, context) }))
  found.nodes.push(...judged.filter(({ check }) => check.status === 'ok').map(({ answer }) => answer))
  const configured = judged.filter(({ answer }) => answer.node.origin === 'configured').map(({ check }) => check)
  const registered = judged.filter(({ answer }) => answer.node.origin === 'discovered').map(({ check }) => check)
  return [...configured, ...(registered.length === 0 ? [] : [summaryOf(registered)])]
}

function noNodes({ config, found }: ReadyContext): Check {
  const value = 'none is configured, and the ledger has registered none so far'
  if (config.blocks.from === 'nodes') return fails(allName, value, 'name one with --block-nodes <host:port>')
  if (found.bucketReads) return ok(allName, `${value}: blocks come from the bucket alone`)
  return fails(allName, value, 'name one with --block-nodes <host:port>, or a bucket that can be read')
}

/** What a node's answer is worth for the block that is next. */
function judge({ name, node, ranges, answerMs, error }: NodeAnswer, context: ReadyContext): Check {
  const { statusTimeoutMs } = context.config.blocks
  const what = `block node ${name}`
  if (error !== null) return { ...fails(what, error.message, null), reason: error.reason }
  if (answerMs !== null && answerMs > statusTimeoutMs)
    return fails(
      what,
      `it answers after ${answerMs} ms, and an importer waits for ${statusTimeoutMs}`,
      'allow more time with --blocks-status-timeout-ms',
    )
  const has = `it has ${rangesText(ranges ?? [])}, ${node.endpoints.stream.tls ? 'with' : 'without'} TLS, and answers in ${answerMs} ms`
  return judgeRanges(what, has, ranges ?? [], context)
}

function judgeRanges(what: string, has: string, ranges: readonly BlockRange[], context: ReadyContext): Check {
  const next = nextNumber(context)
  const last = ranges.at(-1)?.last
  if (last === undefined) return unknown(what, has, 'ask again when the network writes blocks')
  if (next === undefined) return ok(what, has)
  if (ranges.some((range) => range.first <= next && next <= range.last))
    return ok(what, `${has}; block ${next} is next`)
  if (last + 1n === next) return ok(what, `${has}; block ${next} is next, and comes next`)
  if (last < next && last + behindMax >= next)
    return ok(what, `${has}; the log is ${next - last - 1n} ahead of it, and block ${next} is next`)
  if (last < next)
    return fails(what, `${has}; the log is ahead of it, block ${next} is next`, 'ask who runs it, or leave it out')
  return lastBlockOf(context) === undefined
    ? fails(what, `${has}, not block ${next}`, 'begin with one that it has with --start-block-number')
    : fails(
        what,
        `${has}, not block ${next}, which is next`,
        'name another source for the blocks before, or leave it out',
      )
}

function summaryOf(checks: readonly Check[]): Check {
  const good = checks.filter(({ status }) => status === 'ok')
  const bad = checks.filter(({ status }) => status !== 'ok')
  const more = bad.length > namedMax ? ` and ${bad.length - namedMax} more` : ''
  const others = bad.length === 0 ? '' : `; not ${bad.slice(0, namedMax).map(briefly).join(', ')}${more}`
  const value = `${good.length} of ${checks.length} registered ones answer and have what is next${others}`
  if (good.length > 0) return ok(allName, value)
  return unknown(allName, value, '"ledger-history import nodes" shows them; name others with --block-nodes')
}

function briefly({ name, reason, value }: Check): string {
  return `${name.replace(/^block node /, '')} (${reason ?? value})`
}

/** Blocks of a node that is good for it, since not every node that says what it has gives it: the next one, and the newest. */
export async function checkNodeBlocks(context: ReadyContext): Promise<Check[]> {
  const { config, signal, found } = context
  const open = await openNodesToAsk(config)
  let failure: Check | undefined
  for (const { node, ranges } of found.nodes) {
    const numbers = numbersToRead(ranges ?? [], context)
    try {
      const blocks = await withNode(open, node, async (client) => {
        const read: (SourceBlock | undefined)[] = []
        for (const number of numbers) read.push(await client.fetch(number, signal))
        return read.filter((block) => block !== undefined)
      })
      if (blocks.length === 0) continue
      found.blocks.push(...blocks)
      return [ok(blocksName, `${blocks[0]!.origin} gives ${blocks.map(blockText).join(' and ')}`)]
    } catch (error) {
      failure ??= failedOf(blocksName, error)
    }
  }
  return failure ? [failure] : []
}

function numbersToRead(ranges: readonly BlockRange[], context: ReadyContext): Set<bigint> {
  const next = nextNumber(context)
  const newest = ranges.slice(-1).map(({ last }) => last)
  const has = next !== undefined && ranges.some(({ first, last }) => first <= next && next <= last)
  return new Set(has ? [next, ...newest] : newest)
}

function blockText({ number, pieces }: SourceBlock): string {
  return `block ${number} (${pieces.reduce((sum, { length }) => sum + length, 0)} bytes)`
}
