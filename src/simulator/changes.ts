import { encode, type Message } from '#src/simulator/codec.ts'
import type {
  Entity,
  HookFacts,
  LedgerChange,
  NftFacts,
  Relation,
  TokenFacts,
  TokenFees,
} from '#src/simulator/ledger-change.ts'

/** Short ways to say what a transaction changes. */
export function created(num: number, set: Partial<Entity>): LedgerChange {
  return { table: 'entities', key: String(num), set: { ...set, deleted: false }, fresh: true }
}

export function updated(num: number, set: Partial<Entity>): LedgerChange {
  return { table: 'entities', key: String(num), set: { ...set, deleted: false } }
}

export function deleted(num: number, set: Partial<Entity> = {}): LedgerChange {
  return { table: 'entities', key: String(num), set: { ...set, deleted: true } }
}

/** What does not revive a deleted entity: nonces, periods of rewards. */
export function touched(num: number, set: Partial<Entity>): LedgerChange {
  return { table: 'entities', key: String(num), set }
}

export function named(alias: string | null, num: number | null): readonly LedgerChange[] {
  return alias === null ? [] : [{ table: 'aliases', key: alias, set: { num } }]
}

/** An association begins with nothing, also where an earlier one ended. */
export function associated(account: number, token: number, set: Partial<Relation> = {}): LedgerChange {
  return { table: 'relations', key: `${account}/${token}`, set: { ...set, associated: true }, fresh: true }
}

export function related(account: number, token: number, set: Partial<Relation>): LedgerChange {
  return { table: 'relations', key: `${account}/${token}`, set }
}

export function nftChanged(token: number, serial: number, set: Partial<NftFacts>, fresh = false): LedgerChange {
  return { table: 'nfts', key: `${token}/${serial}`, set, fresh }
}

/** Who may transfer an NFT besides its owner; null: nobody. */
export function nftApproved(token: number, serial: number, spender: number | null, delegate?: number): LedgerChange {
  return nftChanged(token, serial, { spender, delegatingSpender: delegate ?? null })
}

export function tokenChanged(num: number, set: Partial<TokenFacts>): LedgerChange {
  return { table: 'tokens', key: String(num), set }
}

/** The fee that a token has from now on, if any. */
export function feesChanged(num: number, fee: TokenFees['fees'][number] | null): LedgerChange {
  return { table: 'tokenFees', key: String(num), set: { fees: fee === null ? [] : [fee] } }
}

export function hooked(owner: number, hook: number, set: Partial<HookFacts>, fresh = false): LedgerChange {
  return { table: 'hooks', key: `${owner}/${hook}`, set, fresh }
}

export function slotWritten(owner: number, hook: number, slot: string, value: string): LedgerChange {
  return { table: 'hookSlots', key: `${owner}/${hook}/${slot.padStart(64, '0')}`, set: { value } }
}

export function keyHex(key: Message): string {
  return Buffer.from(encode('proto.Key', key)).toString('hex')
}

export function nanosOf(seconds: number): bigint {
  return BigInt(seconds) * 1_000_000_000n
}
