import type { Relation, TokenFees } from '#src/simulator/ledger-change.ts'
import type { Held, LedgerView } from '#src/simulator/ledger-view.ts'
import { exact, keyOf, timeOf } from '#test/oracle/expected-account.ts'
import type { Json } from '#test/oracle/simulated-ledger.ts'

/** What the API shows of a token, but for when it was modified, as the network itself knows it. */
export function expectedToken(num: number, view: LedgerView): Json {
  const [entity, token, fees] = [view.entity(num)!, view.row('tokens', num)!, view.row('tokenFees', num)!]
  const { createdAt, expirationTime, autoRenewSeconds } = entity
  const key = keyOf(token.key)
  return {
    admin_key: keyOf(entity.key),
    auto_renew_account: `0.0.${entity.autoRenewAccount}`,
    auto_renew_period: autoRenewSeconds,
    created_timestamp: timeOf(createdAt!),
    custom_fees: expectedFees(num, token.nft, fees),
    decimals: String(token.decimals),
    deleted: entity.deleted,
    expiry_timestamp: exact(expirationTime ?? createdAt! + BigInt(autoRenewSeconds!) * 1_000_000_000n),
    fee_schedule_key: key,
    freeze_default: false,
    freeze_key: key,
    initial_supply: String(token.initialSupply),
    kyc_key: key,
    max_supply: String(token.maxSupply),
    memo: entity.memo,
    metadata: Buffer.from(token.metadata, 'hex').toString('base64'),
    metadata_key: key,
    name: token.name,
    pause_key: key,
    pause_status: token.paused ? 'PAUSED' : 'UNPAUSED',
    supply_key: key,
    supply_type: token.maxSupply === 0n ? 'INFINITE' : 'FINITE',
    symbol: token.symbol,
    token_id: `0.0.${num}`,
    total_supply: String(token.supply),
    treasury_account_id: `0.0.${token.treasury}`,
    type: token.nft ? 'NON_FUNGIBLE_UNIQUE' : 'FUNGIBLE_COMMON',
    wipe_key: key,
  }
}

function expectedFees(num: number, nft: boolean, { fees, since }: Held<TokenFees>): Json {
  const common = { all_collectors_are_exempt: false }
  const fixed = fees.flatMap((fee) => ('tinybars' in fee ? [fee] : []))
  const shares = fees.flatMap((fee) => ('percent' in fee ? [fee] : []))
  return {
    created_timestamp: timeOf(since),
    fixed_fees: fixed.map(({ collector, tinybars }) => ({
      ...common,
      amount: tinybars,
      collector_account_id: `0.0.${collector}`,
      denominating_token_id: null,
    })),
    [nft ? 'royalty_fees' : 'fractional_fees']: shares.map(({ collector, percent }) => ({
      ...common,
      amount: { numerator: percent, denominator: 100 },
      collector_account_id: `0.0.${collector}`,
      denominating_token_id: `0.0.${num}`,
      maximum: null,
      minimum: 1,
      net_of_transfers: false,
    })),
  }
}

/** Who may hold each token, with what, by number of the token and then of the account. */
export function expectedHolders(view: LedgerView): Map<number, Json[]> {
  const holders = new Map<number, [number, Json][]>()
  for (const [key, { associated, balance }] of view.rows('relations')) {
    const [account = 0, token = 0] = key.split('/').map(Number)
    const list = holders.get(token) ?? []
    holders.set(token, list)
    const decimals = view.row('tokens', token)?.decimals ?? null
    if (associated) list.push([account, { account: `0.0.${account}`, balance: exact(balance), decimals }])
  }
  return new Map([...holders].map(([token, list]) => [token, list.sort(([a], [b]) => a - b).map(([, row]) => row)]))
}

/** A token as one of those that an account may hold. */
export function expectedRelation(token: number, relation: Relation, view: LedgerView): Json {
  return {
    automatic_association: relation.automatic,
    balance: exact(relation.balance),
    created_timestamp: relation.createdAt === null ? null : timeOf(relation.createdAt),
    decimals: view.row('tokens', token)!.decimals,
    token_id: `0.0.${token}`,
    freeze_status: relation.frozen ? 'FROZEN' : 'UNFROZEN',
    kyc_status: relation.kycGranted ? 'GRANTED' : 'REVOKED',
  }
}
