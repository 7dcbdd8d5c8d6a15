import { spawnSync } from 'node:child_process'
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { temporaryFolder } from '#test/support/temporary-folder.ts'
import { root } from '../cli/support.ts'
import { changeReadModel, page } from './read-model/drill.ts'
import { applyPage } from './read-model/page.ts'
import { copyRelease, productFolders } from './read-model/release.ts'

it('a read model changes incompatibly on a running service, as the page says, and no client notices', async () => {
  const folder = await temporaryFolder()
  onTestFinished(() => folder.remove())
  await changeReadModel({ folder: folder.path, settings: {} })
}, 240_000)

it('the code of the page compiles', async () => {
  const folder = await temporaryFolder()
  onTestFinished(() => folder.remove())
  copyRelease(folder.path, '0.2.0-drill')
  applyPage(page, folder.path)
  cpSync(join(root, 'tsconfig.json'), join(folder.path, 'tsconfig.base.json'))
  const settings = { extends: './tsconfig.base.json', include: productFolders }
  writeFileSync(join(folder.path, 'tsconfig.json'), JSON.stringify(settings))
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  const { status, stdout } = spawnSync(process.execPath, [compiler, '-p', folder.path], { encoding: 'utf8' })
  expect(stdout).toBe('')
  expect(status).toBe(0)
}, 120_000)
