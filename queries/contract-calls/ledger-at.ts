import { type EntityRow, entityFields } from '#projections/entities/schema.ts'
import { findHbarBalances } from '#queries/balances/find-account-balances.ts'
import { findBlockByNumber } from '#queries/blocks/find-blocks.ts'
import { findHolder } from '#queries/common/find-entity.ts'
import type { CallBlock } from '#queries/contract-calls/find-block.ts'
import { findSlot } from '#queries/contract-calls/find-slot.ts'
import { grantsAt } from '#queries/contract-calls/ledger-grants.ts'
import { nftsAt } from '#queries/contract-calls/ledger-nfts.ts'
import { schedulesAt } from '#queries/contract-calls/ledger-schedules.ts'
import { tokensAt } from '#queries/contract-calls/ledger-tokens.ts'
import { idOfNumber } from '#queries/contract-calls/numbers.ts'
import type { CallContext } from '#queries/contract-calls/reads.ts'
import { unknownFact } from '#queries/contract-calls/unknown-fact.ts'
import { exchangeRatesFile } from '#queries/network-files/exchange-rate.ts'
import { lookForFile } from '#queries/network-files/find-file.ts'
import { callPriceAt, inForce, lookForGasSchedule } from '#queries/network-files/gas-schedule.ts'
import { hexOf } from '#src/domain/bytes.ts'
import { entityIdParts, formatEntityId } from '#src/domain/entity-id.ts'
import { evmAddressBytes } from '#src/domain/evm-address.ts'
import { maxInt64 } from '#src/domain/ledger-time.ts'
import { readExchangeRates } from '#src/domain/network-files/exchange-rates.ts'
import type { EntityFacts, EntityKind, LedgerState, PriceFacts } from '#src/evm/ledger-state.ts'

const kinds: Readonly<Record<string, EntityKind>> = {
  ACCOUNT: 'account',
  CONTRACT: 'contract',
  TOKEN: 'token',
  SCHEDULE: 'schedule',
}

const wordBytes = 32

/** The ledger as contracts see it at a block, from the rows of the request. */
export function ledgerAt(block: CallBlock, context: CallContext): LedgerState {
  const { rows } = context
  const entities = rows.entities.at(block.time)
  const idOf = (number: bigint) => idOfNumber(number, context)

  async function entity(number: bigint): Promise<EntityFacts | undefined> {
    const id = idOf(number)
    return id === undefined ? undefined : entityOf(id, block, context)
  }

  return kept(block, context, {
    ...tokensAt(block, context),
    ...nftsAt(block, context),
    ...grantsAt(block, context),
    ...schedulesAt(block, context),
    block: async () => ({ number: block.number, timestamp: block.timestamp, hash: block.hash }),
    prices: () => findPrices(block.time, context),
    entity,
    entityAt: async (address) => {
      const id = await findHolder(entities, Buffer.from(address.slice(2), 'hex'))
      return id === undefined ? undefined : entity(entityIdParts(id).number)
    },
    code: async (number) => {
      const id = idOf(number) ?? number
      const [row] = await rows.contracts.get('contracts', [[id]], ['runtimeBytecode'])
      if (row?.runtimeBytecode) return row.runtimeBytecode
      throw unknownFact(`the code of contract ${formatEntityId(id)}`)
    },
    slot: (number, slot) => findSlot(idOf(number) ?? number, slot, block.time, rows.contracts),
    blockHash: async (number) => {
      const found = await findBlockByNumber(number, context)
      return found && Buffer.from(found.hash, 'hex').subarray(0, wordBytes)
    },
    lastEntity: async () => {
      const newest = { collection: 'entities', index: ['id'], descending: true, limit: 1, select: ['id'] } as const
      const [last] = await rows.entities.find(newest)
      return last === undefined ? 0n : entityIdParts(last.id).number
    },
  })
}

/** All that is asked of it at once: each of these waits for none of the others. */
async function entityOf(id: bigint, block: CallBlock, context: CallContext): Promise<EntityFacts | undefined> {
  const { rows, checkpoint } = context
  const at = { checkpoint, time: block.isNewest ? undefined : block.time }
  const [[row], [held], former] = await Promise.all([
    // With the end of the version: its nonce has changed within it.
    rows.entities.at(block.time).begun('entities', [[id]], entityFields),
    findHbarBalances(rows.balances, [id], at),
    formerNonce(id, block, context),
  ])
  if (row === undefined || (row.until ?? maxInt64) <= block.time) return undefined
  const kind = kinds[row.type]
  if (kind === undefined || row.deleted === 1) return undefined
  const hasBalance = kind === 'account' || kind === 'contract'
  const hasFormer = former !== undefined && former.until <= (row.until ?? maxInt64)
  return {
    id: entityIdParts(id).number,
    kind,
    evmAddress: hasBalance ? addressOf(row) : null,
    balance: hasBalance ? (held?.balance ?? null) : 0n,
    nonce: (hasFormer ? former.nonce : row.ethereumNonce) ?? 0n,
    key: row.key,
  }
}

/** What changed it first after the block knows what it was. */
async function formerNonce(id: bigint, { time }: CallBlock, { rows }: CallContext) {
  const [former] = await rows.entities.newest.find({
    collection: 'formerNonces',
    index: ['id', 'until'],
    prefix: [id],
    lower: { value: time, inclusive: false },
    limit: 1,
    select: ['nonce', 'until'],
  })
  return former
}

/** The same, with what was asked for lately: of a closed block for good, of the newest until there is another one. */
function kept(block: CallBlock, { evm, instances, stamp }: CallContext, state: LedgerState): LedgerState {
  if (evm === undefined) return state
  const instant = block.isNewest ? stamp : `${instances} ${block.time}`
  const keeping = (name: string, find: (...of: unknown[]) => Promise<unknown>) => {
    return (...of: readonly unknown[]) => evm.facts.of(`${instant} ${name} ${of.map(textOf).join()}`, () => find(...of))
  }
  // Code is kept where it runs.
  const asked = Object.entries(state).map(([name, find]) => [name, name === 'code' ? find : keeping(name, find)])
  return Object.fromEntries(asked) as LedgerState
}

function textOf(of: unknown): string {
  return of instanceof Uint8Array ? hexOf(of) : String(of)
}

/** An alias that is an address is one, whether or not the entity has another one. */
function addressOf({ evmAddress, alias }: Pick<EntityRow, 'evmAddress' | 'alias'>): EntityFacts['evmAddress'] {
  const own = evmAddress ?? (alias?.length === evmAddressBytes ? alias : null)
  return own === null ? null : `0x${hexOf(own)}`
}

/** What networks begin with, where no file says otherwise. */
const defaultGasPrice = 852_000n
const defaultRate = { hbars: 1, cents: 12 }

/** What gas costs at a time (ns), and what an hbar is worth. */
async function findPrices(time: bigint, context: CallContext): Promise<PriceFacts> {
  const window = { lower: 0n, upper: time }
  const [schedule, rates] = await Promise.all([
    lookForGasSchedule(window, context),
    lookForFile(exchangeRatesFile, window, context),
  ])
  const price = schedule && callPriceAt(schedule, time)
  const { hbars, cents } = rates === undefined ? defaultRate : inForce(readExchangeRates(rates.contents), time)
  return {
    gasPrice: price ?? defaultGasPrice,
    creation: schedule?.creationPrice,
    hbars: BigInt(hbars),
    cents: BigInt(cents),
  }
}
