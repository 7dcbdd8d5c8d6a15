import type { ContractID, Key, KeyList, ThresholdKey } from '#schemas/events/types.ts'
import { bytesField as field, numberField as number } from '#src/events/wire-bytes.ts'

/** The serialized Key message, in the order of field numbers as every producer writes it. */
export function keyBytes(key: Key): Buffer {
  if (key.contractID !== null) return field(1, contractIdBytes(key.contractID))
  if (key.ed25519 !== null) return field(2, key.ed25519)
  if (key.RSA_3072 !== null) return field(3, key.RSA_3072)
  if (key.ECDSA_384 !== null) return field(4, key.ECDSA_384)
  if (key.thresholdKey !== null) return field(5, thresholdBytes(key.thresholdKey))
  if (key.keyList !== null) return field(6, keyListBytes(key.keyList))
  if (key.ECDSASecp256k1 !== null) return field(7, key.ECDSASecp256k1)
  return key.delegatableContractId === null ? empty : field(8, contractIdBytes(key.delegatableContractId))
}

/** The serialized KeyList message. */
export function keyListBytes({ keys }: KeyList): Buffer {
  return Buffer.concat(keys.map((key) => field(1, keyBytes(key))))
}

/** The serialized Key that stands for a contract. */
export function contractKeyBytes(contract: ContractID): Buffer {
  return field(1, contractIdBytes(contract))
}

/** How deep a single key may be wrapped in lists of one and still be what its owner is searched by. */
const wrappersMax = 2

/**
 * Lower-case hex of the one simple key inside of a key: itself, or the only one of a list or threshold key. Null where
 * there are several, none, or a contract.
 */
export function publicKeyOf(key: Key, wrappers = wrappersMax): string | null {
  const simple = key.ed25519 ?? key.ECDSASecp256k1 ?? key.RSA_3072 ?? key.ECDSA_384
  if (simple !== null) return simple.toString('hex')
  const keys = key.keyList?.keys ?? key.thresholdKey?.keys?.keys
  const [only] = keys ?? []
  return only === undefined || keys?.length !== 1 || wrappers === 0 ? null : publicKeyOf(only, wrappers - 1)
}

const empty = Buffer.alloc(0)

function contractIdBytes({ shardNum, realmNum, contractNum, evmAddress }: ContractID): Buffer {
  return Buffer.concat([
    shardNum === 0n ? empty : number(1, shardNum),
    realmNum === 0n ? empty : number(2, realmNum),
    contractNum === null ? empty : number(3, contractNum),
    evmAddress === null ? empty : field(4, evmAddress),
  ])
}

function thresholdBytes({ threshold, keys }: ThresholdKey): Buffer {
  return Buffer.concat([
    threshold === 0n ? empty : number(1, threshold),
    keys === null ? empty : field(2, keyListBytes(keys)),
  ])
}
