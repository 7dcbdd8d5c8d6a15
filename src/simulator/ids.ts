import type { Message } from '#src/simulator/codec.ts'

/** Identifiers as messages; shard and realm are 0 and therefore absent. */
export const accountId = (num: number): Message => ({ accountNum: num })
export const aliasId = (alias: Uint8Array): Message => ({ alias })
export const tokenId = (num: number): Message => ({ tokenNum: num })
export const topicId = (num: number): Message => ({ topicNum: num })
export const fileId = (num: number): Message => ({ fileNum: num })
export const scheduleId = (num: number): Message => ({ scheduleNum: num })
export const contractId = (num: number): Message => ({ contractNum: num })
export const wrapped = (value: unknown): Message => ({ value })
export const seconds = (value: number): Message => ({ seconds: value })
export const hexBytes = (hex: string): Buffer => Buffer.from(hex, 'hex')

export const accounts = {
  treasury: 2,
  firstNode: 3,
  addressBookAdmin: 55,
  feeScheduleAdmin: 56,
  ratesAdmin: 57,
  freezeAdmin: 58,
  systemDeleteAdmin: 59,
  networkFee: 98,
  stakingReward: 800,
  nodeReward: 801,
  feeCollection: 802,
} as const

export const systemContracts = { tokenService: 359, hooks: 365 } as const
export const firstUserEntity = 1_001

/** The accounts that look after files, fees and upgrades. */
export const administrators = [50, 55, 56, 57, 58, 59] as const

export function isAdministrator(num: number): boolean {
  return num <= 59 && (num === 50 || num >= 55)
}
