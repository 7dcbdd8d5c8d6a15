import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
/** `git archive` writes the commit into it, and so does the build of an image; in a checkout nobody has. */
const archivedName = 'git-id.txt'
const shownDigits = 10

/**
 * The commit that a tree of this code is at, shortened; undefined where nobody has said. Read from files, since git may not be
 * installed, and what starts often should not start it. Changes that are not committed are not seen.
 */
export function gitIdOf(tree: string = root): string | undefined {
  const archived = textOf(join(tree, 'src', 'cli', archivedName))
  const id = isId(archived) ? archived : checkedOut(tree)
  return isId(id) ? id.slice(0, shownDigits) : undefined
}

function isId(text: string | undefined): text is string {
  return text !== undefined && /^[0-9a-f]{10,64}$/.test(text)
}

function checkedOut(tree: string): string | undefined {
  const folder = gitFolderOf(tree)
  const head = folder === undefined ? undefined : textOf(join(folder, 'HEAD'))
  if (folder === undefined || head === undefined) return undefined
  const [, ref] = /^ref: (\S+)$/.exec(head) ?? []
  if (ref === undefined) return head
  // What work trees share lies in the folder of the first of them.
  const common = resolve(folder, textOf(join(folder, 'commondir')) ?? '.')
  return textOf(join(folder, ref)) ?? textOf(join(common, ref)) ?? packed(common, ref)
}

/** A further work tree has a file that says where its folder is. */
function gitFolderOf(tree: string): string | undefined {
  const path = join(tree, '.git')
  if (!existsSync(path)) return undefined
  if (statSync(path).isDirectory()) return path
  const [, folder] = /^gitdir: (.+)$/.exec(textOf(path) ?? '') ?? []
  return folder === undefined || isAbsolute(folder) ? folder : join(tree, folder)
}

function packed(folder: string, ref: string): string | undefined {
  const lines = textOf(join(folder, 'packed-refs'))?.split('\n') ?? []
  return lines.find((line) => line.endsWith(` ${ref}`))?.split(' ')[0]
}

/** Whatever hinders reading it, this is no reason not to start. */
function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    return undefined
  }
}
