import type { FoundNode } from '#queries/network/find-nodes.ts'
import { formatEntityId } from '#src/domain/entity-id.ts'
import { idText, timeText } from '#src/domain/json-text.ts'
import { nanosPerSecond } from '#src/domain/ledger-time.ts'
import { renderKey } from '#src/domain/public-key.ts'

/** JSON text of a consensus node. */
export function renderNode({ entry, book, node, stake }: FoundNode): string {
  // 0 counts as none, as in all columns of ids.
  const account = node?.accountId || entry.accountId
  const { description, memo, nodeId, publicKey, certHash, endpoints } = entry
  const { fileId, start, end } = book
  return (
    `{"admin_key":${renderKey(node?.adminKey ?? null)},"associated_registered_nodes":${node?.associated ?? '[]'},` +
    `"decline_reward":${node ? node.declineReward === 1 : null},"description":${JSON.stringify(description)},` +
    `"file_id":"${formatEntityId(fileId)}","grpc_proxy_endpoint":${node?.grpcProxy ?? null},` +
    `"max_stake":${known(stake?.maxStake)},"memo":${JSON.stringify(memo)},"min_stake":${known(stake?.minStake)},` +
    `"node_account_id":${idText(account)},` +
    `"node_cert_hash":${certHash},"node_id":${nodeId},"public_key":${publicKey},` +
    `"reward_rate_start":${stake?.rewardRate ?? null},"service_endpoints":${endpoints},"stake":${stake?.stake ?? null},` +
    `"stake_not_rewarded":${known(stake?.stakeNotRewarded)},"stake_rewarded":${stake?.stakeRewarded ?? null},` +
    `"staking_period":${stake ? renderPeriod(stake.stakingPeriod) : null},"timestamp":${renderRange(start, end)}}`
  )
}

/** -1 says that the ledger did not tell. */
function known(amount: bigint | undefined): string {
  return amount === undefined || amount === -1n ? 'null' : amount.toString()
}

const daySeconds = 86_400n

/** The day after the period that ended, whose last instant is given. */
function renderPeriod(ended: bigint): string {
  return renderRange(ended + 1n, ended + 1n + daySeconds * nanosPerSecond)
}

function renderRange(from: bigint, to: bigint | null): string {
  return `{"from":${timeText(from)},"to":${timeText(to)}}`
}
