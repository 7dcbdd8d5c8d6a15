import { defineObject } from '#queries/common/define-object.ts'
import { int64, key, nullableText, text } from '#queries/common/object-schema.ts'
import { endpoint, timestampRange } from '#queries/network/body-schema.ts'
import type { FoundNode } from '#queries/network/find-nodes.ts'
import { entityText, idText, timeText } from '#src/domain/json-text.ts'
import { nanosPerSecond } from '#src/domain/ledger-time.ts'
import { renderKey } from '#src/domain/public-key.ts'

const amount = { ...int64, nullable: true, description: 'Tinybars' }

/** A consensus node. */
export const nodeObject = defineObject<FoundNode>(
  {
    admin_key: [key, ({ node }) => renderKey(node?.adminKey ?? null)],
    associated_registered_nodes: [{ type: 'array', items: int64 }, ({ node }) => node?.associated ?? '[]'],
    decline_reward: [{ type: 'boolean', nullable: true }, ({ node }) => (node ? node.declineReward === 1 : null)],
    description: [nullableText, ({ entry }) => JSON.stringify(entry.description)],
    file_id: [text, ({ book }) => entityText(book.fileId)],
    grpc_proxy_endpoint: [{ ...endpoint, nullable: true }, ({ node }) => node?.grpcProxy ?? null],
    max_stake: [amount, ({ stake }) => known(stake?.maxStake)],
    memo: [nullableText, ({ entry }) => JSON.stringify(entry.memo)],
    min_stake: [amount, ({ stake }) => known(stake?.minStake)],
    // 0 counts as none, as in all columns of ids.
    node_account_id: [nullableText, ({ node, entry }) => idText(node?.accountId || entry.accountId)],
    node_cert_hash: [text, ({ entry }) => entry.certHash],
    node_id: [int64, ({ entry }) => entry.nodeId],
    public_key: [text, ({ entry }) => entry.publicKey],
    reward_rate_start: [amount, ({ stake }) => stake?.rewardRate ?? null],
    service_endpoints: [{ type: 'array', items: endpoint }, ({ entry }) => entry.endpoints],
    stake: [amount, ({ stake }) => stake?.stake ?? null],
    stake_not_rewarded: [amount, ({ stake }) => known(stake?.stakeNotRewarded)],
    stake_rewarded: [amount, ({ stake }) => stake?.stakeRewarded ?? null],
    staking_period: [
      { ...timestampRange, nullable: true },
      ({ stake }) => (stake ? renderPeriod(stake.stakingPeriod) : null),
    ],
    timestamp: [
      { ...timestampRange, description: 'When the address book is in force' },
      ({ book }) => renderRange(book.start, book.end),
    ],
  },
  { title: 'Node' },
)

/** -1 says that the ledger did not tell. */
function known(amount: bigint | undefined): bigint | null {
  return amount === undefined || amount === -1n ? null : amount
}

const daySeconds = 86_400n

/** The day after the period that ended, whose last instant is given. */
function renderPeriod(ended: bigint): string {
  return renderRange(ended + 1n, ended + 1n + daySeconds * nanosPerSecond)
}

function renderRange(from: bigint, to: bigint | null): string {
  return `{"from":${timeText(from)},"to":${timeText(to)}}`
}
