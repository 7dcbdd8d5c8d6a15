import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { FieldReader } from '#src/domain/field-reader.ts'
import { type Ledger, readLedgerPublication } from '#src/tss/ledger.ts'
import { hasSamples, sample, samplePath } from '#test/importer/samples.ts'
import { bytesField, varintField } from '#test/support/protobuf-writer.ts'

const folder = join(import.meta.dirname, '../../../shared/reference/data/tss')
/** Known intermediate values, beside the project; not part of it. */
export const hasVectors = hasSamples && existsSync(folder)

if (!hasVectors) console.warn(`skipped: values of the network's signatures are not at ${folder}`)

export function vector<T>(name: string): T {
  return JSON.parse(readFileSync(join(folder, name), 'utf8'))
}

export function bytesOf(hex: string): Buffer {
  return Buffer.from(hex, 'hex')
}

const networks = 'block/consensus-node'

/** A block of a sample network with its proof, and the hash that is known of it. */
export interface ProvenBlock {
  readonly path: string
  readonly network: string
  readonly hash: Buffer
  /** The signature in it, of whichever hash. */
  readonly signature: Buffer
  /** Where it is not signed itself. */
  readonly stateProof: Buffer | undefined
}

/** Every block of the sample networks that ends in a signature. */
export function provenBlocks(): ProvenBlock[] {
  const facts: { blockFiles: { path: string; hash: string }[] } = JSON.parse(sample('facts.json').toString())
  return facts.blockFiles.flatMap(({ path, hash }) => {
    const network = path.split('/').at(-2) ?? ''
    if (!path.startsWith(networks) || path.includes('/WRB/')) return []
    const proof = fieldOf(itemsOf(path).find((item) => fieldOf(item, 9)) as Buffer, 9) as Buffer
    const [direct, stateProof] = [fieldOf(proof, 2), fieldOf(proof, 3)]
    const signed = direct ?? fieldOf(stateProof as Buffer, 2)
    return [{ path, network, hash: bytesOf(hash), signature: fieldOf(signed as Buffer, 1) as Buffer, stateProof }]
  })
}

/** What a sample network publishes of its ledger in its first block. */
export function publicationOf(network: string): Buffer {
  for (const item of itemsOf(`${networks}/${network}/0.blk.gz`)) {
    const body = fieldOf(fieldOf(item, 4) ?? Buffer.alloc(0), 1)
    const publication = body && fieldOf(body, 77)
    if (publication) return publication
  }
  throw new Error(`block 0 of ${network} publishes no ledger`)
}

export function ledgerOf(network: string): Ledger {
  return readLedgerPublication(publicationOf(network), `block 0 of ${network}`)
}

export interface NodeContribution {
  readonly nodeId: number
  readonly weight: number
  readonly historyProofKey: string
}

export interface Publication {
  readonly ledgerId: Uint8Array
  readonly historyKey: Uint8Array
  readonly nodes: readonly NodeContribution[]
}

/** The same as a network would publish it. */
export function publish({ ledgerId, historyKey, nodes }: Publication): Buffer {
  const entries = nodes.map(({ nodeId, weight, historyProofKey }) =>
    bytesField(3, varintField(1, nodeId), varintField(2, weight), bytesField(3, bytesOf(historyProofKey))),
  )
  return Buffer.concat([bytesField(1, ledgerId), bytesField(2, historyKey), ...entries])
}

/** Two signatures of one hash, in both forms, that come with the network's library. */
export interface Artifact {
  readonly ledger: Ledger
  readonly message: Buffer
  readonly schnorr: Buffer
  readonly wraps: Buffer
}

export function readArtifact(): Artifact {
  const file: Record<string, string> & { nodeContributions: NodeContribution[] } = JSON.parse(
    sample('tss/tssTestArtifact.json').toString(),
  )
  const publication = publish({
    ledgerId: bytesOf(file['ledgerId'] as string),
    historyKey: sample('tss/wraps-verification-key.bin'),
    nodes: file.nodeContributions,
  })
  return {
    ledger: readLedgerPublication(publication, 'the artifact'),
    message: bytesOf(file['message'] as string),
    schnorr: bytesOf(file['signatureWithSchnorr'] as string),
    wraps: bytesOf(file['signatureWithWraps'] as string),
  }
}

/** The same of the release after it. */
export function generation2(): Artifact {
  const facts = vector<
    Record<
      | 'ledgerId'
      | 'message'
      | 'hintsVerificationKey'
      | 'hintsSignature'
      | 'schnorr'
      | 'wrapsProof'
      | 'wrapsVerificationKey',
      string
    > & { nodes: NodeContribution[] }
  >('generation2.json')
  const historyKey = bytesOf(facts.wrapsVerificationKey)
  const publication = publish({ ledgerId: bytesOf(facts.ledgerId), historyKey, nodes: facts.nodes })
  const signed = facts.hintsVerificationKey + facts.hintsSignature
  return {
    ledger: readLedgerPublication(publication, 'generation 2'),
    message: bytesOf(facts.message),
    schnorr: bytesOf(signed + facts.schnorr),
    wraps: bytesOf(signed + facts.wrapsProof),
  }
}

export function sampleNetworks(): string[] {
  return readdirSync(samplePath(networks)).filter((name) => name !== 'WRB')
}

function itemsOf(path: string): Buffer[] {
  return fieldsOf(gunzipSync(sample(path)), 1)
}

/** The length-delimited field of a message; the last one where there are several. */
export function fieldOf(message: Buffer, field: number): Buffer | undefined {
  return fieldsOf(message, field).at(-1)
}

export function fieldsOf(message: Buffer, field: number): Buffer[] {
  const fields = readerOf(message)
  const found: Buffer[] = []
  while (fields.next()) if (fields.field === field && fields.wire === 2) found.push(fields.bytes())
  return found
}

/** An unsigned number of a message; 0 where it is absent. */
export function numberOf(message: Buffer, field: number): bigint {
  const fields = readerOf(message)
  let found = 0n
  while (fields.next()) if (fields.field === field) found = BigInt.asUintN(64, fields.int64())
  return found
}

function readerOf(bytes: Buffer): FieldReader {
  return new FieldReader(bytes, (reason) => {
    throw new Error(reason)
  })
}
