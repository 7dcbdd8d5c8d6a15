import { readFileSync } from 'node:fs'
import http2 from 'node:http2'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { endResponse, itemsResponse } from '#src/simulator/block-node/responses.ts'
import { collect, failureOf, host, useBlockNodes } from '#test/adapters/block-node/support.ts'
import { beginAnswer, framed } from '#test/support/grpc-server.ts'
import { sampleBlock } from '#test/support/sample-blocks.ts'
import { temporaryFolder } from '#test/support/temporary-folder.ts'
import { makeCertificates } from '../../../scripts/services/kafka-certificates.ts'
import { hasTool } from '../../../scripts/services/run-tool.ts'

const { keep, open } = useBlockNodes()
const hasOpenssl = hasTool('openssl')

if (!hasOpenssl) console.warn('skipped: openssl, which makes certificates, is not on the PATH')

describe.skipIf(!hasOpenssl)('a block node with TLS', () => {
  it('is read where its certificate is trusted, and nowhere else', async () => {
    const folder = await temporaryFolder()
    keep({ close: folder.remove })
    const { authorityFile, certificateChainFile } = await makeCertificates(folder.path)
    const block = sampleBlock({ number: 0n })
    const chain = readFileSync(certificateChainFile)
    const server = http2.createSecureServer({ key: chain, cert: chain })
    server.on('sessionError', () => undefined)
    server.on('stream', (stream) => {
      beginAnswer(stream)
      for (const message of [itemsResponse(block), endResponse(0n)]) stream.write(framed(message))
      stream.end()
    })
    await new Promise<void>((resolve) => server.listen(0, host, resolve))
    keep({ close: () => new Promise((resolve) => server.close(() => resolve())) })
    const { port } = server.address() as AddressInfo

    const trusting = await open(port, { rootCertificates: readFileSync(authorityFile) }, true)
    const [streamed] = await collect(trusting.subscribe({ from: 0n }))
    expect(Buffer.concat(streamed?.pieces ?? [])).toEqual(block)
    await trusting.close()

    const stranger = await failureOf((await open(port, {}, true)).status())
    expect(stranger.details.reason).toBe('unreachable')
    expect(stranger.message).toContain('certificate')
    const plain = await failureOf((await open(port)).status())
    expect(plain.details.reason).toBe('unreachable')
  })
})
