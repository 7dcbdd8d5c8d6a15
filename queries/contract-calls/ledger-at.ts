import { type EntityRow, entityFields } from '#projections/entities/schema.ts'
import { findHbarBalances } from '#queries/balances/find-account-balances.ts'
import { findBlockByNumber } from '#queries/blocks/find-blocks.ts'
import { findHolder } from '#queries/common/find-entity.ts'
import type { CallBlock } from '#queries/contract-calls/find-block.ts'
import { findPrices } from '#queries/contract-calls/find-prices.ts'
import { findSlot } from '#queries/contract-calls/find-slot.ts'
import { grantsAt } from '#queries/contract-calls/ledger-grants.ts'
import { nftsAt } from '#queries/contract-calls/ledger-nfts.ts'
import { schedulesAt } from '#queries/contract-calls/ledger-schedules.ts'
import { tokensAt } from '#queries/contract-calls/ledger-tokens.ts'
import { idOfNumber } from '#queries/contract-calls/numbers.ts'
import type { CallContext } from '#queries/contract-calls/reads.ts'
import { unknownFact } from '#queries/contract-calls/unknown-fact.ts'
import { hexOf } from '#src/domain/bytes.ts'
import { entityIdParts, formatEntityId } from '#src/domain/entity-id.ts'
import { evmAddressBytes } from '#src/domain/evm-address.ts'
import { maxInt64 } from '#src/domain/ledger-time.ts'
import type { EntityFacts, EntityKind, LedgerState } from '#src/evm/ledger-state.ts'

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
    if (id === undefined) return undefined
    // With the end of the version: its nonce has changed within it.
    const [row] = await entities.begun('entities', [[id]], entityFields)
    return row && (row.until ?? maxInt64) > block.time ? factsOf(row) : undefined
  }

  async function factsOf(row: EntityRow): Promise<EntityFacts | undefined> {
    const kind = kinds[row.type]
    if (kind === undefined || row.deleted === 1) return undefined
    const hasBalance = kind === 'account' || kind === 'contract'
    const at = { bound: context.checkpoint, time: block.isNewest ? undefined : block.time }
    const [held] = hasBalance ? await findHbarBalances(rows.balances, [row.id], at) : []
    return {
      id: entityIdParts(row.id).number,
      kind,
      evmAddress: kind === 'token' || kind === 'schedule' ? null : addressOf(row),
      balance: hasBalance ? (held?.balance ?? null) : 0n,
      nonce: (await nonceOf(row)) ?? 0n,
      key: row.key,
    }
  }

  /** What changed it first after the block knows what it was. */
  async function nonceOf({ id, until, ethereumNonce }: EntityRow): Promise<bigint | null> {
    const [former] = await rows.entities.newest.find({
      collection: 'formerNonces',
      index: ['id', 'until'],
      prefix: [id],
      lower: { value: block.time, inclusive: false },
      upper: { value: until ?? maxInt64, inclusive: true },
      limit: 1,
      select: ['nonce'],
    })
    return former === undefined ? ethereumNonce : former.nonce
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
      const index = ['id'] as const
      const [last] = await rows.entities.find({
        collection: 'entities',
        index,
        descending: true,
        limit: 1,
        select: ['id'],
      })
      return last === undefined ? 0n : entityIdParts(last.id).number
    },
  })
}

/** The same, with what was asked for lately: of a closed block for good, of the newest until there is another one. */
function kept(block: CallBlock, { evm, instances, stamp }: CallContext, state: LedgerState): LedgerState {
  if (evm === undefined) return state
  const instant = block.isNewest ? stamp : `${instances} ${block.time}`
  const of = <T>(fact: string, find: () => Promise<T>): Promise<T> => evm.facts.of(`${instant} ${fact}`, find)
  return {
    ...state,
    prices: () => of('prices', state.prices),
    entity: (id) => of(`entity ${id}`, () => state.entity(id)),
    entityAt: (address) => of(`entityAt ${address}`, () => state.entityAt(address)),
    slot: (contract, slot) => of(`slot ${contract} ${hexOf(slot)}`, () => state.slot(contract, slot)),
    blockHash: (number) => of(`hash ${number}`, () => state.blockHash(number)),
    lastEntity: () => of('last', state.lastEntity),
  }
}

/** An alias that is an address is one, whether or not the entity has another one. */
function addressOf({ evmAddress, alias }: Pick<EntityRow, 'evmAddress' | 'alias'>): EntityFacts['evmAddress'] {
  const own = evmAddress ?? (alias?.length === evmAddressBytes ? alias : null)
  return own === null ? null : `0x${hexOf(own)}`
}
