import type { AirdropRow } from '#projections/airdrops/schema.ts'
import { formatEntityId } from '#src/domain/entity-id.ts'
import { formatLedgerTime } from '#src/domain/ledger-time.ts'

/** JSON text of an airdrop that waits for a claim. */
export function renderAirdrop({ sender, receiver, token, serial, from, amount }: AirdropRow): string {
  return (
    `{"amount":${amount},"receiver_id":"${formatEntityId(receiver)}","sender_id":"${formatEntityId(sender)}",` +
    `"serial_number":${serial === 0n ? null : serial},` +
    `"timestamp":{"from":"${formatLedgerTime(from)}","to":null},"token_id":"${formatEntityId(token)}"}`
  )
}
