import { hexOf } from '#src/domain/bytes.ts'
import { type HexAddress, longZeroOf, numberOf } from '#src/evm/addresses.ts'
import type { CallRequest } from '#src/evm/call-request.ts'
import type { EntityFacts, LedgerState } from '#src/evm/ledger-state.ts'
import type { Job, StateQuestion } from '#src/evm/threads/messages.ts'

/** An answer to a question of a thread, before it asks. */
export interface KnownFact {
  readonly about: StateQuestion
  readonly of: readonly unknown[]
  readonly fact: unknown
}

const treasury = longZeroOf(2n)
/** Functions of tokens that begin with a holder: `balanceOf(address)`, `transfer(address,uint256)`. */
const ofHolders: ReadonlySet<string> = new Set(['70a08231', 'a9059cbb'])
const selectorBytes = 4
const wordBytes = 32
const addressBytes = 20

/** What every call asks for, found at once: where it runs, what gas costs, who pays, and what is called. */
export async function gatherFacts(requests: readonly CallRequest[], state: LedgerState): Promise<KnownFact[]> {
  const called = new Map<HexAddress, Uint8Array | undefined>()
  for (const { from = treasury } of requests) called.set(from, undefined)
  for (const { to, data } of requests) if (to !== undefined) called.set(to, data)
  const known = await Promise.all([
    knownOf('block', [], state.block()),
    knownOf('prices', [], state.prices()),
    ...[...called].map(([address, data]) => calledAt(address, data, state)),
  ])
  return known.flat()
}

/** The calls of a job. */
export function requestsOf(job: Job): readonly CallRequest[] {
  return job.kind === 'simulate' ? job.blocks.flatMap(({ calls }) => calls) : [job.request]
}

/** Of a token, what its own functions tell of it as well, and of the holder that they are asked about. */
async function calledAt(
  address: HexAddress,
  data: Uint8Array | undefined,
  state: LedgerState,
): Promise<readonly KnownFact[]> {
  const [found] = await entityAt(address, state)
  const { kind, id } = (found.fact as EntityFacts | undefined) ?? {}
  if (kind !== 'token' || id === undefined) return [found]
  const holder = holderIn(data)
  const more = [knownOf('token', [id], state.token(id)), holder === undefined ? [] : holding(id, holder, state)]
  return [found, ...(await Promise.all(more)).flat()]
}

async function holding(token: bigint, holder: HexAddress, state: LedgerState): Promise<readonly KnownFact[]> {
  const [found] = await entityAt(holder, state)
  const account = (found.fact as EntityFacts | undefined)?.id
  if (account === undefined) return [found]
  return [found, ...(await knownOf('relation', [token, account], state.relation(token, account)))]
}

function holderIn(data: Uint8Array | undefined): HexAddress | undefined {
  const isOfHolder = data !== undefined && ofHolders.has(hexOf(data, 0, Math.min(selectorBytes, data.length)))
  if (!isOfHolder || data.length < selectorBytes + wordBytes) return undefined
  return `0x${hexOf(data, selectorBytes + wordBytes - addressBytes, selectorBytes + wordBytes)}`
}

function entityAt(address: HexAddress, state: LedgerState): Promise<readonly [KnownFact]> {
  const number = numberOf(address)
  return number === undefined
    ? knownOf('entityAt', [address], state.entityAt(address))
    : knownOf('entity', [number], state.entity(number))
}

async function knownOf(
  about: StateQuestion,
  of: readonly unknown[],
  fact: Promise<unknown>,
): Promise<readonly [KnownFact]> {
  return [{ about, of, fact: await fact }]
}
