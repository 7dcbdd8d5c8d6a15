import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { CaseFile, CaseRequest, CaseRow } from '#test/conformance/case-file.ts'
import { type VectorHistory, withHistory } from '#test/conformance/vector-history.ts'
import { tokenRows } from '#test/conformance/vector-tokens.ts'
import { emptyResult, emptyTransaction } from '#test/conformance/vector-transactions.ts'
import { keyBytes } from '#test/evm/stated-key.ts'
import { type StatedSchedule, scheduledBytes, scheduleExpirySeconds } from '#test/evm/stated-schedules.ts'
import type { StatedAccount, StatedLedger } from '#test/evm/vector-state.ts'

/** Calls of contracts whose outcome on the network is known, over one ledger that lies beside them. */
export interface VectorFile {
  readonly group: string
  readonly vectors: readonly Vector[]
}

interface Vector {
  readonly evmVersion?: string
  readonly config?: { readonly validatePayerBalance?: boolean }
  /** The same for all vectors of a file. */
  readonly history?: VectorHistory
  readonly request: {
    readonly method?: string
    readonly path?: string
    readonly body?: object
    /** A recorded call that is to be traced. */
    readonly call?: TracedCall
  }
  readonly expected: { readonly status?: number; readonly body?: unknown } & Partial<ExpectedTrace>
}

export interface TracedCall {
  readonly from: string
  readonly to: string
  readonly gas: number
  readonly data: string
}

interface ExpectedTrace {
  readonly failed: boolean
  readonly gas: number
  readonly return_value: string
  readonly opcodes: readonly object[]
}

const nanos = 1_000_000_000n
const long = (value: number | bigint | string): string => String(value)

/** The vectors as requests over rows like those of other cases. */
export function caseOfVectors(file: string, { group, vectors }: VectorFile): CaseFile {
  const stated = JSON.parse(readFileSync(join(dirname(file), 'state.json'), 'utf8')) as StatedLedger
  const traced = vectors.flatMap(({ request: { call } }, at) => (call === undefined ? [] : [{ call, at }]))
  const { history } = vectors[0] ?? {}
  const now = { ...rowsOf(stated, history), ...tracedRows(traced, stated) }
  const rows = history === undefined ? now : withHistory(now, history)
  return {
    name: `evm/${group}`,
    config: null,
    now: null,
    rows,
    requests: vectors.map((vector, at) => (vector.request.call ? traceRequest(vector, at, stated) : requestOf(vector))),
  }
}

/** The transactions that are to be traced, in the newest block. */
export function tracedRows(
  traced: readonly { readonly call: TracedCall; readonly at: number }[],
  stated: StatedLedger,
): CaseFile['rows'] {
  const idOf = (address: string): string => long(entityOf(address, stated))
  return {
    transaction: traced.map(({ call, at }) => ({
      ...emptyTransaction,
      consensus_timestamp: timeOf(at, stated),
      valid_start_ns: timeOf(at, stated),
      payer_account_id: idOf(call.from),
      entity_id: idOf(call.to),
      transaction_hash: hashOf(at, 48),
      index: at,
    })),
    contract_result: traced.map(({ call, at }) => ({
      ...emptyResult,
      consensus_timestamp: timeOf(at, stated),
      payer_account_id: idOf(call.from),
      sender_id: idOf(call.from),
      contract_id: idOf(call.to),
      gas_limit: long(call.gas),
      function_parameters: call.data,
      transaction_hash: hashOf(at, 32),
      transaction_index: at,
    })),
  }
}

function entityOf(address: string, { accounts }: StatedLedger): number {
  const found = accounts.find(({ evmAddress }) => evmAddress === address)
  return found?.id ?? Number(BigInt(address))
}

export function timeOf(at: number, { block }: StatedLedger): string {
  return long(BigInt(block.timestamp) * nanos + BigInt(at + 1))
}

/** Of the transaction with a place among them. */
export function hashOf(at: number, bytes: number): string {
  return `0x${(at + 1).toString(16).padStart(2 * bytes, '0')}`
}

/** What is not asked for is empty; where the call went is added to what the vector says. */
function traceRequest({ request: { call }, expected }: Vector, at: number, stated: StatedLedger): CaseRequest {
  const { failed, gas, return_value, opcodes = [] } = expected
  return {
    method: 'GET',
    url: `/api/v1/contracts/results/${hashOf(at, 32)}/opcodes`,
    send_headers: { 'accept-encoding': 'gzip' },
    config: { evm_version: '0.67', validate_payer_balance: false },
    status: 200,
    body: {
      address: call!.to,
      contract_id: `0.0.${entityOf(call!.to, stated)}`,
      failed,
      gas,
      return_value,
      opcodes: opcodes.map((step) => ({ memory: [], storage: {}, ...step })),
    },
  }
}

function requestOf({ evmVersion, config, request, expected }: Vector): CaseRequest {
  return {
    method: request.method ?? 'GET',
    url: request.path ?? '/api/v1/contracts/results/0x00/opcodes',
    send_headers: { 'content-type': 'application/json' },
    send_body: request.body,
    config: {
      evm_version: evmVersion ?? '0.67',
      validate_payer_balance: config?.validatePayerBalance ?? false,
    },
    status: expected.status ?? 200,
    body: expected.body,
  }
}

export function rowsOf(stated: StatedLedger, history?: VectorHistory): CaseFile['rows'] {
  const { block, accounts, tokens, schedules, nextEntity } = stated
  const contracts = accounts.filter(({ type }) => type === 'CONTRACT')
  // Numbers of new entities follow the last that there is.
  const last = { id: nextEntity - 1_000 }
  const others = [
    ...tokens.map(tokenEntity),
    ...schedules.map(({ id, adminKey: key, memo }) =>
      entityRow({ id, memo, ...(key !== undefined && { key }) }, 'SCHEDULE'),
    ),
    entityRow(last, 'TOPIC'),
  ]
  return {
    ...tokenRows(stated),
    schedule: schedules.map(scheduleRow),
    entity: [...accounts.map((each) => entityRow(each, each.type)), ...others],
    contract: contracts.map(({ id, code = '0x' }) => ({
      id: long(id),
      file_id: null,
      initcode: null,
      runtime_bytecode: code,
    })),
    contract_state: contracts.flatMap(slotRows),
    record_file: [...blockRows(block, history?.block), ...(history === undefined ? [] : blockRows(history.block))],
  }
}

function scheduleRow(schedule: StatedSchedule): CaseRow {
  return {
    schedule_id: long(schedule.id),
    consensus_timestamp: '1',
    creator_account_id: long(schedule.creator),
    payer_account_id: long(schedule.payer),
    executed_timestamp: null,
    expiration_time: long(scheduleExpirySeconds * nanos),
    wait_for_expiry: false,
    transaction_body: `0x${Buffer.from(scheduledBytes(schedule)).toString('hex')}`,
  }
}

/** A block and those whose hashes are stated: a second for each number between, and all before an earlier one. */
function blockRows(block: StatedLedger['block'], earlier?: StatedLedger['block']): CaseRow[] {
  return [...Object.entries(block.hashes), [block.number, block.hash] as const].map(([number, hash]) => {
    const before = BigInt(number) < BigInt(earlier?.number ?? 0) && earlier !== undefined ? earlier : block
    const seconds = BigInt(before.timestamp) - BigInt(before.number) + BigInt(number)
    return blockRow(BigInt(number), hash, seconds * nanos)
  })
}

function entityRow(account: Pick<StatedAccount, 'id'> & Partial<StatedAccount>, type: string): CaseRow {
  const { id, balance, evmAddress, nonce, key, maxAutoAssociations = 0 } = account
  const bytes = keyBytes(key)
  return {
    ...emptyEntity,
    id: long(id),
    num: long(id),
    type,
    balance: balance ?? null,
    balance_timestamp: balance === undefined ? null : '1',
    evm_address: evmAddress ?? null,
    key: bytes && `0x${bytes.toString('hex')}`,
    max_automatic_token_associations: maxAutoAssociations,
    ethereum_nonce: nonce === undefined ? null : long(nonce),
  }
}

const expirySeconds = 1_810_000_000
const autoRenewSeconds = 7_776_000

/** What a token has as an entity. */
function tokenEntity(token: StatedLedger['tokens'][number]): CaseRow {
  const { id, memo = '', adminKey, expiry = expirySeconds, autoRenewAccount, autoRenewPeriod } = token
  return {
    ...entityRow({ id, ...(adminKey !== undefined && { key: adminKey }) }, 'TOKEN'),
    memo,
    expiration_timestamp: long(BigInt(expiry) * nanos),
    auto_renew_account_id: autoRenewAccount === undefined ? null : long(autoRenewAccount),
    auto_renew_period: long(autoRenewPeriod ?? autoRenewSeconds),
  }
}

const emptyEntity: CaseRow = {
  auto_renew_account_id: null,
  auto_renew_period: null,
  created_timestamp: '1',
  deleted: false,
  expiration_timestamp: null,
  key: null,
  memo: '',
  public_key: null,
  proxy_account_id: null,
  realm: '0',
  shard: '0',
  receiver_sig_required: false,
  max_automatic_token_associations: 0,
  timestamp_range: { from: '1', to: null },
  alias: null,
  decline_reward: false,
  staked_account_id: null,
  staked_node_id: '-1',
  stake_period_start: '-1',
  obtainer_id: null,
  permanent_removal: null,
  delegation_address: null,
}

function slotRows({ id, storage = {} }: StatedAccount): CaseRow[] {
  return Object.entries(storage).map(([slot, value]) => ({
    contract_id: long(id),
    created_timestamp: '1',
    modified_timestamp: '1',
    slot: `0x${BigInt(slot).toString(16).padStart(64, '0')}`,
    value: `0x${BigInt(value)
      .toString(16)
      .padStart(64, '0')
      .replace(/^(00)+/, '')}`,
  }))
}

function blockRow(number: bigint, hash: string, start: bigint): CaseRow {
  return {
    name: `${number}.rcd`,
    hash: hash.slice(2),
    prev_hash: '00'.repeat(48),
    consensus_start: long(start),
    consensus_end: long(start + 1_000n),
    count: '1',
    digest_algorithm: 0,
    hapi_version_major: 0,
    hapi_version_minor: 67,
    hapi_version_patch: 0,
    version: 6,
    file_hash: '00'.repeat(48),
    index: long(number),
    gas_used: '0',
    logs_bloom: '0x',
    size: 1,
    sidecar_count: 0,
    software_version_major: 0,
    software_version_minor: 67,
    software_version_patch: 0,
    round_start: null,
    round_end: null,
  }
}
