import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { gitIdOf } from '#src/cli/git-id.ts'
import { temporaryFolder } from '#test/support/temporary-folder.ts'
import { root } from './support.ts'

let path: string
let remove: () => Promise<void>

beforeEach(async () => {
  const folder = await temporaryFolder()
  path = folder.path
  remove = folder.remove
})

afterEach(() => remove())

const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.org', '-c', 'commit.gpgsign=false']
const git = (...args: readonly string[]): string =>
  execFileSync('git', [...identity, ...args], { cwd: path, encoding: 'utf8', stdio: 'pipe' }).trim()

function commit(): string {
  for (const file of ['.gitattributes', 'src/cli/git-id.txt']) {
    mkdirSync(join(path, 'src', 'cli'), { recursive: true })
    cpSync(join(root, file), join(path, file))
  }
  git('init', '--quiet')
  git('add', '-A')
  git('commit', '--quiet', '-m', 'first')
  return git('rev-parse', 'HEAD').slice(0, 10)
}

describe('the git id of a release', () => {
  it('is that of the commit, on a branch, packed, without a branch, and in a further work tree', () => {
    const id = commit()
    expect(gitIdOf(path)).toBe(id)
    git('pack-refs', '--all')
    expect(gitIdOf(path)).toBe(id)
    git('worktree', 'add', '--quiet', '-b', 'other', 'tree')
    expect(gitIdOf(join(path, 'tree'))).toBe(id)
    git('checkout', '--quiet', '--detach')
    expect(gitIdOf(path)).toBe(id)
  })

  it('is in an archive, which has no git folder', () => {
    const id = commit()
    git('archive', '--output', 'release.tar', 'HEAD')
    mkdirSync(join(path, 'release'))
    execFileSync('tar', ['-xf', 'release.tar', '-C', 'release'], { cwd: path })
    expect(readFileSync(join(path, 'release', 'src', 'cli', 'git-id.txt'), 'utf8').slice(0, 10)).toBe(id)
    expect(gitIdOf(join(path, 'release'))).toBe(id)
  })

  it('is unknown where nothing says it', () => {
    commit()
    rmSync(join(path, '.git'), { recursive: true })
    expect(gitIdOf(path)).toBeUndefined()
    writeFileSync(join(path, '.git'), 'gitdir: gone')
    expect(gitIdOf(path)).toBeUndefined()
  })
})
