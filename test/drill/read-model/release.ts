import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from '../../cli/support.ts'

/** Folders of the product: what a release needs to run. */
export const productFolders = ['src', 'projections', 'commands', 'queries', 'schemas']

/** A copy of the product in a folder of its own, under another version, with the installed packages linked. */
export function copyRelease(tree: string, version: string): void {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z', ...productFolders], { cwd: root })
  const files = listed
    .toString('utf8')
    .split('\0')
    .filter((file) => file !== '' && existsSync(join(root, file)))
  for (const file of files) {
    mkdirSync(dirname(join(tree, file)), { recursive: true })
    cpSync(join(root, file), join(tree, file))
  }
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<string, unknown>
  writeFileSync(join(tree, 'package.json'), JSON.stringify({ ...manifest, version }))
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'))
}
