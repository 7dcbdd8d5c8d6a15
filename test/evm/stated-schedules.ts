import { scheduledOf } from '#queries/contract-calls/scheduled-body.ts'
import type { ScheduleLedger } from '#src/evm/schedule-facts.ts'
import { encode, type Message } from '#src/simulator/codec.ts'
import { keyBytes, type StatedKey } from '#test/evm/stated-key.ts'

/** A schedule of the shared state of the vectors. */
export interface StatedSchedule {
  readonly id: number
  readonly payer: number
  readonly creator: number
  readonly memo: string
  readonly adminKey?: StatedKey
  readonly transaction: {
    readonly tokenCreation?: StatedCreation
    readonly cryptoTransfer?: { readonly transfers: readonly { readonly account: number; readonly amount: number }[] }
  }
}

interface StatedCreation {
  readonly name: string
  readonly symbol: string
  readonly memo: string
  readonly decimals: number
  readonly initialSupply: number
  readonly maxSupply: number
  readonly treasury: number
  readonly adminKey: { readonly ed25519: string }
  readonly autoRenewAccount: number
  readonly autoRenewPeriod: number
  readonly expiry: number
  readonly tokenType: string
  readonly supplyType: string
}

/** The vectors say of no schedule when it expires: after their block. */
export const scheduleExpirySeconds = 1_800_000_000n

/** Serialized SchedulableTransactionBody. */
export function scheduledBytes({ transaction: { tokenCreation, cryptoTransfer } }: StatedSchedule): Uint8Array {
  return encode('proto.SchedulableTransactionBody', {
    ...(tokenCreation !== undefined && { tokenCreation: creationBody(tokenCreation) }),
    ...(cryptoTransfer !== undefined && { cryptoTransfer: transferBody(cryptoTransfer.transfers) }),
  })
}

function creationBody(stated: StatedCreation): Message {
  const { treasury, adminKey, autoRenewAccount, autoRenewPeriod, expiry, tokenType, supplyType, ...same } = stated
  return {
    ...same,
    treasury: { accountNum: treasury },
    adminKey: { ed25519: Buffer.from(adminKey.ed25519, 'hex') },
    autoRenewAccount: { accountNum: autoRenewAccount },
    autoRenewPeriod: { seconds: autoRenewPeriod },
    expiry: { seconds: expiry },
    tokenType: tokenType === 'NON_FUNGIBLE_UNIQUE' ? 1 : 0,
    supplyType: supplyType === 'FINITE' ? 1 : 0,
  }
}

function transferBody(transfers: readonly { readonly account: number; readonly amount: number }[]): Message {
  const accountAmounts = transfers.map(({ account, amount }) => ({ accountID: { accountNum: account }, amount }))
  return { transfers: { accountAmounts } }
}

/** The schedules of the vectors as the EVM asks for them. */
export function scheduleLedger(schedules: readonly StatedSchedule[]): ScheduleLedger {
  return {
    schedule: async (id) => {
      const found = schedules.find((each) => BigInt(each.id) === id)
      return (
        found && {
          id,
          payer: BigInt(found.payer),
          adminKey: keyBytes(found.adminKey),
          expirySeconds: scheduleExpirySeconds,
          waits: false,
          end: undefined,
          signatories: [],
          scheduled: scheduledOf(scheduledBytes(found)),
        }
      )
    },
    scheduledAt: async () => ({ transactions: 0n, gas: 0n }),
  }
}
