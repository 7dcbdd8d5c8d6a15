import { created, keyHex, named } from '#src/simulator/changes.ts'
import type { Message } from '#src/simulator/codec.ts'
import { accountId, hexBytes, seconds } from '#src/simulator/ids.ts'
import type { Account } from '#src/simulator/ledger-state.ts'
import { type StakingChoice, stakingFacts, stakingFields } from '#src/simulator/staking.ts'
import type { Submission } from '#src/simulator/submission.ts'
import type { World } from '#src/simulator/world.ts'

export interface NewAccount {
  readonly ecdsa: boolean
  /** `key`: the serialized key as alias, `address`: the 20-byte EVM address, for ECDSA keys only. */
  readonly alias: 'none' | 'key' | 'address'
  /** Busy from the start, or one of the bounded number of later comers. */
  readonly user?: boolean
  /** Takes the key of a deleted account, whose alias is free again, where there is one. */
  readonly reuse?: boolean
  readonly hollow?: boolean
}

export interface CreationDetails {
  readonly initialBalance?: number
  readonly memo?: string
  /** Default -1: unlimited. */
  readonly maxAssociations?: number
  readonly receiverSigRequired?: boolean
  readonly staking?: StakingChoice
  /** 20 bytes of the contract that it runs the code of. */
  readonly delegation?: Buffer
  /** The record of a child names the alias; who asks for one in the body knows it. */
  readonly aliasInRecord?: boolean
}

const secp256k1KeyPrefix = Buffer.of(0x3a, 33)
const ed25519KeyPrefix = Buffer.of(0x12, 32)
const autoRenewSeconds = 7_776_000
/** The empty key list: nobody's key, until someone shows the one that the address comes from. */
const noKey: Message = { keyList: { keys: [] } }

/** Takes the next account number and remembers the account with balance 0; the record's transfers fill it. */
export function createAccount(world: World, plan: NewAccount): Account {
  const { ecdsa, alias, user = false } = plan
  const num = world.newEntity()
  const freed = plan.reuse && ecdsa && alias !== 'none' ? world.state.freedKeys.shift() : undefined
  const keyNum = freed ?? num
  const evmAddress = ecdsa && alias !== 'none' ? world.keys.evmAddress(keyNum).toString('hex') : null
  const account: Account = {
    num,
    balance: 0,
    staking: null,
    hooks: [],
    keyNum,
    ecdsa,
    hollow: plan.hollow ?? false,
    alias: alias === 'none' ? null : alias === 'address' ? evmAddress : keyAlias(world, keyNum, ecdsa),
    evmAddress,
    autoSlots: -1,
    ethereumNonce: 0,
  }
  if (user) world.addUser(account)
  else world.addGuest(account)
  return account
}

/** A key alias is the serialized Key message: field 7 with 33 bytes, or field 2 with 32. */
function keyAlias(world: World, keyNum: number, ecdsa: boolean): string {
  const prefix = ecdsa ? secp256k1KeyPrefix : ed25519KeyPrefix
  return Buffer.concat([prefix, world.keys.publicKey(keyNum, ecdsa)]).toString('hex')
}

/** How the ledger shows the creation of an account that the state holds already. Its staking is chosen before. */
export function creationOf(
  world: World,
  account: Account,
  details: CreationDetails = {},
): Pick<Submission, 'body' | 'receipt' | 'record'> & { readonly changes: NonNullable<Submission['changes']> } {
  const { num, alias, evmAddress } = account
  const { initialBalance = 0, memo = '', maxAssociations = -1, receiverSigRequired = false } = details
  const key = account.hollow ? noKey : world.keyOf(num)
  account.autoSlots = maxAssociations
  const body: Message = {
    key,
    autoRenewPeriod: seconds(autoRenewSeconds),
    maxAutomaticTokenAssociations: maxAssociations,
    ...(initialBalance === 0 ? {} : { initialBalance }),
    ...(memo === '' ? {} : { memo }),
    ...(receiverSigRequired ? { receiverSigRequired } : {}),
    ...(details.staking ? stakingFields(details.staking, false) : {}),
    ...(details.delegation ? { delegationAddress: details.delegation } : {}),
    ...(alias === null ? {} : { alias: hexBytes(alias) }),
  }
  const facts = {
    type: 'ACCOUNT' as const,
    key: keyHex(key),
    memo,
    alias,
    evmAddress,
    autoRenewSeconds,
    maxAutomaticAssociations: maxAssociations,
    receiverSigRequired,
    delegationAddress: details.delegation?.toString('hex') ?? null,
    ...stakingFacts(account),
  }
  return {
    body: { cryptoCreateAccount: body },
    receipt: { accountID: accountId(num) },
    record: {
      ...(details.aliasInRecord && alias !== null ? { alias: hexBytes(alias) } : {}),
      // Not where the alias is that address.
      ...(evmAddress === null || evmAddress === alias ? {} : { evmAddress: hexBytes(evmAddress) }),
    },
    changes: [created(num, facts), ...named(alias, num), ...named(evmAddress, num)],
  }
}
