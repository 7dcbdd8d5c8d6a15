import { spawnSync } from 'node:child_process'
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { temporaryFolder } from '#test/support/temporary-folder.ts'
import { findDependencyProblems, readSourceFiles } from '../../scripts/dependency-rules.ts'
import { root } from '../cli/support.ts'
import { changeReadModel, page } from './read-model/drill.ts'
import { applyPage } from './read-model/page.ts'
import { copyRelease, productFolders } from './read-model/release.ts'

it('a read model changes incompatibly on a running service, as the page says, and no client notices', async () => {
  const folder = await temporaryFolder()
  onTestFinished(() => folder.remove())
  await changeReadModel({ folder: folder.path, settings: {} })
}, 600_000)

it('the code of the page passes the check: format and lint, dependency rules, types', async () => {
  const folder = await temporaryFolder()
  onTestFinished(() => folder.remove())
  copyRelease(folder.path, '0.2.0-drill')
  const before = readSourceFiles(folder.path)
  applyPage(page, folder.path)
  const known = new Map(before.map(({ path, text }) => [path, text]))
  const changed = readSourceFiles(folder.path).filter(({ path, text }) => known.get(path) !== text)
  expect(changed.map(({ path }) => path)).toHaveLength(5)
  expect(findDependencyProblems(changed)).toEqual([])

  cpSync(join(root, 'biome.json'), join(folder.path, 'biome.json'))
  cpSync(join(root, 'tsconfig.json'), join(folder.path, 'tsconfig.base.json'))
  const settings = { extends: './tsconfig.base.json', include: productFolders }
  writeFileSync(join(folder.path, 'tsconfig.json'), JSON.stringify(settings))
  const inRelease = (program: string, ...args: readonly string[]) => {
    const ran = spawnSync(process.execPath, [join(root, 'node_modules', program), ...args], {
      cwd: folder.path,
      encoding: 'utf8',
    })
    return { status: ran.status, said: ran.status === 0 ? '' : ran.stdout + ran.stderr }
  }
  const biome = '@biomejs/biome/bin/biome'
  // `npm run format`, which the page asks for after the addition to the list.
  inRelease(biome, 'check', '--write', '--vcs-enabled=false', 'projections/index.ts')
  const lint = ['ci', '--vcs-enabled=false', '--colors=off', ...changed.map(({ path }) => path)]
  expect(inRelease(biome, ...lint)).toEqual({ status: 0, said: '' })
  expect(inRelease('typescript/bin/tsc', '-p', folder.path)).toEqual({ status: 0, said: '' })
}, 600_000)
