import { describe, expect, it } from 'vitest'
import { LedgerError } from '#src/domain/errors.ts'
import { innerHash, leafHash } from '#src/domain/merkle-tree.ts'
import { rootOfStateProof, runningHashes, type StateProofForm } from '#src/tss/state-proof.ts'
import { readStateProof, type Sibling } from '#src/tss/state-proof-message.ts'
import { sample } from '#test/importer/samples.ts'
import { bytesField, varintField } from '#test/support/protobuf-writer.ts'
import { bytesOf, hasVectors, provenBlocks, vector } from '#test/tss/vectors.ts'

interface StateProofFacts {
  readonly generation: 8 | '8s' | 16
  readonly sample?: string
  readonly block?: number
  readonly blockHash?: string
  readonly timestampLeaf?: string
  readonly start?: string
  readonly path?: readonly (readonly ['L' | 'R', string])[]
  readonly runningHashPrefixes: readonly string[]
  readonly signedBlockHash: string
}

/** A state proof as its parts. */
interface Parts {
  readonly timestamp: Buffer
  readonly start: Buffer
  readonly siblings: readonly Sibling[]
}

interface Case extends Parts {
  readonly name: string
  readonly form: StateProofForm
  readonly ownHash: Buffer
  readonly root: string
  readonly prefixes: readonly string[]
}

const forms = { 8: 'implicit', '8s': 'explicit', 16: 'wide' } as const
const signature = Buffer.from('signature')
const cases = hasVectors ? knownCases() : []

describe.skipIf(!hasVectors)('state proofs', () => {
  it('has a case of each form', () => {
    expect(new Set(cases.map(({ form }) => form))).toEqual(new Set(Object.values(forms)))
  })

  it.each(cases)('leads from $name to the signed block', (known) => {
    const { form, ownHash, root, prefixes } = known
    const other = Buffer.alloc(48, 1)
    const found = rootOfStateProof(write(known), [other, ownHash], 'it')
    expect({ ...found, root: found.root.toString('hex') }).toEqual({ form, ownHash, root, signature })
    const hashes = runningHashes(known.start, known.siblings, form)
    expect(hashes.map((hash) => hash.toString('hex', 0, 16))).toEqual(prefixes)
  })

  it('of the network lead where it says that they do', () => {
    const { cases: facts } = readStateProofFacts()
    for (const { block, blockHash, expectedRootHash, siblings } of facts) {
      const parts = artifactPartsOf(block)
      expect([parts.ownHash.toString('hex'), parts.siblings.length]).toEqual([blockHash, siblings])
      expect(rootOfStateProof(write(parts), [parts.ownHash], 'it').root.toString('hex')).toBe(expectedRootHash)
    }
    expect(facts.length).toBeGreaterThan(2)
  })

  it.each(cases)('says nothing of another block than that of $name', (known) => {
    const error = refused(write(known), [Buffer.alloc(48, 1)])
    expect(error.message).toContain(`it has ${'01'.repeat(48)}`)
    expect(error.details['check']).toBe('path')
  })

  it.each(cases)('of $name has an order of sides that is known', (known) => {
    const { siblings, ownHash } = known
    const [first] = siblings as [Sibling]
    const flipped = siblings.map((one, at) => (at === 1 ? { ...one, isLeft: !one.isLeft } : one))
    const changes = [[], siblings.slice(1), siblings.slice(0, -1), [...siblings, first], [first, ...siblings], flipped]
    for (const changed of changes) {
      const error = refused(write({ ...known, siblings: changed }), [ownHash])
      expect(error.message).toContain(`the ${changed.length} steps of its state proof have no known order`)
    }
  })

  it('leads elsewhere when a hash of it is changed', () => {
    for (const known of cases) {
      const siblings = known.siblings.map((one, at) =>
        at === known.siblings.length - 1 ? { ...one, hash: spoilt(one.hash) } : one,
      )
      if (known.form === 'explicit') continue
      const { root } = rootOfStateProof(write({ ...known, siblings }), [known.ownHash], 'it')
      expect(root.toString('hex')).not.toBe(known.root)
    }
  })

  const [known] = cases as [Case]
  it.each<[string, () => Buffer, string]>([
    ['no signature', () => Buffer.concat(pathsOf(known)), 'its state proof has no signature of the network'],
    ['two paths', () => written(pathsOf(known).slice(0, 2)), 'its state proof has 2 paths, not 3'],
    ['four paths', () => written([...pathsOf(known), bytesField(1)]), 'its state proof has more than 3 paths'],
    ['paths in another order', () => written(pathsOf(known).toReversed()), 'the first path of its state proof is not'],
    ['an empty time', () => write({ ...known, timestamp: Buffer.alloc(0) }), 'is not the time of a block alone'],
    ['a short start', () => write({ ...known, start: Buffer.alloc(47) }), 'has not 48 bytes'],
    [
      'a short sibling',
      () => write({ ...known, siblings: known.siblings.map((one) => ({ ...one, hash: one.hash.subarray(1) })) }),
      'has not 48 bytes',
    ],
    ['a leaf of another kind', () => written(withRoot(bytesField(4, Buffer.of(1)))), 'is not one of a block'],
    [
      'a root that is not empty',
      () => written(withRoot(bytesField(3, known.start))),
      'the third path of its state proof',
    ],
    ['a root that goes on', () => written(withRoot(varintField(2, 1))), 'do not meet at its root'],
    ['bytes that end too soon', () => write(known).subarray(0, 300), 'wants'],
  ])('is refused with %s', (_, make, words) => {
    const error = refused(make(), [known.ownHash])
    expect(error.message).toContain(words)
  })

  function withRoot(more: Buffer): Buffer[] {
    const [time, way] = pathsOf(known) as [Buffer, Buffer]
    return [time, way, bytesField(1, varintField(2, 0xffff_ffff), more)]
  }
})

interface ArtifactFacts {
  readonly cases: readonly {
    readonly block: number
    readonly blockHash: string
    readonly expectedRootHash: string
    readonly siblings: number
  }[]
}

function readStateProofFacts(): ArtifactFacts {
  return (JSON.parse(sample('facts.json').toString()) as { stateProofs: ArtifactFacts }).stateProofs
}

function knownCases(): Case[] {
  return vector<{ cases: StateProofFacts[] }>('state-proofs.json').cases.flatMap((facts) => {
    const parts = partsOf(facts)
    if (!parts) return []
    const form = forms[facts.generation]
    const name = `${facts.sample ?? `the explicit form, block ${facts.block}`} (${form})`
    return [{ ...parts, name, form, root: facts.signedBlockHash, prefixes: facts.runningHashPrefixes }]
  })
}

/** Three sources: the artifact as JSON, blocks of a sample network, and paths that are written down in the values themselves. */
function partsOf(facts: StateProofFacts): (Parts & { ownHash: Buffer }) | undefined {
  if (facts.generation === 16) {
    const block = provenBlocks().find(({ path }) => path === facts.sample)
    const { paths } = readStateProof(block?.stateProof as Buffer, (reason) => new Error(reason) as never)
    const [time, way] = paths as [(typeof paths)[0], (typeof paths)[0]]
    const { timestamp, start, siblings } = { ...way, timestamp: time?.timestamp }
    return { timestamp: timestamp as Buffer, start: start as Buffer, siblings, ownHash: block?.hash as Buffer }
  }
  if (facts.generation === 8) return artifactPartsOf(Number(facts.sample?.split(' ').at(-1)))
  if (!facts.path) return undefined
  return {
    timestamp: bytesOf(facts.timestampLeaf as string),
    start: bytesOf(facts.start as string),
    siblings: facts.path.map(([side, hash]) => ({ isLeft: side === 'L', hash: bytesOf(hash) })),
    ownHash: bytesOf(facts.blockHash as string),
  }
}

interface ArtifactProof {
  readonly block: number
  readonly blockHash: string
  readonly merklePaths: readonly {
    readonly timestampLeaf?: string
    readonly hash?: string
    readonly siblings?: readonly { readonly isLeft?: boolean; readonly hash: string }[]
  }[]
}

function artifactPartsOf(block: number): Parts & { ownHash: Buffer } {
  const proofs: ArtifactProof[] = JSON.parse(sample('tss/stateProofTestArtifact.json').toString())
  const proof = proofs.find((one) => one.block === block) as ArtifactProof
  const [time, way] = proof.merklePaths
  return {
    timestamp: Buffer.from(time?.timestampLeaf ?? '', 'base64'),
    start: Buffer.from(way?.hash ?? '', 'base64'),
    siblings: (way?.siblings ?? []).map(({ isLeft = false, hash }) => ({ isLeft, hash: Buffer.from(hash, 'base64') })),
    ownHash: Buffer.from(proof.blockHash, 'base64'),
  }
}

function pathsOf({ timestamp, start, siblings }: Parts): Buffer[] {
  const steps = siblings.map(({ isLeft, hash }) => bytesField(1, varintField(1, isLeft ? 1 : 0), bytesField(2, hash)))
  return [
    bytesField(1, varintField(2, 2), bytesField(6, timestamp)),
    bytesField(1, ...steps, varintField(2, 2), bytesField(3, start)),
    bytesField(1, varintField(2, 0xffff_ffff)),
  ]
}

function written(paths: readonly Buffer[]): Buffer {
  return Buffer.concat([...paths, bytesField(2, bytesField(1, signature))])
}

function write(parts: Parts): Buffer {
  return written(pathsOf(parts))
}

function refused(bytes: Buffer, ownHashes: readonly Buffer[]): LedgerError {
  try {
    rootOfStateProof(bytes, ownHashes, 'block 7')
  } catch (error) {
    if (error instanceof LedgerError && error.code === 'proof_invalid') return error
    throw error
  }
  throw new Error('nothing was refused')
}

function spoilt(hash: Buffer): Buffer {
  return innerHash(leafHash(hash), hash)
}
