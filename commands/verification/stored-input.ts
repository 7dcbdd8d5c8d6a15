import { LedgerError } from '#src/domain/errors.ts'
import { type ContentHash, type ContentStore, contentHashOf } from '#src/ports/content-store.ts'
import type { Json, NamedLibrary, VerificationInput } from '#src/verification/verification-input.ts'

/** An input as it is stored: its texts by their hashes. */
interface InputDocument {
  readonly language: VerificationInput['language']
  readonly compilerVersion: string
  readonly target: { readonly name: string; readonly path: string | null }
  readonly settings: { readonly [key: string]: Json }
  readonly libraries: readonly NamedLibrary[]
  readonly sources: readonly (readonly [label: string, hash: ContentHash])[]
}

export interface StoredInput {
  readonly hash: ContentHash
  readonly sources: ReadonlyMap<string, ContentHash>
}

/** Stores an input with its texts, so that whoever goes on with a request has it. */
export async function storeInput(contents: ContentStore, input: VerificationInput): Promise<StoredInput> {
  const { language, compilerVersion, target, settings, libraries } = input
  const sources = [...input.sources].map(([label, text]) => [label, contentHashOf(text)] as const)
  const { name, path = null } = target
  const document: InputDocument = {
    language,
    compilerVersion,
    target: { name, path },
    settings,
    libraries,
    sources,
  }
  const text = JSON.stringify(document)
  await contents.put([...input.sources.values(), text])
  return { hash: contentHashOf(text), sources: new Map(sources) }
}

/** Throws `decisions_damaged` where it, or one of its texts, is gone. */
export async function readInput(contents: ContentStore, hash: ContentHash): Promise<VerificationInput> {
  const text = (await contents.get([hash])).get(hash)
  if (text === undefined) throw gone(hash)
  // What stands there is what `storeInput` wrote: its hash says so.
  const { sources, target, ...document } = JSON.parse(text) as InputDocument
  const texts = await contents.get(sources.map(([, each]) => each))
  const read = sources.map(([label, each]) => {
    const found = texts.get(each)
    if (found === undefined) throw gone(each)
    return [label, found] as const
  })
  return { ...document, target: { name: target.name, path: target.path ?? undefined }, sources: new Map(read) }
}

function gone(hash: ContentHash): LedgerError {
  const message = `The text ${hash} that a verification names is not there; restore the content store, or verify the contract again`
  return new LedgerError('decisions_damaged', message, { hash })
}
