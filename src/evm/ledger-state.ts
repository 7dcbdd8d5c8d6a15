import type { HexAddress } from '#src/evm/addresses.ts'
import type { ScheduleLedger } from '#src/evm/schedule-facts.ts'
import type { TokenLedger } from '#src/evm/token-facts.ts'

/** Kinds of entities that an address may name. */
export type EntityKind = 'account' | 'contract' | 'token' | 'schedule'

/** What the ledger says of an entity. Everything here can be sent to another thread. */
export interface EntityFacts {
  readonly id: bigint
  readonly kind: EntityKind
  /** 20 bytes as hex digits with 0x; null where only the number names it. */
  readonly evmAddress: HexAddress | null
  /** tinybar; null where the log does not say. */
  readonly balance: bigint | null
  /** null where nobody knows it: a new contract's address follows from it. */
  readonly nonce: bigint | null
  /** Serialized Key; null where there is none. */
  readonly key: Uint8Array | null
  /** Whether it may pay for a call: accounts do, and contracts do not, unless this says otherwise. */
  readonly pays?: boolean
}

export interface BlockFacts {
  readonly number: bigint
  /** Whole seconds of its first consensus time. */
  readonly timestamp: bigint
  /** 48 bytes. */
  readonly hash: Uint8Array
}

/** What gas and fees cost, as the files of the network say. */
export interface PriceFacts {
  /** 1/1000 tinycent. */
  readonly gasPrice: bigint
  /** Of the creation of an account by the simple fees, tinycents; where there are none, as they were introduced. */
  readonly creation?: bigint | undefined
  readonly hbars: bigint
  readonly cents: bigint
}

/**
 * The ledger as of one instant. Whatever is asked is of that instant, and what the log lacks is refused with `fact_unknown`:
 * it is never told as zero.
 */
export interface LedgerState extends TokenLedger, ScheduleLedger {
  block(): Promise<BlockFacts>
  prices(): Promise<PriceFacts>
  /** An entity by its id, or by an address that is not its number; undefined where there is none. */
  entity(id: bigint): Promise<EntityFacts | undefined>
  entityAt(address: HexAddress): Promise<EntityFacts | undefined>
  code(contract: bigint): Promise<Uint8Array>
  /** A word of storage without leading zeros; empty for zero. */
  slot(contract: bigint, slot: Uint8Array): Promise<Uint8Array>
  /** First 32 bytes of the hash of a block; undefined where it is not known. */
  blockHash(number: bigint): Promise<Uint8Array | undefined>
  /** The greatest number that an entity has. */
  lastEntity(): Promise<bigint>
}
