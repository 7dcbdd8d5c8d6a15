import type { CaseRow } from '#test/conformance/case-file.ts'

/** A contract call that succeeded, of which nothing else is known. */
export const emptyTransaction: CaseRow = {
  type: 7,
  result: 22,
  valid_duration_seconds: '120',
  node_account_id: '3',
  initial_balance: '0',
  max_fee: '100000000',
  charged_tx_fee: '0',
  memo: '0x',
  transaction_bytes: null,
  scheduled: false,
  nonce: 0,
  parent_consensus_timestamp: null,
  errata: null,
  nft_transfer: null,
  itemized_transfer: null,
  transaction_record_bytes: null,
  max_custom_fees: null,
  batch_key: null,
  inner_transactions: null,
  high_volume: false,
  congestion_pricing_multiplier: null,
  high_volume_pricing_multiplier: null,
}

export const emptyResult: CaseRow = {
  function_result: null,
  gas_used: '21000',
  amount: '0',
  bloom: null,
  call_result: '0x',
  created_contract_ids: [],
  error_message: null,
  failed_initcode: null,
  transaction_result: 22,
  transaction_nonce: 0,
  gas_consumed: null,
}
