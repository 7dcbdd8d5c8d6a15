import { type BlockItemBytes, blockItem } from '#src/simulator/blocks/block-item.ts'
import { stateIds } from '#src/simulator/blocks/state-ids.ts'
import { encode, type Message } from '#src/simulator/codec.ts'
import { accountId, accounts, firstUserEntity, wrapped } from '#src/simulator/ids.ts'
import { Prng } from '#src/simulator/prng.ts'
import type { Instant } from '#src/simulator/time.ts'

const signatureBytes = 384
const genesisTime: Instant = { seconds: 0, nanos: 0 }

/** What a network's state begins with, before its first transaction, at no time of consensus. */
export function genesisStateItems(): BlockItemBytes[] {
  return [
    stateItem(genesisTime, [singleton(stateIds.platformState)]),
    stateItem(genesisTime, [singleton(stateIds.entityId, { entityNumberValue: wrapped(firstUserEntity - 1) })]),
    stateItem(genesisTime, [singleton(stateIds.ledgerId, { bytesValue: {} })]),
    stateItem(genesisTime, [
      singleton(stateIds.upgradeFileHash, { bytesValue: {} }),
      singleton(stateIds.freezeTime, { timestampValue: {} }),
    ]),
  ]
}

/** What is written down when a block ends: what the network keeps of itself, which is empty here, and its newest number. */
export function closingStateItems(time: Instant, newestEntity: number): BlockItemBytes[] {
  const changes = [
    singleton(stateIds.platformState),
    singleton(stateIds.throttleUsage),
    singleton(stateIds.congestionStarts),
    singleton(stateIds.runningHashes),
    singleton(stateIds.blocks),
    singleton(stateIds.entityId, { entityNumberValue: wrapped(newestEntity) }),
  ]
  return [stateItem(time, changes), stateItem(time, [singleton(stateIds.blockStreamInfo)])]
}

export interface StateSignature {
  readonly node: number
  readonly round: number
  readonly stateRoot: Uint8Array
  readonly seed: string
}

/** A node's signature of the state after a round: a transaction of the network's own, of which there is no result. */
export function stateSignatureItem({ node, round, stateRoot, seed }: StateSignature): BlockItemBytes {
  const nodeAccountID = accountId(accounts.firstNode + node)
  const signature = new Prng(`${seed}/state signature/${node}/${round}`).bytes(signatureBytes)
  const bodyBytes = encode('proto.TransactionBody', {
    transactionID: { transactionValidStart: {}, accountID: nodeAccountID },
    nodeAccountID,
    transactionValidDuration: {},
    stateSignatureTransaction: { round, signature, hash: stateRoot },
  })
  return blockItem('signedTransaction', encode('proto.SignedTransaction', { bodyBytes, sigMap: {} }))
}

function singleton(stateId: number, singletonUpdate: Message = {}): Message {
  return { stateId, singletonUpdate }
}

function stateItem(consensusTimestamp: Instant, stateChanges: readonly Message[]): BlockItemBytes {
  return blockItem('stateChanges', { consensusTimestamp, stateChanges })
}
