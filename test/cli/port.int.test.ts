import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { expect, it } from 'vitest'
import { assertPortIsFree, claimPort } from '#src/cli/port.ts'

it('names the port and the flag when another program listens there, and is silent once it is free', async () => {
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const { port } = other.address() as AddressInfo
  await expect(assertPortIsFree('127.0.0.1', port)).rejects.toMatchObject({
    code: 'port_taken',
    message: expect.stringMatching(`Port ${port} on 127.0.0.1 is taken.*--port`),
  })
  await new Promise((resolve) => other.close(resolve))
  await assertPortIsFree('127.0.0.1', port)
})

it('explains a host that is not of this machine', async () => {
  await expect(assertPortIsFree('203.0.113.7', 0)).rejects.toMatchObject({
    code: 'config_invalid',
    message: expect.stringMatching('--host'),
  })
})

it.runIf(process.platform === 'linux')(
  'gives a port that threads will share to one process, also before they listen',
  async () => {
    const free = createServer()
    await new Promise<void>((resolve) => free.listen(0, '127.0.0.1', resolve))
    const { port } = free.address() as AddressInfo
    await new Promise((resolve) => free.close(resolve))
    await claimPort('127.0.0.1', port)
    await expect(claimPort('127.0.0.1', port)).rejects.toMatchObject({
      code: 'port_taken',
      message: expect.stringMatching(`Port ${port} on 127.0.0.1 is taken`),
    })
  },
)
