import { getTexts } from '#src/http/verification/repository-files.ts'
import type { ShownContract } from '#src/http/verification/shown-contracts.ts'
import { libraryMapOf } from '#src/http/verification/verifier.ts'
import type { ContentStore } from '#src/ports/content-store.ts'

/** What is stored of a compilation: `steps.ts` writes it. */
interface Artifacts {
  readonly abi: unknown
  readonly settings: unknown
  readonly userdoc: unknown
  readonly devdoc: unknown
  readonly storageLayout: unknown
  readonly runtimeCode: string
  readonly creationCode: string
}

/** What `fields` may ask for beside the match itself. */
export const fieldNames: readonly string[] = [
  'creationBytecode',
  'runtimeBytecode',
  'deployment',
  'sources',
  'compilation',
  'abi',
  'userdoc',
  'devdoc',
  'storageLayout',
  'metadata',
  'sourceIds',
  'stdJsonInput',
  'proxyResolution',
]

/** The wanted fields of a verified contract. */
export async function contractFields(
  contents: Pick<ContentStore, 'get'>,
  shown: ShownContract,
  wanted: ReadonlySet<string>,
): Promise<Record<string, unknown>> {
  if (wanted.size === 0) return {}
  const { facts } = shown.verified
  const hashes = [facts.artifacts, ...(facts.metadata === null ? [] : [facts.metadata])]
  const sourceHashes = Object.values(facts.sources)
  const texts = await getTexts(contents, [...hashes, ...(needsSources(wanted) ? sourceHashes : [])])
  // It is what a verification of ours stored.
  const artifacts = JSON.parse(texts.get(facts.artifacts)!) as Artifacts
  const all = makersOf(shown, artifacts, texts)
  return Object.fromEntries([...wanted].map((name) => [name, all[name]?.()]))
}

function needsSources(wanted: ReadonlySet<string>): boolean {
  return wanted.has('sources') || wanted.has('stdJsonInput')
}

function makersOf(
  { contract, verified, similarTo }: ShownContract,
  artifacts: Artifacts,
  texts: ReadonlyMap<string, string>,
): Readonly<Record<string, () => unknown>> {
  const { facts, name, path, compilerVersion, language } = verified
  const sources = () =>
    Object.fromEntries(Object.entries(facts.sources).map(([label, hash]) => [label, { content: texts.get(hash) }]))
  const { abi, settings, userdoc, devdoc, storageLayout, runtimeCode, creationCode } = artifacts
  const hex = (code: Uint8Array | undefined) => (code === undefined ? null : `0x${Buffer.from(code).toString('hex')}`)
  const [creation] = contract.code.creations
  const own = similarTo === undefined
  return {
    abi: () => abi,
    userdoc: () => userdoc,
    devdoc: () => devdoc,
    storageLayout: () => storageLayout,
    metadata: () => (facts.metadata === null ? null : JSON.parse(texts.get(facts.metadata)!)),
    sources,
    sourceIds: () => Object.fromEntries(Object.keys(facts.sources).map((label, id) => [label, { id }])),
    stdJsonInput: () => ({ language, sources: sources(), settings }),
    compilation: () => ({
      language,
      compiler: 'solc',
      compilerVersion,
      compilerSettings: settings,
      name,
      fullyQualifiedName: `${path}:${name}`,
    }),
    runtimeBytecode: () => ({
      onchainBytecode: hex(contract.code.runtime),
      recompiledBytecode: `0x${runtimeCode}`,
      transformationValues: own ? { immutables: facts.immutables, libraries: libraryMapOf(facts) } : null,
    }),
    creationBytecode: () => ({
      onchainBytecode: hex(creation?.code),
      recompiledBytecode: `0x${creationCode}`,
      transformationValues: own ? { constructorArguments: facts.constructor_arguments } : null,
    }),
    deployment: () => ({ createdTimestamp: contract.createdTimestamp, entityId: contract.entity }),
    proxyResolution: () => {
      const { implementation } = facts
      const implementations = implementation === null || !own ? [] : [{ address: implementation }]
      return { isProxy: implementations.length > 0, proxyType: null, implementations }
    },
  }
}
