import { hash } from 'node:crypto'
import { asBuffer } from '#src/domain/bytes.ts'
import { isLedgerError, LedgerError } from '#src/domain/errors.ts'
import { type Fail, FieldReader } from '#src/domain/field-reader.ts'
import { Jubjub, type JubjubPoint } from '#src/tss/jubjub.ts'
import { type LedgerNode, ledgerNodesMax, nodeListHash } from '#src/tss/node-list-hash.ts'
import { historyProofKeyBytes, readHistoryProofKey } from '#src/tss/proof-of-knowledge.ts'

const ledgerIdBytes = 32
export const historyKeyBytes = 1_768

/** Whose signature proves a block: what a network publishes of itself in its first block. Plain values, which another thread can be sent. */
export interface Ledger {
  /** Hash of the nodes, which never changes; 32 bytes. */
  readonly id: Uint8Array
  /** Positions in it are bits of a Schnorr aggregate. */
  readonly nodes: readonly LedgerNode[]
  readonly totalWeight: bigint
  /** Checks proofs that later nodes descend from these; 1,768 bytes. Any bytes where a network never has such proofs. */
  readonly historyKey: Uint8Array
  /** Names all of the above, for caches. */
  readonly digest: string
}

/**
 * Reads a serialized LedgerIdPublicationTransactionBody. `ledger_untrusted` when the bytes are none, when the id is not the hash of its
 * nodes, or when a node does not prove that it knows the secret of its key.
 */
export function readLedgerPublication(bytes: Uint8Array, name: string): Ledger {
  const fail: Fail = (reason) => untrusted(name, reason)
  const { id, historyKey, entries } = readFields(asBuffer(bytes), fail)
  if (id.length !== ledgerIdBytes) throw fail(`its ledger id has ${id.length} bytes instead of ${ledgerIdBytes}`)
  if (historyKey.length !== historyKeyBytes) {
    throw fail(`its history proof verification key has ${historyKey.length} bytes instead of ${historyKeyBytes}`)
  }
  if (entries.length === 0) throw fail('it names no node')
  if (entries.length > ledgerNodesMax)
    throw fail(`it names ${entries.length} nodes, and ${ledgerNodesMax} are possible`)
  const nodes = entries.map((entry) => nodeOf(entry, fail))
  const totalWeight = nodes.reduce((sum, { weight }) => sum + weight, 0n)
  if (totalWeight === 0n) throw fail('its nodes have no weight')
  const expected = nodeListHash(nodes)
  if (!expected.equals(id)) {
    throw fail(`its ledger id ${id.toString('hex')} is not the hash of its nodes, ${expected.toString('hex')}`)
  }
  // Copies, since slices would keep the block that they come from.
  return {
    id: new Uint8Array(id),
    nodes,
    totalWeight,
    historyKey: new Uint8Array(historyKey),
    digest: hash('sha256', bytes),
  }
}

/** The same; undefined where it does not hold. */
export function parseLedgerPublication(bytes: Uint8Array): Ledger | undefined {
  try {
    return readLedgerPublication(bytes, 'a ledger publication')
  } catch (error) {
    if (isLedgerError(error, 'ledger_untrusted')) return undefined
    throw error
  }
}

/** The key of a node as a point of the curve. */
export function keyOf({ x, y }: LedgerNode): JubjubPoint {
  return Jubjub.fromAffine({ x, y })
}

interface Entry {
  nodeId: bigint
  weight: bigint
  key: Buffer
}

function readFields(bytes: Buffer, fail: Fail): { id: Buffer; historyKey: Buffer; entries: Entry[] } {
  const fields = new FieldReader(bytes, fail)
  let id: Buffer = Buffer.alloc(0)
  let historyKey: Buffer = Buffer.alloc(0)
  const entries: Entry[] = []
  while (fields.next()) {
    if (fields.field === 1) id = fields.bytes()
    else if (fields.field === 2) historyKey = fields.bytes()
    else if (fields.field === 3) entries.push(readEntry(fields.message()))
  }
  return { id, historyKey, entries }
}

function readEntry(fields: FieldReader): Entry {
  const entry: Entry = { nodeId: 0n, weight: 0n, key: Buffer.alloc(0) }
  while (fields.next()) {
    if (fields.field === 1) entry.nodeId = BigInt.asUintN(64, fields.int64())
    else if (fields.field === 2) entry.weight = BigInt.asUintN(64, fields.int64())
    else if (fields.field === 3) entry.key = fields.bytes()
  }
  return entry
}

function nodeOf({ nodeId, weight, key }: Entry, fail: Fail): LedgerNode {
  if (key.length !== historyProofKeyBytes) {
    throw fail(`the history proof key of node ${nodeId} has ${key.length} bytes instead of ${historyProofKeyBytes}`)
  }
  const { x, y } = readHistoryProofKey(key, (reason) => fail(`node ${nodeId}: ${reason}`)).toAffine()
  return { nodeId, weight, x, y }
}

function untrusted(name: string, reason: string): LedgerError {
  return new LedgerError(
    'ledger_untrusted',
    `The ledger that ${name} publishes is not believed: ${reason}. Take the first block of the network from another source, or give the` +
      ' publication (a protobuf LedgerIdPublicationTransactionBody) of this network',
    { name, reason },
  )
}
