import { entriesAt, isObject, type JsonObject, objectOf } from '#src/verification/json.ts'
import type { Json, VerificationInput } from '#src/verification/verification-input.ts'

/** What we need of the target's code; what a version does not know it passes over. */
const codeOutputs = [
  'evm.bytecode.object',
  'evm.bytecode.linkReferences',
  'evm.deployedBytecode.object',
  'evm.deployedBytecode.linkReferences',
  'evm.deployedBytecode.immutableReferences',
]
const outputs = ['abi', 'metadata', 'userdoc', 'devdoc', 'storageLayout', 'evm.legacyAssembly', ...codeOutputs]

/**
 * Settings that change nothing of the code: which output is wanted, where to stop, proofs that take for ever, and what metadata have
 * where input has none.
 */
const leftOut: ReadonlySet<string> = new Set(['outputSelection', 'stopAfter', 'modelChecker', 'compilationTarget'])

/** The settings that the code depends on. */
export function settingsOf({ settings }: VerificationInput): JsonObject {
  return objectOf(Object.entries(settings).filter(([name]) => !leftOut.has(name)))
}

/**
 * Input for the compiler. An edited one has a blank at the end of each source, which changes nothing but the hashes of the metadata:
 * where two codes differ then, those are. Nothing but its code is wanted.
 */
export function standardJson(
  { language, sources, target }: VerificationInput,
  settings: JsonObject,
  isEdited: boolean,
): string {
  const texts = objectOf(
    [...sources].map(([label, content]) => [label, { content: isEdited ? `${content} ` : content }]),
  )
  // By label: compilers before 0.5 know no name in all of them.
  const wanted = isEdited ? codeOutputs : outputs
  const labels = target.path === undefined ? [...sources.keys()] : [target.path]
  const selected: Json =
    language === 'Yul'
      ? { '*': { '*': wanted } }
      : objectOf(labels.map((label) => [label, objectOf([[target.name, wanted]])]))
  return JSON.stringify({ language, sources: texts, settings: { ...settings, outputSelection: selected } })
}

/**
 * The settings with the addresses of libraries that were named beside them, for those that the code calls; undefined where none of
 * them is called, or all are in the settings already.
 */
export function withLibraries(
  settings: JsonObject,
  called: readonly string[],
  { libraries }: VerificationInput,
): JsonObject | undefined {
  const added = called.flatMap((name) => {
    const short = name.slice(name.lastIndexOf(':') + 1)
    const named = libraries.find((library) => library.name === name || library.name === short)
    return named ? [{ path: name.slice(0, name.lastIndexOf(':')), short, address: `0x${named.address}` }] : []
  })
  if (added.length === 0) return undefined
  const byPath = new Map<string, Json>(entriesAt(settings, 'libraries') as [string, Json][])
  for (const { path, short, address } of added) {
    const before = byPath.get(path)
    byPath.set(path, objectOf([...(isObject(before) ? Object.entries(before) : []), [short, address]]))
  }
  return objectOf([...Object.entries(settings), ['libraries', objectOf(byPath)]])
}

/** The settings without addresses of libraries; undefined where they have none. */
export function withoutLibraries(settings: JsonObject): JsonObject | undefined {
  const named = entriesAt(settings, 'libraries')
  const others = () => objectOf(Object.entries(settings).filter(([name]) => name !== 'libraries'))
  return named.length === 0 ? undefined : others()
}
