import type { BlockFamily } from '#src/simulator/blocks/block-families.ts'
import { type BlockItemBytes, blockItem } from '#src/simulator/blocks/block-item.ts'
import { stateIds } from '#src/simulator/blocks/state-ids.ts'
import { accounts } from '#src/simulator/ids.ts'
import { addNanos, type Instant, nanosSinceEpoch } from '#src/simulator/time.ts'

/** Real rounds are shorter; these are as long as that most have something in them, and some have nothing. */
const roundNanos = 250_000_000
const roundsMost = 16
/** An event reaches consensus some rounds after it was made. */
const roundsToConsensus = 2
const nanosToConsensus = 80_000_000
const eventsMost = 4

export interface RoundsPlan {
  readonly families: readonly BlockFamily[]
  readonly start: Instant
  readonly blockNanos: number
  readonly firstRound: number
  readonly nodes: number
  /** What the first event of a node brings, before anything else. */
  readonly opening: (node: number) => readonly BlockItemBytes[]
  /** What an event of node 0 brings behind the first family. */
  readonly between: readonly BlockItemBytes[]
}

export interface Rounds {
  readonly items: readonly BlockItemBytes[]
  readonly nextRound: number
}

/** The families of a block as rounds of consensus, in events of the nodes that they came through. */
export function layRounds(plan: RoundsPlan): Rounds {
  const count = Math.min(roundsMost, Math.max(1, Math.ceil(plan.blockNanos / roundNanos)))
  const length = plan.blockNanos / count
  const rounds = Array.from({ length: count }, (): BlockFamily[] => [])
  for (const family of plan.families) {
    const passed = Number(nanosSinceEpoch(family.first) - nanosSinceEpoch(plan.start))
    rounds[Math.min(count - 1, Math.floor(passed / length))]?.push(family)
  }
  const items = rounds.flatMap((families, index) => {
    const start = addNanos(plan.start, Math.floor(index * length))
    return roundItems(plan, { families, start, number: plan.firstRound + index, isFirst: index === 0 })
  })
  return { items, nextRound: plan.firstRound + count }
}

interface Round {
  readonly families: readonly BlockFamily[]
  readonly start: Instant
  readonly number: number
  readonly isFirst: boolean
}

function roundItems(
  { nodes, opening, between, ...plan }: RoundsPlan,
  { families, start, number, isFirst }: Round,
): BlockItemBytes[] {
  const items = [blockItem('roundHeader', { roundNumber: number })]
  const event = (node: number) => items.push(eventHeader(node, number, start))
  const seen = new Set<number>()
  let creator: number | undefined
  for (let node = 0; isFirst && node < nodes; node++) {
    event(node)
    items.push(...opening(node))
    seen.add(node)
    creator = node
  }
  for (const family of families) {
    const wanted: number = family.node === 0 ? (creator ?? 0) : family.node - accounts.firstNode
    if (wanted !== creator) event(wanted)
    creator = wanted
    seen.add(wanted)
    items.push(...family.items)
    if (family !== plan.families[0] || between.length === 0) continue
    event(0)
    items.push(...between)
    creator = 0
  }
  // The other nodes had nothing to bring.
  for (let node = 0; node < nodes && seen.size < eventsMost; node++) {
    if (!seen.has(node)) event(node)
    seen.add(node)
  }
  const last = families.at(-1)
  if (last) items.push(receiptsItem(last.last))
  return items
}

function eventHeader(node: number, round: number, start: Instant): BlockItemBytes {
  const timeCreated = addNanos(start, (node + 1) * 1_000_000 - nanosToConsensus)
  const birthRound = Math.max(1, round - roundsToConsensus)
  return blockItem('eventHeader', {
    eventCore: { ...(node === 0 ? {} : { creatorNodeId: node }), birthRound, timeCreated },
  })
}

/** The receipts of a round go to a queue of state. */
function receiptsItem(consensusTimestamp: Instant): BlockItemBytes {
  const stateChanges = [{ stateId: stateIds.transactionReceipts, queuePush: {} }]
  return blockItem('stateChanges', { consensusTimestamp, stateChanges })
}
