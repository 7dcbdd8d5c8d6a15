import { accountValue, type SystemBalances } from '#src/simulator/blocks/account-values.ts'
import { applyChange, type StateContext } from '#src/simulator/blocks/change-handlers.ts'
import { fileValue } from '#src/simulator/blocks/entity-values.ts'
import { StateDelta } from '#src/simulator/blocks/state-delta.ts'
import { accountKey, bytecodeKey, fileKey, nftKey } from '#src/simulator/blocks/state-keys.ts'
import { addStorageChanges } from '#src/simulator/blocks/storage-changes.ts'
import type { WrittenSlots } from '#src/simulator/blocks/written-slots.ts'
import type { Message } from '#src/simulator/codec.ts'
import type { Emitted } from '#src/simulator/emitted.ts'
import { accountId } from '#src/simulator/ids.ts'
import { bodyFieldOf, succeeded } from '#src/simulator/submission.ts'
import type { World } from '#src/simulator/world.ts'

type Collected = Omit<StateContext, 'kind' | 'data'>

/** What all transactions of a family left different, as StateChange messages: the network commits once for them. */
export function familyState(
  world: World,
  balances: SystemBalances,
  family: readonly Emitted[],
  slots: WrittenSlots,
): Message[] {
  const collected: Collected = { world, delta: new StateDelta(), accounts: new Set(), gone: new Set() }
  for (const transaction of family) addTransaction(collected, transaction)
  addStorageChanges(collected.delta, world, family, slots)
  for (const owner of slots.owners) if (!owner.includes('/')) collected.accounts.add(Number(owner))
  addAccounts(collected, balances)
  return collected.delta.changes
}

function addTransaction(collected: Collected, transaction: Emitted): void {
  const { submission, record } = transaction
  const success = succeeded(submission)
  const kind = bodyFieldOf(submission.body)
  const data = submission.body[kind] as Message
  const changes = [...(success ? (submission.changes ?? []) : []), ...(submission.lasting ?? [])]
  if (success && kind === 'fileAppend') addAppended(collected, data)
  for (const change of changes) applyChange({ ...collected, kind, data }, change)
  for (const { accountID } of ((record['transferList'] as Message)['accountAmounts'] ?? []) as Message[])
    collected.accounts.add(Number((accountID as Message)['accountNum']))
  if (!success) return
  for (const { token, nfts = [] } of submission.tokenMovements ?? [])
    for (const { serial, receiver } of nfts) moveNft(collected, token, serial, receiver)
  addCode(collected, submission.sidecars ?? [])
}

function addAppended({ delta }: Collected, { fileID }: Message): void {
  const num = Number((fileID as Message)['fileNum'])
  delta.put(fileKey(num), fileValue(num, undefined))
}

/** A serial of -1 stands for all that a treasury has, which are listed nowhere. */
function moveNft({ delta }: Collected, token: number, serial: number, receiver: number): void {
  if (serial < 0) return
  if (receiver === 0) delta.remove(nftKey(token, serial))
  else delta.put(nftKey(token, serial))
}

/** What stays of the code of new contracts. */
function addCode({ delta }: Collected, sidecars: readonly Message[]): void {
  for (const { bytecode } of sidecars) {
    const { contractId, runtimeBytecode } = (bytecode ?? {}) as Message
    if (!contractId || !runtimeBytecode) continue
    const num = Number((contractId as Message)['contractNum'])
    delta.put(bytecodeKey(num), { bytecodeValue: { code: runtimeBytecode } })
  }
}

function addAccounts({ world, delta, accounts, gone }: Collected, balances: SystemBalances): void {
  for (const num of accounts) {
    const value = accountValue(world, balances, num)
    if (gone.has(num))
      delta.put(accountKey(num), { accountValue: { accountId: accountId(num), ...value, deleted: true } })
    else if (value) delta.put(accountKey(num), { accountValue: value })
  }
}
