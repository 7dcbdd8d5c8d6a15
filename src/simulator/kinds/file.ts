import { created, deleted, nanosOf, updated } from '#src/simulator/changes.ts'
import { encode, type Message } from '#src/simulator/codec.ts'
import { accounts, contractId, fileId, seconds, wrapped } from '#src/simulator/ids.ts'
import { type LedgerFile, remember } from '#src/simulator/ledger-state.ts'
import { sha384 } from '#src/simulator/record-file.ts'
import type { Kind, Submission } from '#src/simulator/submission.ts'
import type { World } from '#src/simulator/world.ts'

const filesMost = 50
const upgradeFile = 150

export const fileCreate: Kind = (world) => {
  const payer = world.payer()
  const contents = Buffer.from(`document ${world.prng.below(1_000_000)}\n`.repeat(world.prng.between(1, 20)))
  const expiry = world.now.seconds + 7_776_000
  const keys = { keys: [world.keyOf(payer)] }
  const memo = world.prng.pick(['document', ''])
  const body = { fileCreate: { expirationTime: seconds(expiry), keys, contents, memo } }
  const result = world.failure('INVALID_SIGNATURE')
  if (result) return { body, payer, result }
  const num = world.newEntity()
  remember(world.state.files, { num, deleted: false }, filesMost)
  const facts = { type: 'FILE' as const, key: keyListHex(keys), memo, expirationTime: nanosOf(expiry) }
  return { body, payer, receipt: { fileID: fileId(num) }, changes: [created(num, facts)] }
}

/** As many characters as a transaction has room for. */
const pieceLength = 4_096

/** A file with a long text, in pieces; nobody changes it any more. */
export function uploadOf(
  world: World,
  payer: number,
  text: string,
): { readonly num: number; readonly submissions: readonly Submission[] } {
  const expiry = world.now.seconds + 7_776_000
  const keys = { keys: [world.keyOf(payer)] }
  const num = world.newEntity()
  const pieces = (text.match(new RegExp(`.{1,${pieceLength}}`, 'g')) ?? []).map((piece) => Buffer.from(piece))
  const [contents, ...more] = pieces
  const facts = { type: 'FILE' as const, key: keyListHex(keys), memo: 'code', expirationTime: nanosOf(expiry) }
  const creation: Submission = {
    body: { fileCreate: { expirationTime: seconds(expiry), keys, contents, memo: 'code' } },
    payer,
    receipt: { fileID: fileId(num) },
    changes: [created(num, facts)],
  }
  const appends = more.map(
    (piece): Submission => ({
      body: { fileAppend: { fileID: fileId(num), contents: piece } },
      payer,
    }),
  )
  return { num, submissions: [creation, ...appends] }
}

/** Files keep a bare list where other entities keep a key. */
export function keyListHex(keys: Message): string {
  return Buffer.from(encode('proto.KeyList', keys)).toString('hex')
}

export const fileAppend: Kind = (world) => {
  const file = liveFile(world)
  if (!file) return undefined
  const result = world.failure('INVALID_FILE_ID')
  const body = { fileAppend: { fileID: fileId(file.num), contents: world.prng.bytes(300) } }
  return { body, payer: world.payer(), ...(result ? { result } : {}) }
}

/** New contents, or other terms with the contents as they are. */
export const fileUpdate: Kind = (world) => {
  const file = liveFile(world)
  if (!file) return undefined
  const payer = world.payer()
  const memo = `edition ${world.prng.below(100)}`
  if (world.prng.chance(0.5)) {
    const body = { fileUpdate: { fileID: fileId(file.num), contents: world.prng.bytes(120), memo: wrapped(memo) } }
    return { body, payer, changes: [updated(file.num, { memo })] }
  }
  const expiry = world.now.seconds + world.prng.between(1, 90) * 86_400
  const keys = { keys: [world.keyOf(payer)] }
  return {
    body: { fileUpdate: { fileID: fileId(file.num), expirationTime: seconds(expiry), keys } },
    payer,
    changes: [updated(file.num, { expirationTime: nanosOf(expiry), key: keyListHex(keys) })],
  }
}

export const fileDelete: Kind = (world) => {
  const file = liveFile(world)
  if (!file) return undefined
  file.deleted = true
  return { body: { fileDelete: { fileID: fileId(file.num) } }, payer: world.payer(), changes: [deleted(file.num)] }
}

/** The administrators' deletion of a file or contract, and its reversal. */
export const systemDelete: Kind = (world) => {
  const contract = world.prng.chance(0.3) ? world.some(world.state.contracts) : undefined
  const file = liveFile(world)
  const expirationTime = { seconds: world.now.seconds + 86_400 }
  const payer = accounts.systemDeleteAdmin
  if (contract)
    return {
      body: { systemDelete: { contractID: contractId(contract.num), expirationTime } },
      payer,
      result: 'NOT_SUPPORTED',
    }
  if (!file) return undefined
  file.deleted = true
  return { body: { systemDelete: { fileID: fileId(file.num), expirationTime } }, payer, changes: [deleted(file.num)] }
}

export const systemUndelete: Kind = (world) => {
  const file = world.some(world.state.files.filter(({ deleted }) => deleted))
  if (!file) return undefined
  file.deleted = false
  const body = { systemUndelete: { fileID: fileId(file.num) } }
  return { body, payer: accounts.systemDeleteAdmin, changes: [updated(file.num, {})] }
}

/** Announces an upgrade, or calls one off that was never announced. */
export const freeze: Kind = (world) => {
  const abort = world.prng.chance(0.3) && world.failureShare > 0
  if (abort)
    return { body: { freeze: { freezeType: 4 } }, payer: accounts.freezeAdmin, result: 'NO_FREEZE_IS_SCHEDULED' }
  const fileHash = sha384(world.prng.bytes(32))
  return { body: { freeze: { freezeType: 2, updateFile: fileId(upgradeFile), fileHash } }, payer: accounts.freezeAdmin }
}

export const uncheckedSubmit: Kind = (world) => ({
  body: { uncheckedSubmit: { transactionBytes: world.prng.bytes(64) } },
  payer: accounts.treasury,
  result: 'NOT_SUPPORTED',
})

/** Pseudo-random bytes, or a number where a range is asked for. */
export const pseudoRandom: Kind = (world) => {
  const range = world.prng.chance(0.5) ? world.prng.between(2, 1_000) : undefined
  return {
    body: { utilPrng: range === undefined ? {} : { range } },
    payer: world.payer(),
    record: range === undefined ? { prngBytes: world.prng.bytes(48) } : { prngNumber: world.prng.below(range) },
  }
}

function liveFile(world: World): LedgerFile | undefined {
  return world.some(world.state.files.filter(({ deleted }) => !deleted))
}
