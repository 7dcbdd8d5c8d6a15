import type { Message } from '#src/simulator/codec.ts'
import { accountId, fileId, hexBytes, tokenId, topicId } from '#src/simulator/ids.ts'
import type { TokenFacts } from '#src/simulator/ledger-change.ts'
import type { World } from '#src/simulator/world.ts'

/** Values of the network's states: who an entity is, and of what it has as much as the simulated ledger remembers. */

/** Its contents where one transaction brought all of them. */
export function fileValue(num: number, contents: Uint8Array | undefined, deleted = false): Message {
  return {
    fileValue: { fileId: fileId(num), ...(contents ? { contents } : {}), ...(deleted ? { deleted } : {}) },
  }
}

/** What changed says more than what is remembered, which may be the state after later transactions. */
export function tokenValue(world: World, num: number, changed: Partial<TokenFacts>, deleted = false): Message {
  const { tokens, deletedTokens } = world.state
  const token = tokens.find((each) => each.num === num) ?? deletedTokens.find((each) => each.num === num)
  const treasury = changed.treasury ?? token?.treasury
  return {
    tokenValue: {
      tokenId: tokenId(num),
      ...(changed.name ? { name: changed.name } : {}),
      ...(changed.symbol ? { symbol: changed.symbol } : {}),
      totalSupply: Number(changed.supply ?? token?.supply ?? 0),
      ...(treasury === undefined ? {} : { treasuryAccountId: accountId(treasury) }),
      ...(token?.nft ? { tokenType: 1, lastUsedSerialNumber: token.nextSerial - 1 } : {}),
      ...((changed.paused ?? token?.paused) ? { paused: true } : {}),
      ...(deleted ? { deleted } : {}),
    },
  }
}

/** One that is new has no messages yet. */
export function topicValue(world: World, num: number, { fresh = false, deleted = false } = {}): Message {
  const topic = fresh ? undefined : world.state.topics.find((each) => each.num === num)
  return {
    topicValue: {
      topicId: topicId(num),
      ...(topic ? { sequenceNumber: topic.sequence, runningHash: hexBytes(topic.runningHash) } : {}),
      ...(deleted ? { deleted } : {}),
    },
  }
}
