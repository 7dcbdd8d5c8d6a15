import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { addEntry, addToList } from './add-to-list.ts'

export const guidePath = 'docs/how-to/add-a-read-model.md'

/** A fenced block of the guide that says where it belongs. */
interface Block {
  /** From the root of the checkout. */
  readonly path: string
  readonly text: string
}

/** What a read model of the guide consists of. */
export interface Example {
  /** New files. */
  readonly files: readonly Block[]
  /** What makes it known, in files that are there. */
  readonly additions: readonly (Block & { readonly kind: 'add' | 'entry' })[]
}

/** The example of that name in the guide of a checkout: every block whose text or path says the name. */
export function exampleOf(root: string, name: string): Example {
  const page = readFileSync(join(root, guidePath), 'utf8')
  const blocks = [...page.matchAll(/```ts (file|add|entry)=(\S+)\n([\s\S]*?)```/g)]
    .map(([, kind, path = '', text = '']) => ({ kind, path, text }))
    .filter(({ path, text }) => path.includes(name) || text.includes(name))
  return {
    files: blocks.filter(({ kind }) => kind === 'file'),
    additions: blocks.filter((block): block is Block & { kind: 'add' | 'entry' } => block.kind !== 'file'),
  }
}

/** The same under another name, in all its spellings: `node-fees`, `nodeFees`. */
export function renamed({ files, additions }: Example, from: string, to: string): Example {
  const spell = (text: string) =>
    text.replaceAll(from, to).replaceAll(camel(from), camel(to)).replaceAll(pascal(from), pascal(to))
  return {
    files: files.map(({ path, text }) => ({ path: spell(path), text: spell(text) })),
    additions: additions.map((addition) => ({ ...addition, text: spell(addition.text) })),
  }
}

/** What makes an example known, in the text of the file that it is for. */
export function withAddition(text: string, { kind, text: addition }: Example['additions'][number]): string {
  return kind === 'add' ? addToList(text, addition) : addEntry(text, addition)
}

function camel(name: string): string {
  return name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}

function pascal(name: string): string {
  return camel(`-${name}`)
}
