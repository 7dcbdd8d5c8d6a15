import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { openS3Source } from '#src/adapters/s3/s3-source.ts'
import { beforeEachImport, transfer } from '#test/importer/import-folder.ts'
import type { ImportWorld } from '#test/importer/import-world.ts'
import { serveBuckets } from '#test/support/bucket-server.ts'
import { addressBookOf, byAccount, chainV6, testNodes, writeFile } from '#test/support/record-writer.ts'

const nodes = testNodes(24)
let root: string
let world: ImportWorld

beforeEachImport((folder, fresh) => {
  root = folder
  world = fresh
})

it('tells the bombs of 40 MiB that a bucket gives for the copies of 24 nodes within ten seconds', async () => {
  const bomb = gzipSync(Buffer.alloc(40 << 20), { level: 1 })
  const [file] = chainV6({ first: 1_700_000_000_123_456_789n, number: 1n, items: [transfer] })
  writeFile(file!, { root, nodes })
  for (const node of nodes) {
    const folder = join(root, byAccount(node))
    for (const name of readdirSync(folder)) if (!name.includes('_sig')) writeFileSync(join(folder, name), bomb)
  }
  const server = await serveBuckets({ streams: root })
  const { endpoint } = server
  const bucket = { bucket: 'streams', region: 'us-east-1', endpoint, pathStyle: true, requestTimeoutMs: 10_000 }
  const source = await openS3Source({ ...bucket, attemptsMax: 1 })
  // Of the process, the bucket's server included: others may keep the machine busy.
  const began = process.cpuUsage()
  const error = await world.failure(source, { addressBook: addressBookOf(nodes) })
  const { user, system } = process.cpuUsage(began)
  const seconds = (user + system) / 1e6
  console.log(`${seconds.toFixed(1)} s of the CPU: ${error.message}`)
  await server.close()
  expect(error.code).toBe('file_malformed')
  expect(error.message).toContain('none of the copies of nodes 0-23 can be used')
  expect(seconds).toBeLessThan(10)
}, 60_000)
