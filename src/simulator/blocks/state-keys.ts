import type { StateKey } from '#src/simulator/blocks/state-delta.ts'
import { stateIds } from '#src/simulator/blocks/state-ids.ts'
import type { Message } from '#src/simulator/codec.ts'
import { accountId, contractId, fileId, hexBytes, scheduleId, tokenId, topicId, wrapped } from '#src/simulator/ids.ts'
import type { World } from '#src/simulator/world.ts'

/** Keys of the network's states, from the keys by which the simulator tells what changed. */
const of = (state: number, name: string | number, key: Message): StateKey => ({ state, name: String(name), key })

export const accountKey = (num: number) => of(stateIds.accounts, num, { accountIdKey: accountId(num) })
export const accountNodeKey = (num: number) => of(stateIds.accountNodes, num, { accountIdKey: accountId(num) })
export const aliasKey = (hex: string) => of(stateIds.aliases, hex, { protoBytesKey: wrapped(hexBytes(hex)) })
export const bytecodeKey = (num: number) => of(stateIds.bytecode, num, { contractIdKey: contractId(num) })
export const fileKey = (num: number) => of(stateIds.files, num, { fileIdKey: fileId(num) })
export const nodeKey = (id: number) => of(stateIds.nodes, id, { entityNumberKey: wrapped(id) })
export const registeredNodeKey = (id: number) => of(stateIds.registeredNodes, id, { nodeIdKey: { id } })
export const scheduleKey = (num: number) => of(stateIds.schedules, num, { scheduleIdKey: scheduleId(num) })
export const stakingInfoKey = (node: number) => of(stateIds.stakingInfos, node, { entityNumberKey: wrapped(node) })
export const tokenKey = (num: number) => of(stateIds.tokens, num, { tokenIdKey: tokenId(num) })
export const topicKey = (num: number) => of(stateIds.topics, num, { topicIdKey: topicId(num) })

export function nftKey(token: number, serial: number): StateKey {
  return of(stateIds.nfts, `${token}/${serial}`, { nftIdKey: { token_ID: tokenId(token), serialNumber: serial } })
}

/** `contract/slot`, the slot as 64 hex digits. */
export function storageKey(contract: number, slot: string): StateKey {
  return of(stateIds.storage, `${contract}/${slot}`, {
    slotKeyKey: { contractID: contractId(contract), key: hexBytes(slot) },
  })
}

/** `sender/receiver/token/serial`; the serial of a fungible token is 0. */
export function airdropKey(name: string): StateKey {
  const [sender = 0, receiver = 0, token = 0, serial = 0] = name.split('/').map(Number)
  const dropped =
    serial === 0
      ? { fungibleTokenType: tokenId(token) }
      : { nonFungibleToken: { token_ID: tokenId(token), serialNumber: serial } }
  const pendingAirdropIdKey = { senderId: accountId(sender), receiverId: accountId(receiver), ...dropped }
  return of(stateIds.pendingAirdrops, name, { pendingAirdropIdKey })
}

/** `owner/id`; contracts have hooks as well as accounts. */
export function hookKey(world: World, name: string): StateKey {
  return of(stateIds.hooks, name, { hookIdKey: hookId(world, name) })
}

/** Slots of hooks have no leading zeros. */
export function hookSlotKey(world: World, hook: string, slot: string): StateKey {
  const key = hexBytes(slot.replace(/^(00)+/, ''))
  return of(stateIds.hookStorage, `${hook}/${slot}`, { evmHookSlotKey: { hookId: hookId(world, hook), key } })
}

function hookId(world: World, name: string): Message {
  const [owner = 0, id = 0] = name.split('/').map(Number)
  return {
    entityId: world.contract(owner) ? { contractId: contractId(owner) } : { accountId: accountId(owner) },
    hookId: id,
  }
}
