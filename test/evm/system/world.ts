import { type HexAddress, longZeroOf } from '#src/evm/addresses.ts'
import type { StatedKey } from '#test/evm/stated-key.ts'
import type { StatedLedger } from '#test/evm/vector-state.ts'

/** Who and what the cases of system functions are about. The contract of a case has all keys. */
export const runner = 2_001n
export const alice = 1_001n
export const bob = 1_002n
export const treasury = 1_003n
export const coin = 3_001n
export const art = 3_002n
export const other = 3_003n
/** A token that nobody but its treasury is associated with. */
export const far = 3_004n
export const artSchedule = 4_001n
export const payment = 4_002n
/** What a transaction makes first. */
export const newEntity = 10_002n
export const nobody = longZeroOf(0n)
export const blockSeconds = 1_700_000_000n

const aliceAddress: HexAddress = `0x${'a1'.repeat(20)}`
const bobAddress: HexAddress = `0x${'b0'.repeat(20)}`

export function seenAs(id: bigint): HexAddress {
  if (id === alice) return aliceAddress
  return id === bob ? bobAddress : longZeroOf(id)
}

const numbers = { runner, alice, bob, treasury, coin, art, other, far, artSchedule, payment, blockSeconds }
/** As the shared state of vectors says them. */
const number = Object.fromEntries(Object.entries(numbers).map(([name, id]) => [name, Number(id)])) as Record<
  keyof typeof numbers,
  number
>
const key: StatedKey = { contractId: number.runner }
const keys = { adminKey: key, supplyKey: key, wipeKey: key, kycKey: key, feeScheduleKey: key }
const ed25519 = '0a'.repeat(32)
const fungible = { type: 'FUNGIBLE_COMMON', decimals: 2, treasury: number.runner } as const

/** A ledger whose one contract runs the code of a case. */
export function systemWorld(code: string): StatedLedger {
  return {
    block: { number: 100, timestamp: number.blockSeconds, hash: `0x${'ab'.repeat(48)}`, hashes: {} },
    nextEntity: 10_000,
    accounts: [
      { id: 2, type: 'ACCOUNT', balance: '4000000000000000000', key: { ed25519 } },
      {
        id: number.alice,
        type: 'ACCOUNT',
        balance: '1000000000000000000',
        evmAddress: aliceAddress,
        key: { ecdsa: `02${'5b'.repeat(32)}` },
      },
      {
        id: number.bob,
        type: 'ACCOUNT',
        balance: '1000000000000000000',
        evmAddress: bobAddress,
        maxAutoAssociations: -1,
      },
      { id: number.treasury, type: 'ACCOUNT', balance: '1000000000000000000', key: { ed25519 } },
      { id: number.runner, type: 'CONTRACT', balance: '1000000000000000000', code: `0x${code}` },
    ],
    tokens: [
      { ...fungible, ...keys, id: number.coin, name: 'Coin', symbol: 'CN', totalSupply: 1_000 },
      {
        ...keys,
        id: number.art,
        type: 'NON_FUNGIBLE_UNIQUE',
        name: 'Art',
        symbol: 'ART',
        totalSupply: 3,
        treasury: number.runner,
      },
      { ...fungible, id: number.other, name: 'Other', symbol: 'OT', totalSupply: 100, treasury: number.treasury },
      { ...fungible, id: number.far, name: 'Far', symbol: 'FAR', totalSupply: 100, treasury: number.treasury },
    ],
    relations: [
      { account: number.runner, token: number.coin, balance: 900 },
      { account: number.bob, token: number.coin, balance: 100 },
      { account: number.treasury, token: number.coin, balance: 0 },
      { account: number.runner, token: number.art, balance: 2 },
      { account: number.bob, token: number.art, balance: 1 },
      { account: number.treasury, token: number.art, balance: 0 },
      { account: number.treasury, token: number.other, balance: 100 },
      { account: number.runner, token: number.other, balance: 0 },
      { account: number.treasury, token: number.far, balance: 100 },
    ],
    nfts: [
      { token: number.art, serial: 1, owner: number.runner, spender: number.bob, metadata: '01' },
      { token: number.art, serial: 2, owner: number.bob, metadata: '02' },
      { token: number.art, serial: 3, owner: number.runner, metadata: '03' },
    ],
    allowances: { crypto: [], token: [], nftAll: [] },
    airdrops: [
      { sender: number.treasury, receiver: number.runner, token: number.other, amount: 5 },
      { sender: number.runner, receiver: number.treasury, token: number.coin, amount: 7 },
      { sender: number.bob, receiver: number.runner, token: number.art, serial: 2 },
      { sender: number.runner, receiver: number.treasury, token: number.art, serial: 3 },
    ],
    schedules: [
      {
        id: number.artSchedule,
        creator: number.alice,
        payer: number.alice,
        memo: 'art',
        transaction: { tokenCreation: artCreation },
      },
      {
        id: number.payment,
        creator: number.alice,
        payer: number.alice,
        memo: 'payment',
        adminKey: key,
        transaction: { cryptoTransfer },
      },
    ],
  }
}

const artCreation = {
  name: 'Planned',
  symbol: 'PLN',
  memo: 'plan',
  decimals: 0,
  initialSupply: 0,
  maxSupply: 10,
  treasury: number.treasury,
  adminKey: { ed25519 },
  autoRenewAccount: number.treasury,
  autoRenewPeriod: 8_000_000,
  expiry: 1_900_000_000,
  tokenType: 'NON_FUNGIBLE_UNIQUE',
  supplyType: 'FINITE',
}
const cryptoTransfer = {
  transfers: [
    { account: number.runner, amount: -1 },
    { account: number.treasury, amount: 1 },
  ],
}
