import type { HexAddress } from '#src/evm/addresses.ts'
import type { EntityFacts, LedgerState } from '#src/evm/ledger-state.ts'
import { keyBytes, type StatedKey } from '#test/evm/stated-key.ts'
import { type StatedSchedule, scheduleLedger } from '#test/evm/stated-schedules.ts'
import { type StatedTokens, tokenLedger } from '#test/evm/stated-tokens.ts'

/** An account of the shared state of the vectors. */
export interface StatedAccount {
  readonly id: number
  readonly type: 'ACCOUNT' | 'CONTRACT'
  readonly evmAddress?: HexAddress
  readonly balance: string
  readonly nonce?: number
  readonly code?: string
  readonly storage?: Readonly<Record<string, string>>
  readonly key?: StatedKey
  readonly memo?: string
  readonly maxAutoAssociations?: number
  readonly receiverSigRequired?: boolean
}

export interface StatedLedger extends StatedTokens {
  readonly block: { number: number; timestamp: number; hash: string; hashes: Readonly<Record<string, string>> }
  readonly nextEntity: number
  readonly accounts: readonly StatedAccount[]
  readonly schedules: readonly StatedSchedule[]
}

const bytesOf = (hex = ''): Buffer => Buffer.from(hex.replace(/^0x/, ''), 'hex')

/** The state of the vectors as the EVM asks for it, without any store. */
export function vectorState(stated: StatedLedger): LedgerState {
  const { block, accounts, tokens, schedules } = stated
  const hashes = new Map<string, string>(Object.entries<string>({ ...block.hashes, [block.number]: block.hash }))
  const factsOf = (account: StatedAccount): EntityFacts => ({
    id: BigInt(account.id),
    kind: account.type === 'ACCOUNT' ? 'account' : 'contract',
    evmAddress: account.evmAddress ?? null,
    balance: BigInt(account.balance),
    nonce: BigInt(account.nonce ?? 0),
    key: keyBytes(account.key),
  })
  const without = { evmAddress: null, balance: 0n, nonce: 0n, key: null }
  return {
    ...tokenLedger(stated),
    ...scheduleLedger(schedules),
    block: async () => ({
      number: BigInt(block.number),
      timestamp: BigInt(block.timestamp),
      hash: bytesOf(block.hash),
    }),
    prices: async () => ({ gasPrice: 852_000n, hbars: 1n, cents: 12n }),
    entity: async (id) => {
      const account = accounts.find((each) => BigInt(each.id) === id)
      if (account !== undefined) return factsOf(account)
      if (tokens.some((each) => BigInt(each.id) === id)) return { ...without, id, kind: 'token' }
      return schedules.some((each) => BigInt(each.id) === id) ? { ...without, id, kind: 'schedule' } : undefined
    },
    entityAt: async (address) => {
      const account = accounts.find(({ evmAddress }) => evmAddress === address)
      return account && factsOf(account)
    },
    code: async (id) => bytesOf(accounts.find((each) => BigInt(each.id) === id)?.code),
    slot: async (id, slot) => {
      const storage = accounts.find((each) => BigInt(each.id) === id)?.storage ?? {}
      const number = BigInt(`0x${Buffer.from(slot).toString('hex')}`)
      const key = Object.keys(storage).find((each) => BigInt(each) === number)
      const value: unknown = key === undefined ? 0 : storage[key]
      const digits = BigInt(String(value)) === 0n ? '' : BigInt(String(value)).toString(16)
      return Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex')
    },
    blockHash: async (number) => {
      const hash = hashes.get(String(number))
      return hash === undefined ? undefined : bytesOf(hash).subarray(0, 32)
    },
    lastEntity: async () => BigInt(stated.nextEntity - 1_000),
  }
}
