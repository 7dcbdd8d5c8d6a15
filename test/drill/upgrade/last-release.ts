import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../cli/support.ts'
import { productFolders } from '../read-model/release.ts'

/** The commit of the release before the one that is worked on: the next release begins with its own here. */
const lastRelease = { version: '0.1.0', commit: 'bf0df767e428509340cc0b97dd386288ed5e68d6' } as const

const hasCommit = spawnSync('git', ['cat-file', '-e', `${lastRelease.commit}^{commit}`], { cwd: root }).status === 0
/** Why its code cannot be had here; undefined where it can. */
export const withoutLastRelease = hasCommit
  ? undefined
  : `skipped: the history here does not reach back to release ${lastRelease.version} (${lastRelease.commit.slice(0, 10)})`
if (withoutLastRelease !== undefined) console.warn(`upgrades are ${withoutLastRelease}`)

/** Its code in a new folder, with the packages that are installed here. */
export function extractLastRelease(tree: string): void {
  mkdirSync(tree)
  const archive = execFileSync('git', ['archive', lastRelease.commit, 'package.json', ...productFolders], {
    cwd: root,
    maxBuffer: 1 << 30,
  })
  execFileSync('tar', ['-x', '-C', tree], { input: archive })
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'))
}

export const retiredName = 'old-files'

/** One read model more, which no release after it has. */
export function addReadModel(tree: string): void {
  const folder = join(tree, 'projections', retiredName)
  cpSync(join(tree, 'projections', 'network-files'), folder, { recursive: true })
  for (const file of readdirSync(folder)) {
    const text = readFileSync(join(folder, file), 'utf8').replaceAll(
      '#projections/network-files/',
      `#projections/${retiredName}/`,
    )
    writeFileSync(join(folder, file), text.replace("name: 'network-files'", `name: '${retiredName}'`))
  }
  const index = join(tree, 'projections', 'index.ts')
  const before = readFileSync(index, 'utf8')
  const named = `import { networkFilesProjection as oldFilesProjection } from '#projections/${retiredName}/projection.ts'\n`
  const after = before.replace('  networkFilesProjection,\n', '  networkFilesProjection,\n  oldFilesProjection,\n')
  if (after === before) throw new Error(`cannot add a read model to ${index}`)
  writeFileSync(index, named + after)
}
