import { posix } from 'node:path'
import { expect, it } from 'vitest'
import { storedPaths } from '#src/domain/verification/stored-path.ts'

it('leaves paths as they are where that is harmless', () => {
  expect([...storedPaths(['contracts/A.sol', '@lib/b/C.sol'])]).toEqual([
    ['contracts/A.sol', 'contracts/A.sol'],
    ['@lib/b/C.sol', '@lib/b/C.sol'],
  ])
})

it('leads nowhere but below its folder', () => {
  const labels = [
    '../../etc/passwd',
    '/etc/passwd',
    'a/../../b',
    '..\\..\\c',
    '.',
    '',
    '__proto__',
    'C:\\d',
    'x\u0000y',
  ]
  for (const path of storedPaths(labels).values())
    expect(
      posix.join('/root', path).startsWith('/root/') && !['\\', ':', '\u0000'].some((each) => path.includes(each)),
    ).toBe(true)
})

it('gives no path twice', () => {
  const labels = ['../a.sol', 'a.sol', '/a.sol', './a.sol']
  expect(new Set(storedPaths(labels).values()).size).toBe(labels.length)
})
