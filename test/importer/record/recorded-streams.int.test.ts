import { basename } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readAddressBook } from '#src/domain/address-book.ts'
import { formatEntityId } from '#src/domain/entity-id.ts'
import { runningHashHolds } from '#src/importer/record/running-hash.ts'
import { recordsOfTypes, unpackSidecar } from '#src/importer/record/sidecar-file.ts'
import { readSignatureFile } from '#src/importer/record/signature-file.ts'
import { isSignedBy, PublicKeys } from '#src/importer/verify/public-keys.ts'
import { hasSamples, type RecordFacts, readFacts, sample } from '#test/importer/samples.ts'
import { readRecordFile } from '#test/support/read-record-file.ts'

const facts = hasSamples ? readFacts() : undefined
const keys = new PublicKeys()

describe.skipIf(!facts)('recorded streams', () => {
  const recordFiles = facts?.recordFiles ?? []

  it.each(recordFiles.map((file) => [file.name, file] as const))(
    'reads record file %s with the known facts',
    (_, file) => {
      for (const path of file.paths) expect(recordFactsOf(path)).toEqual(expectedRecordFacts(file))
    },
  )

  it.each(recordFiles.map((file) => [file.name, file] as const))('finds the known signers of %s', (_, file) => {
    const signatures = file.signatures ?? []
    for (const signature of signatures) {
      const { version, valid, fileHash } = signatureFactsOf(signature.path, `${file.addressBook}#${signature.account}`)
      expect({ version, valid }).toEqual({ version: signature.signatureVersion, valid: signature.fileSignatureValid })
      expect(fileHash).toBe(file.fileHash)
    }
  })

  it.each((facts?.hip679Signatures ?? []).map((entry) => [entry.path, entry] as const))(
    'reads signature %s',
    (_, entry) => {
      for (const signer of entry.verifiesWith) {
        const { version, fileHash, metadataHash, valid } = signatureFactsOf(entry.path, signer)
        expect({ version, fileHash, metadataHash, valid }).toEqual({
          version: entry.version,
          fileHash: entry.fileHash,
          metadataHash: entry.metadataHash,
          valid: true,
        })
      }
    },
  )

  it.each((facts?.signatureSamples ?? []).map((entry) => [entry.path, entry] as const))(
    'reads signature sample %s',
    (_, entry) => {
      const file = readSignatureFile(entry.path, sample(entry.path))
      expect(file.version).toBe(entry.version)
      expect(file.fileHash.toString('hex')).toBe(entry.fileHash)
      expect(file.fileSignature.toString('hex')).toBe(entry.fileSignature)
      expect(file.metadataHash?.toString('hex')).toBe(entry.metadataHash)
      expect(file.metadataSignature?.toString('hex')).toBe(entry.metadataSignature)
      for (const signer of entry.verifiesWith ?? []) expect(signatureFactsOf(entry.path, signer).valid).toBe(true)
    },
  )

  it.each((facts?.sidecarFiles ?? []).map((entry) => [entry.name, entry] as const))(
    'reads sidecar %s',
    (name, entry) => {
      const kinds = { state_changes: 1, actions: 2, bytecode: 3 } as const
      for (const path of entry.paths) {
        const sidecar = unpackSidecar(name, sample(path))
        expect(sidecar.hash.toString('hex')).toBe(entry.hashOfDecompressedBytes)
        expect(sidecar.size).toBe(sample(path).length)
        expect(sidecar.sizeUnpacked).toBe(entry.sizeDecompressed)
        expect(recordsOfTypes(sidecar, new Set([1, 2, 3]))).toHaveLength(entry.count)
        for (const [kind, count] of Object.entries(entry.recordKinds)) {
          const type = kinds[kind as keyof typeof kinds]
          expect(recordsOfTypes(sidecar, new Set([type]))).toHaveLength(count)
        }
      }
    },
  )

  const books = (facts?.addressBooks ?? []).filter(({ path }) => !path.endsWith('.json'))
  it.each(books.map((entry) => [entry.path, entry] as const))('reads address book %s', (path, entry) => {
    const book = readAddressBook(sample(path), realmOf(entry.accounts[0]))
    const accounts = book.nodes.map(({ accountId }) => formatEntityId(accountId))
    expect(accounts.sort()).toEqual([...new Set(entry.accounts)].sort())
    for (const { publicKey } of book.nodes) expect(keys.find(publicKey)?.asymmetricKeyDetails?.modulusLength).toBe(3072)
  })
})

/** Some sample networks live in a shard and realm of their own. */
function realmOf(account = '0.0.3') {
  const [shard = '', realm = ''] = account.split('.')
  return { shard: BigInt(shard), realm: BigInt(realm) }
}

function recordFactsOf(path: string) {
  const file = readRecordFile(basename(path), sample(path))
  return {
    version: file.version,
    size: file.size,
    sizeUnpacked: file.sizeUnpacked,
    count: file.items.length,
    consensusStart: file.consensusStart.toString(),
    consensusEnd: file.consensusEnd.toString(),
    fileHash: file.fileHash.toString('hex'),
    hash: file.chainHash.toString('hex'),
    previousHash: file.previousHash.toString('hex'),
    metadataHash: file.metadataHash?.toString('hex'),
    hapiVersion: file.hapiVersion && Object.values(file.hapiVersion).join('.'),
    blockNumber: file.blockNumber?.toString(),
    sidecars: file.sidecars.map(({ id, types, hash }) => ({ id, types, hash: hash.toString('hex') })),
    runningHashHolds: runningHashHolds(file),
  }
}

function expectedRecordFacts(file: RecordFacts) {
  return {
    version: file.version,
    size: file.sizeOnDisk,
    sizeUnpacked: file.sizeDecompressed,
    count: file.count,
    consensusStart: file.consensusStart,
    consensusEnd: file.consensusEnd,
    fileHash: file.fileHash,
    hash: file.hash,
    previousHash: file.previousHash,
    metadataHash: file.metadataHash,
    hapiVersion: file.hapiVersion,
    blockNumber: file.blockNumber,
    sidecars: file.sidecars ?? [],
    runningHashHolds: true,
  }
}

/** `signer` is the path of an address book and an account, with # between. */
function signatureFactsOf(path: string, signer: string) {
  const [book = '', account] = signer.split('#')
  const file = readSignatureFile(basename(path), sample(path))
  const node = readAddressBook(sample(book), realmOf(account)).nodes.find(
    ({ accountId }) => formatEntityId(accountId) === account,
  )
  const key = keys.find(node?.publicKey ?? '')
  const { metadataHash, metadataSignature } = file
  const valid =
    key !== undefined &&
    isSignedBy(key, file.fileHash, file.fileSignature) &&
    (metadataHash === undefined || isSignedBy(key, metadataHash, metadataSignature as Buffer))
  return {
    version: file.version,
    fileHash: file.fileHash.toString('hex'),
    metadataHash: metadataHash?.toString('hex'),
    valid,
  }
}
