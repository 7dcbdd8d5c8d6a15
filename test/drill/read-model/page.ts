import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { addToList } from '../../../scripts/new/add-to-list.ts'
import { root } from '../../cli/support.ts'

/** A fenced block of a page: `language`, then what follows it on the same line. */
export interface PageBlock {
  readonly language: string
  readonly mark: string
  readonly text: string
}

export function readPage(path: string): PageBlock[] {
  const page = readFileSync(join(root, path), 'utf8')
  return [...page.matchAll(/^```(\w+)(?: ([^\n]*))?\n([\s\S]*?)^```$/gm)].map(
    ([, language = '', mark = '', text = '']) => ({ language, mark, text }),
  )
}

/** The commands of the only block with this mark, one per line. */
export function commandsOf(blocks: readonly PageBlock[], mark: string): string[] {
  const [block] = blocks.filter((each) => each.language === 'sh' && each.mark === mark)
  if (block === undefined) throw new Error(`the page has no block "sh ${mark}"`)
  return block.text.trim().split('\n')
}

/** Puts the files of the page into a tree, adds to its lists and applies its diffs; an edit that does not fit fails. */
export function applyPage(blocks: readonly PageBlock[], tree: string): number {
  let applied = 0
  for (const { language, mark, text } of blocks) {
    const [, action, path] = /^(file|add)=(\S+)$/.exec(mark) ?? []
    const file = join(tree, path ?? '')
    if (action === 'file') {
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, text)
    } else if (action === 'add') {
      writeFileSync(file, addToList(readFileSync(file, 'utf8'), text))
    } else if (language === 'diff') {
      execFileSync('git', ['apply', '--recount', '-'], { cwd: tree, input: text })
    } else continue
    applied += 1
  }
  return applied
}
