import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Folder of the recorded streams, beside the project; not part of it. */
export const samplesFolder = join(import.meta.dirname, '../../../shared/streams')
export const hasSamples = existsSync(join(samplesFolder, 'facts.json'))

if (!hasSamples) console.warn(`skipped: recorded streams are not at ${samplesFolder}`)

export interface SignatureFacts {
  readonly account: string
  readonly path: string
  readonly signatureVersion: number
  readonly fileSignatureValid: boolean
  readonly metadataSignatureValid?: boolean
}

export interface RecordFacts {
  readonly name: string
  readonly version: number
  readonly paths: readonly string[]
  readonly sizeOnDisk: number
  readonly sizeDecompressed: number
  readonly count: number
  readonly consensusStart: string
  readonly consensusEnd: string
  readonly fileHash: string
  readonly hash: string
  readonly previousHash: string
  readonly metadataHash?: string
  readonly hapiVersion?: string
  readonly blockNumber?: string
  readonly runningHashRecomputedFromItems?: boolean
  readonly sidecars?: readonly { id: number; types: number[]; hash: string }[]
  readonly addressBook?: string
  readonly signatures?: readonly SignatureFacts[]
}

export interface Facts {
  readonly recordFiles: readonly RecordFacts[]
  readonly hip679Signatures: readonly {
    path: string
    version: number
    fileHash: string
    metadataHash: string
    verifiesWith: string[]
  }[]
  readonly signatureSamples: readonly {
    path: string
    version: number
    fileHash: string
    fileSignature: string
    metadataHash?: string
    metadataSignature?: string
    verifiesWith?: string[]
  }[]
  readonly sidecarFiles: readonly {
    name: string
    paths: string[]
    sizeOnDisk: number
    sizeDecompressed: number
    hashOfDecompressedBytes: string
    count: number
    recordKinds: Record<string, number>
  }[]
  readonly addressBooks: readonly { path: string; entries: number; accounts: string[]; serviceEndpoints: number[] }[]
  readonly hashChains?: unknown
}

export function readFacts(): Facts {
  return JSON.parse(sample('facts.json').toString('utf8'))
}

export function sample(path: string): Buffer {
  return readFileSync(join(samplesFolder, path))
}

export function samplePath(path: string): string {
  return join(samplesFolder, path)
}
