import { openS3Source, type S3SourceOptions } from '#src/adapters/s3/s3-source.ts'
import type { StreamSource } from '#src/ports/stream-source.ts'

/** Does something with a bucket at an endpoint, which is asked once. */
export async function withSource<T>(
  options: Pick<S3SourceOptions, 'endpoint' | 'requestTimeoutMs'> & Partial<S3SourceOptions>,
  use: (source: StreamSource) => Promise<T>,
): Promise<T> {
  const source = await openS3Source({
    bucket: 'streams',
    region: 'us-east-1',
    pathStyle: true,
    attemptsMax: 1,
    ...options,
  })
  try {
    return await use(source)
  } finally {
    await source.close()
  }
}
