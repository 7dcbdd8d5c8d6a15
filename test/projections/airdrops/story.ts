import type { PendingAirdropId, TransactionRecorded } from '#schemas/events/types.ts'
import type { LogRecord } from '#src/ports/message-log.ts'
import { transaction } from '#test/projections/entities/story.ts'
import type { Sketch } from '#test/support/whole-event.ts'

export interface Airdrop {
  readonly sender: bigint
  readonly receiver: bigint | Buffer
  readonly token: bigint
  /** Of an NFT. */
  readonly serial?: bigint
}

function idOf({ sender, receiver, token, serial }: Airdrop): Sketch<PendingAirdropId> {
  const tokenId = { tokenNum: token }
  return {
    senderId: { accountNum: sender, alias: null },
    receiverId:
      typeof receiver === 'bigint' ? { accountNum: receiver, alias: null } : { accountNum: null, alias: receiver },
    fungibleTokenType: serial === undefined ? tokenId : null,
    nonFungibleToken: serial === undefined ? null : { token_ID: tokenId, serialNumber: serial },
  }
}

/** An airdrop of which the record says that it waits for a claim, with all that waits of a fungible token. */
export function airdropped(
  time: bigint,
  airdrops: readonly (Airdrop & { readonly amount?: bigint })[],
  facts: Sketch<TransactionRecorded> = {},
): LogRecord {
  const newPendingAirdrops = airdrops.map(({ amount, ...airdrop }) => ({
    pendingAirdropId: idOf(airdrop),
    pendingAirdropValue: amount === undefined ? null : { amount },
  }))
  return transaction(time, 58, null, { record: { newPendingAirdrops }, ...facts })
}

export function claimed(
  time: bigint,
  airdrops: readonly Airdrop[],
  facts: Sketch<TransactionRecorded> = {},
): LogRecord {
  return transaction(time, 60, null, { tokenClaimAirdrop: { pendingAirdrops: airdrops.map(idOf) }, ...facts })
}

export function cancelled(time: bigint, airdrops: readonly Airdrop[]): LogRecord {
  return transaction(time, 59, null, { tokenCancelAirdrop: { pendingAirdrops: airdrops.map(idOf) } })
}
