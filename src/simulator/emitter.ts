import { encode, type Message } from '#src/simulator/codec.ts'
import type { Emitted, TransactionSink } from '#src/simulator/emitted.ts'
import { defaultFee, duplicateFee } from '#src/simulator/fees.ts'
import { accountId, accounts } from '#src/simulator/ids.ts'
import { buildRecord } from '#src/simulator/record.ts'
import { sha384 } from '#src/simulator/record-file.ts'
import { bodyFieldOf, type Submission, type TransactionIdentity } from '#src/simulator/submission.ts'
import { addNanos, type Instant } from '#src/simulator/time.ts'
import type { World } from '#src/simulator/world.ts'

/** Where an item stands: its place in the family of a transaction, and the bytes where they exist already. */
interface Place {
  readonly identity: TransactionIdentity
  readonly nonce: number
  readonly parent?: Instant
  readonly node: number
  readonly role: Emitted['role']
  readonly signed?: Uint8Array
}

const maxFeeFactor = 4
const secondNanos = 1_000_000_000

/** Brings the planned transactions of one block to consensus, one after the other. */
export class Emitter {
  readonly #world: World
  readonly #sink: TransactionSink
  readonly #duplicateShare: number
  #first: Instant | undefined
  #count = 0

  constructor(world: World, sink: TransactionSink, duplicateShare: number) {
    this.#world = world
    this.#sink = sink
    this.#duplicateShare = duplicateShare
  }

  /** Of transactions so far, with children and duplicates. */
  get count(): number {
    return this.#count
  }

  /** Consensus time of the first one. */
  get first(): Instant | undefined {
    return this.#first
  }

  /** Emits a transaction with its family: preceding children, itself, following children or the batch, duplicates. */
  emit(submission: Submission): void {
    const node = submission.system || submission.identity ? 0 : this.#pickNode()
    const identity = submission.identity ?? this.#newIdentity(submission.payer)
    if (submission.inner) this.#emitBatch(submission, submission.inner, identity, node)
    else this.#emitFamily(submission, { identity, nonce: 0, node, role: 'top' })
    this.#sink.endFamily()
    if (
      !submission.system &&
      !submission.identity &&
      !submission.inner &&
      this.#world.prng.chance(this.#duplicateShare)
    ) {
      this.#emitDuplicate(submission, identity, node)
    }
  }

  #emitFamily(submission: Submission, place: Place): void {
    let nonce = place.nonce
    const { identity } = place
    // What comes before a transaction has no parent, but for the batch that it is in.
    const batch = place.parent && { parent: place.parent }
    const child = { identity, node: 0, role: 'child' } as const
    for (const each of submission.preceding ?? []) this.#append(each, { ...child, nonce: ++nonce, ...batch })
    const parent = this.#append(submission, place)
    for (const each of submission.following ?? []) this.#append(each, { ...child, nonce: ++nonce, parent })
  }

  /** The batch comes first and holds the signed bytes of its transactions, so those are built before it. */
  #emitBatch(batch: Submission, inner: readonly Submission[], identity: TransactionIdentity, node: number): void {
    const places = inner.map((submission, index): Place => {
      const own = this.#newIdentity(submission.payer, index + 1)
      return { identity: own, nonce: 0, node: 0, role: 'inner', signed: this.#sign(submission, own, 0, 0) }
    })
    const body = { atomicBatch: { transactions: places.map((place) => place.signed) } }
    const parent = this.#append({ ...batch, body }, { identity, nonce: 0, node, role: 'top' })
    for (const [index, submission] of inner.entries()) {
      const place = places[index]
      if (place) this.#emitFamily(submission, { ...place, parent })
    }
  }

  /** The same transaction through another node, reaching consensus later. */
  #emitDuplicate(submission: Submission, identity: TransactionIdentity, firstNode: number): void {
    const nodes = this.#world.options.nodes
    if (nodes < 2) return
    const offset = 1 + this.#world.prng.below(nodes - 1)
    const node = accounts.firstNode + ((firstNode - accounts.firstNode + offset) % nodes)
    const { body, payer, memo, header, signers } = submission
    const fee = duplicateFee(submission.fee ?? defaultFee(bodyFieldOf(body)))
    const duplicate: Submission = {
      body,
      payer,
      fee,
      result: 'DUPLICATE_TRANSACTION',
      ...(memo === undefined ? {} : { memo }),
      ...(header === undefined ? {} : { header }),
      ...(signers === undefined ? {} : { signers }),
    }
    this.#append(duplicate, { identity, nonce: 0, node, role: 'top' })
    this.#sink.endFamily()
  }

  /** Hands one on, books its hbar, and moves the clock on by a nanosecond. Returns its consensus time. */
  #append(submission: Submission, place: Place): Instant {
    const world = this.#world
    const time = world.now
    const signed = place.signed ?? this.#sign(submission, place.identity, place.nonce, place.node)
    const record = buildRecord(world, submission, {
      time,
      hash: sha384(signed),
      id: idMessage(place.identity, place.nonce),
      node: place.node,
      pays: !submission.system && place.nonce === 0,
      ...(place.parent ? { parent: place.parent } : {}),
    })
    this.#sink.add({ submission, time, signed, record, node: place.node, role: place.role })
    this.#first ??= time
    world.block.first ??= time
    this.#count += 1
    world.now = addNanos(time, 1)
    return time
  }

  #sign(submission: Submission, identity: TransactionIdentity, nonce: number, node: number): Uint8Array {
    const fee = submission.fee ?? defaultFee(bodyFieldOf(submission.body))
    const submitted = !submission.system && nonce === 0 && !identity.scheduled
    const bodyBytes = encode('proto.TransactionBody', {
      transactionID: idMessage(identity, nonce),
      ...(submitted ? { nodeAccountID: accountId(node), transactionValidDuration: { seconds: 120 } } : {}),
      ...(submitted || identity.scheduled ? { transactionFee: fee * maxFeeFactor } : {}),
      ...(submission.memo ? { memo: submission.memo } : {}),
      ...submission.header,
      ...submission.body,
    })
    const sigPair = submitted ? this.#signatures(submission) : []
    return encode('proto.SignedTransaction', { bodyBytes, sigMap: { sigPair } })
  }

  /** Random bytes in place of user signatures: consumers of record streams never verify those, and signing is slow. */
  #signatures(submission: Submission): Message[] {
    const world = this.#world
    return [submission.payer, ...(submission.signers ?? [])].map((num) => {
      const signature = world.prng.bytes(64)
      return {
        pubKeyPrefix: world.publicKeyOf(num),
        ...(world.account(num)?.ecdsa ? { ECDSASecp256k1: signature } : { ed25519: signature }),
      }
    })
  }

  #pickNode(): number {
    return accounts.firstNode + this.#world.prng.below(this.#world.options.nodes)
  }

  /** Valid starts lie a fixed time before consensus for each payer, so that no two transactions share an id. */
  #newIdentity(payer: number, ahead = 0): TransactionIdentity {
    const wait = 2 * secondNanos + ((payer * 7_919_311) % secondNanos)
    return { payer, validStart: addNanos(this.#world.now, ahead - wait) }
  }
}

function idMessage({ payer, validStart, scheduled }: TransactionIdentity, nonce: number): Message {
  return {
    transactionValidStart: validStart,
    accountID: accountId(payer),
    ...(scheduled ? { scheduled } : {}),
    ...(nonce > 0 ? { nonce } : {}),
  }
}
