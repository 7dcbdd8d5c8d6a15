import { protocolKey } from '#projections/protocol/version.ts'
import type { TokensSchema } from '#projections/tokens/schema.ts'
import { createdToken, PauseStatus, updatedToken } from '#projections/tokens/token-changes.ts'
import { changeSupply, changeToken, putToken, setSupply, type TokenRows } from '#projections/tokens/token-rows.ts'
import type { TransactionRecorded } from '#schemas/events/types.ts'
import { transactionType } from '#src/domain/transaction-types.ts'
import { hasSucceeded } from '#src/events/success.ts'
import type { Handler } from '#src/runtime/fold/projection.ts'

const reads = [
  'type',
  'successful',
  'result',
  'consensusTimestamp',
  'entityId',
  'record',
  'tokenCreation',
  'tokenUpdate',
  'tokenPause',
  'tokenUnpause',
  'tokenMint',
  'tokenBurn',
  'tokenWipe',
] as const

type Facts = Pick<TransactionRecorded, (typeof reads)[number]>

/** The types that do something to a token, each with its body: facts that came without it say nothing. */
const bodies: readonly (keyof Facts | undefined)[] = tableOf([
  [transactionType.tokenCreate, 'tokenCreation'],
  [transactionType.tokenUpdate, 'tokenUpdate'],
  [transactionType.tokenPause, 'tokenPause'],
  [transactionType.tokenUnpause, 'tokenUnpause'],
  [transactionType.tokenMint, 'tokenMint'],
  [transactionType.tokenBurn, 'tokenBurn'],
  [transactionType.tokenWipe, 'tokenWipe'],
])

function tableOf(entries: readonly (readonly [type: number, body: keyof Facts])[]): (keyof Facts | undefined)[] {
  const table: (keyof Facts | undefined)[] = []
  for (const [type, body] of entries) table[type] = body
  return table
}

/** The token that a transaction changes; null for nearly all, which are passed over with one look. */
function tokenOf(facts: Facts): bigint | null {
  const body = bodies[facts.type]
  return body !== undefined && facts[body] !== null && hasSucceeded(facts) ? facts.entityId : null
}

/** What a transaction does to the token that it is about. */
export const ownToken: Handler<TokensSchema, 'TransactionRecorded', (typeof reads)[number]> = {
  reads,
  apply: (facts, rows) => {
    const id = tokenOf(facts)
    if (id !== null) apply(rows, id, facts)
  },
}

function apply(rows: TokenRows, id: bigint, facts: Facts): void {
  const { consensusTimestamp: time, tokenCreation, tokenUpdate, record } = facts
  const version = rows.get('protocol', protocolKey)?.apiVersion
  if (tokenCreation !== null) {
    putToken(rows, createdToken(id, time, tokenCreation, version))
    setSupply(rows, id, time, tokenCreation.initialSupply)
  } else if (tokenUpdate !== null) {
    changeToken(rows, id, time, (before) => updatedToken(before, tokenUpdate, version))
  } else if (facts.tokenPause !== null || facts.tokenUnpause !== null) {
    const pauseStatus = facts.tokenPause === null ? PauseStatus.unpaused : PauseStatus.paused
    changeToken(rows, id, time, (before) => ({ ...before, pauseStatus }))
  } else if (record?.receipt) {
    const { newTotalSupply } = record.receipt
    changeSupply(rows, id, time, () => newTotalSupply)
  }
}
