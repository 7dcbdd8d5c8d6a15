import type { CaseFile, CaseRow } from '#test/conformance/case-file.ts'
import { keyBytes, type StatedKey } from '#test/evm/stated-key.ts'
import { type StatedFee, type StatedToken, type StatedTokens, statedNftSeconds } from '#test/evm/stated-tokens.ts'

const nanos = 1_000_000_000n
const always = { from: '1', to: null }
const long = (value: number | bigint): string => String(value)
const hexOf = (digits: string): string => `0x${digits}`

/** The tokens of the vectors as rows like those of other cases. */
export function tokenRows({ tokens, relations, nfts, allowances, airdrops }: StatedTokens): CaseFile['rows'] {
  const tokensById = new Map(tokens.map((token) => [token.id, token]))
  return {
    token: tokens.map(tokenRow),
    token_account: relations.map((relation) => relationRow(relation, tokensById.get(relation.token)!)),
    custom_fee: tokens.map(({ id, customFees = [] }) => feeRow(id, customFees)),
    nft: nfts.map(({ token, serial, owner, spender, metadata }) => ({
      token_id: long(token),
      serial_number: long(serial),
      account_id: long(owner),
      created_timestamp: long(statedNftSeconds * nanos),
      deleted: false,
      metadata: hexOf(metadata),
      spender: spender === undefined ? null : long(spender),
      delegating_spender: null,
      timestamp_range: { from: long(statedNftSeconds * nanos), to: null },
    })),
    crypto_allowance: allowances.crypto.map((each) => ({ ...partiesOf(each), ...amountOf(each.amount) })),
    token_allowance: allowances.token.map((each) => ({
      ...partiesOf(each),
      ...amountOf(each.amount),
      token_id: long(each.token),
    })),
    nft_allowance: allowances.nftAll.map((each) => ({
      ...partiesOf(each),
      token_id: long(each.token),
      approved_for_all: true,
    })),
    token_airdrop: airdrops.map(({ sender, receiver, token, serial = 0, amount }) => ({
      sender_account_id: long(sender),
      receiver_account_id: long(receiver),
      token_id: long(token),
      serial_number: long(serial),
      amount: amount === undefined ? null : long(amount),
      state: 'PENDING',
      timestamp_range: always,
    })),
  }
}

interface Parties {
  readonly owner: number
  readonly spender: number
}

function partiesOf({ owner, spender }: Parties): CaseRow {
  return { owner: long(owner), spender: long(spender), payer_account_id: long(owner), timestamp_range: always }
}

function amountOf(amount: number): CaseRow {
  return { amount: long(amount), amount_granted: long(amount) }
}

function tokenRow(token: StatedToken): CaseRow {
  const isNft = token.type === 'NON_FUNGIBLE_UNIQUE'
  const { kycKey, freezeKey, kycDefault = false, freezeDefault = false, paused = false, pauseKey } = token
  return {
    token_id: long(token.id),
    timestamp_range: always,
    created_timestamp: '1',
    type: isNft ? 'NON_FUNGIBLE_UNIQUE' : 'FUNGIBLE_COMMON',
    name: token.name,
    symbol: token.symbol,
    decimals: token.decimals ?? 0,
    initial_supply: long(token.totalSupply),
    total_supply: long(token.totalSupply),
    max_supply: long(token.maxSupply ?? 0),
    supply_type: token.supplyType ?? 'INFINITE',
    treasury_account_id: long(token.treasury),
    freeze_default: freezeDefault,
    freeze_status: freezeKey === undefined ? 0 : freezeDefault ? 1 : 2,
    kyc_status: kycDefault ? 1 : kycKey === undefined ? 0 : 2,
    pause_status: pauseKey === undefined ? 'NOT_APPLICABLE' : paused ? 'PAUSED' : 'UNPAUSED',
    fee_schedule_key: hexKey(token.feeScheduleKey),
    freeze_key: hexKey(freezeKey),
    kyc_key: hexKey(kycKey),
    metadata_key: hexKey(token.metadataKey),
    pause_key: hexKey(pauseKey),
    supply_key: hexKey(token.supplyKey),
    wipe_key: hexKey(token.wipeKey),
    metadata: hexOf(token.metadata ?? ''),
  }
}

function hexKey(key: StatedKey | undefined): string | null {
  const bytes = keyBytes(key)
  return bytes && hexOf(bytes.toString('hex'))
}

function relationRow(
  { account, token, balance, frozen = false, kycGranted = true }: StatedTokens['relations'][number],
  { freezeKey, kycKey }: StatedToken,
): CaseRow {
  return {
    account_id: long(account),
    token_id: long(token),
    associated: true,
    automatic_association: false,
    balance: long(balance),
    balance_timestamp: '1',
    created_timestamp: '1',
    freeze_status: freezeKey === undefined ? 0 : frozen ? 1 : 2,
    kyc_status: kycKey === undefined ? 0 : kycGranted ? 1 : 2,
    timestamp_range: always,
  }
}

function feeRow(id: number, fees: readonly StatedFee[]): CaseRow {
  const payee = ({ collector }: StatedFee) => ({
    collector_account_id: long(collector),
    all_collectors_are_exempt: false,
  })
  const fixed = ({ amount, token }: { readonly amount: number; readonly token?: number }) => ({
    amount: long(amount),
    denominating_token_id: token === undefined ? null : long(token),
  })
  return {
    entity_id: long(id),
    timestamp_range: always,
    fixed_fees: fees.flatMap((fee) => (fee.type === 'fixed' ? [{ ...fixed(fee), ...payee(fee) }] : [])),
    fractional_fees: fees.flatMap((fee) =>
      fee.type === 'fractional'
        ? [
            {
              numerator: long(fee.numerator),
              denominator: long(fee.denominator),
              minimum_amount: long(fee.min),
              maximum_amount: long(fee.max),
              net_of_transfers: fee.netOfTransfers,
              ...payee(fee),
            },
          ]
        : [],
    ),
    royalty_fees: fees.flatMap((fee) =>
      fee.type === 'royalty'
        ? [
            {
              numerator: long(fee.numerator),
              denominator: long(fee.denominator),
              fallback_fee: fee.fallback === undefined ? null : fixed(fee.fallback),
              ...payee(fee),
            },
          ]
        : [],
    ),
  }
}
