import net, { type AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import { afterEach, expect, it } from 'vitest'
import { TestLogs, testOptions } from '#test/adapters/kafka/support.ts'
import { logRecord, readAll } from '#test/contract/message-log.contract.ts'
import { describeWithKafka } from '#test/support/services.ts'

const hasIpv6 = Object.values(networkInterfaces()).some((addresses) =>
  addresses?.some(({ family }) => family === 'IPv6'),
)

describeWithKafka('a log on Kafka', ({ brokers }) => {
  const logs = new TestLogs()
  afterEach(() => logs.dispose())

  it.skipIf(!hasIpv6)(
    `is reached by an IPv6 address${hasIpv6 ? '' : ' (skipped: this machine has none)'}`,
    async () => {
      const [host, port] = brokers[0]!.split(':')
      const sockets = new Set<net.Socket>()
      let taken = 0
      const server = net.createServer((socket) => {
        taken++
        const broker = net.connect(Number(port), host)
        for (const each of [socket, broker]) sockets.add(each.on('error', () => each.destroy()))
        socket.pipe(broker).pipe(socket)
      })
      await new Promise<void>((resolve) => server.listen(0, '::1', resolve))
      const log = logs.open(testOptions([`[::1]:${(server.address() as AddressInfo).port}`]))
      await (await log.openWriter()).append([[logRecord(1)]])
      expect((await readAll(log)).map(({ sequence }) => sequence)).toEqual([1])
      expect(taken).toBeGreaterThan(0)
      await logs.dispose()
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  )
})
