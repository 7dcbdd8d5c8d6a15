import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CreateBucketCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { describe, expect, it } from 'vitest'
import { openS3Source, type S3SourceOptions } from '#src/adapters/s3/s3-source.ts'
import { isLedgerError } from '#src/domain/errors.ts'
import { ImportWorld } from '#test/importer/import-world.ts'
import { hasSamples, sample, samplePath } from '#test/importer/samples.ts'
import { findS3, whyMissing } from '#test/support/services.ts'

const server = findS3()
const endpoint = server?.endpoint
const credentials = { accessKeyId: server?.accessKey ?? '', secretAccessKey: server?.secretKey ?? '' }

if (!endpoint) console.warn(`skipped: ${whyMissing('S3 server', 'LEDGER_TEST_S3_ENDPOINT')}`)

const bucket = `streams-${process.pid}-${Date.now()}`
const options: S3SourceOptions = {
  bucket,
  region: 'us-east-1',
  endpoint,
  pathStyle: true,
  credentials,
  requestTimeoutMs: 5_000,
  attemptsMax: 2,
}

describe.skipIf(!endpoint || !hasSamples)('an S3 server', () => {
  it('holds a stream that is imported like a folder', async () => {
    await upload(samplePath('record/v6'))
    const inBucket = new ImportWorld()
    const inFolder = new ImportWorld()
    const settings = {
      addressBook: sample('addressbook/test/test-v6-sidecar-4n.bin'),
      sidecarTypes: new Set([1, 2, 3]),
    }
    await inBucket.import(await openS3Source(options), settings)
    await inFolder.import(samplePath('record/v6'), settings)
    expect(await inBucket.records()).toEqual(await inFolder.records())
    expect(await inBucket.blocks()).toHaveLength(2)
  })

  it('lists behind a marker, and refuses wrong keys and strangers', async () => {
    const folder = 'recordstreams/record0.0.3'
    const source = await openS3Source(options)
    const after = '2022-07-13T08_46_08.041986003Z_'
    const names = (await source.list({ folder, after, countMax: 10 })).map(({ name }) => name)
    expect(names).toEqual(['2022-07-13T08_46_11.304284003Z.rcd.gz', '2022-07-13T08_46_11.304284003Z.rcd_sig'])
    expect(await source.list({ folder: 'recordstreams/record0.0.99', after: '', countMax: 10 })).toEqual([])
    expect(await source.fetch(`${folder}/missing`, { bytesMax: 10 })).toBeUndefined()
    await source.close()
    const wrongKey = { ...options, credentials: { ...credentials, secretAccessKey: 'wrong' } }
    for (const refused of [wrongKey, { ...options, credentials: undefined }]) {
      const stranger = await openS3Source(refused)
      const error = await stranger.list({ folder, after: '', countMax: 10 }).catch((thrown: unknown) => thrown)
      expect(isLedgerError(error, 'source_unavailable')).toBe(true)
      await stranger.close()
    }
  })
})

async function upload(folder: string): Promise<void> {
  const client = new S3Client({ region: 'us-east-1', endpoint: endpoint ?? '', forcePathStyle: true, credentials })
  await client.send(new CreateBucketCommand({ Bucket: bucket }))
  for (const file of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!file.isFile()) continue
    const path = join(file.parentPath, file.name)
    await client.send(
      new PutObjectCommand({ Bucket: bucket, Key: path.slice(folder.length + 1), Body: readFileSync(path) }),
    )
  }
  client.destroy()
}
