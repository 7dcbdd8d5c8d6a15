import { spawn } from 'node:child_process'
import { once } from 'node:events'
import net, { type Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { BlockFaults } from '#src/simulator/block-node/faults.ts'
import { collect, failureOf, host, useBlockNodes } from '#test/adapters/block-node/support.ts'
import { serveTcp } from '#test/support/grpc-server.ts'
import { SampleStore } from '#test/support/sample-blocks.ts'

const { keep, serve, open } = useBlockNodes()
const kibibyte = 1024
const mebibyte = 1024 * kibibyte

/** How many sockets there are, on both sides. */
function sockets(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length
}

describe('a slow reader', () => {
  it('stalls the node, which can still be asked for other things, and holds no more than a window', async () => {
    const store = new SampleStore({ transactions: 64, transactionBytes: 64 * kibibyte }).fill(0n, 60n)
    const served = await serve({ store, setBytesMax: 64 * kibibyte })
    const node = await open(served.port, { windowBytes: 512 * kibibyte })
    const blocks = node.subscribe({ from: 0n })[Symbol.asyncIterator]()
    await blocks.next()
    const settled = await settledAt(() => served.counts().messages)
    // 66 messages of the block in hand; of the next ones 512 KiB that may be on their way, and what the server has at its hands.
    expect(settled).toBeLessThan(66 + 8 + 8)
    expect(await node.status()).toEqual([{ first: 0n, last: 60n }])
    expect((await node.fetch(60n))?.number).toBe(60n)
    expect(await settledAt(() => served.counts().messages)).toBe(settled)
    for (let number = 1n; number <= 60n; number++) {
      expect(Buffer.concat((await blocks.next()).value.pieces).equals(store.get(number))).toBe(true)
    }
    await blocks.return?.()
  })

  it('does not make the process larger', async () => {
    const store = new SampleStore({ transactions: 16, transactionBytes: mebibyte }).fill(0n, 0n)
    for (let number = 1n; number <= 40n; number++) store.add(store.get(0n), number)
    const node = await open((await serve({ store })).port)
    const most: number[] = []
    for await (const { pieces } of node.subscribe({ from: 0n, through: 40n })) {
      expect(pieces.length).toBeGreaterThan(0)
      await new Promise((resolve) => setTimeout(resolve, 20))
      most.push(process.memoryUsage().arrayBuffers / mebibyte)
    }
    // 640 MiB passed; what is in hand is one block of 16 MiB, and what the collector has not taken yet of those before it.
    console.log(`a slow reader of 640 MiB: at most ${Math.max(...most).toFixed(0)} MiB in buffers`)
    expect(Math.max(...most)).toBeLessThan(200)
  })
})

describe('a connection', () => {
  it('is used again after a loss', async () => {
    const faults = new BlockFaults()
    const served = await serve({ store: new SampleStore().fill(0n, 5n), faults })
    const node = await open(served.port)
    faults.at(2n, { kind: 'cut' })
    const numbers: bigint[] = []
    const error = await failureOf(
      (async () => {
        for await (const { number } of node.subscribe({ from: 0n, through: 5n })) numbers.push(number)
      })(),
    )
    expect(error.details.reason).toBe('cut')
    expect(numbers).toEqual([0n, 1n])
    faults.clear()
    expect(await collect(node.subscribe({ from: 2n, through: 5n }))).toHaveLength(4)
  })

  it('is made anew where the other side was dead and lives again', async () => {
    const faults = new BlockFaults()
    const served = await serve({ store: new SampleStore().fill(0n, 1n), faults })
    faults.dead = true
    const node = await open(served.port, { statusTimeoutMs: 200, connectTimeoutMs: 400 })
    expect((await failureOf(node.status())).details.reason).toBe('timeout')
    expect((await failureOf(node.fetch(0n))).details.reason).toBe('unreachable')
    faults.dead = false
    await expect
      .poll(() => node.status().catch(() => undefined), { timeout: 10_000 })
      .toEqual([{ first: 0n, last: 1n }])
  })

  it('counts as lost where the other side gives no sign of life', async () => {
    const served = await serve({ store: new SampleStore().fill(0n, 0n) })
    const between: Socket[] = []
    const relay = net.createServer((near) => {
      const far = net.connect(served.port, host)
      for (const socket of [near, far]) socket.on('error', () => undefined)
      near.pipe(far).pipe(near)
      between.push(near, far)
    })
    relay.listen(0, host)
    await once(relay, 'listening')
    keep({
      close: async () => {
        relay.close()
        for (const socket of between) socket.destroy()
      },
    })
    const node = await open((relay.address() as net.AddressInfo).port, { keepaliveMs: 300, blockTimeoutMs: 60_000 })
    const blocks = node.subscribe({ from: 0n })[Symbol.asyncIterator]()
    await blocks.next()
    for (const socket of between) socket.unpipe().pause()
    const since = performance.now()
    expect((await failureOf(blocks.next())).details.reason).toBe('cut')
    expect(performance.now() - since).toBeLessThan(5_000)
  })

  it('leaves nothing behind when it is closed, whatever state it is in', async () => {
    await expect.poll(sockets).toBe(0)
    const faults = new BlockFaults()
    const served = await serve({ store: new SampleStore().fill(0n, 0n), faults })
    const silent = await serveTcp(() => {})
    // One that streams, one at its handshake, one that is refused and waits to try again.
    const streaming = await open(served.port)
    const blocks = streaming.subscribe({ from: 0n })[Symbol.asyncIterator]()
    await blocks.next()
    const next = failureOf(blocks.next())
    const shaking = await open(silent.port, { statusTimeoutMs: 100 })
    await failureOf(shaking.status())
    const refused = await open(1, { statusTimeoutMs: 1_000 })
    await failureOf(refused.status())
    for (const node of [streaming, shaking, refused]) await node.close()
    expect((await next).details.reason).toBe('cut')
    await expect.poll(() => served.counts().openConnections).toBe(0)
    await served.close()
    await silent.close()
    await expect.poll(sockets, { timeout: 5_000 }).toBe(0)
  })

  it('does not wait for an address that does not answer', async () => {
    await expect.poll(sockets).toBe(0)
    const { port, end } = await blackHole()
    const node = await open(port, { statusTimeoutMs: 200, connectTimeoutMs: 300 })
    expect((await failureOf(node.status())).details.reason).toBe('timeout')
    const error = await failureOf(node.fetch(0n))
    expect(error.details.reason).toBe('unreachable')
    expect(error.message).toContain('no connection within 300 ms')
    await node.close()
    await end()
    await expect.poll(sockets, { timeout: 5_000 }).toBe(0)
  })
})

/** The value when it has not changed for a while. */
async function settledAt(value: () => number): Promise<number> {
  for (let last = -1; ; ) {
    await new Promise((resolve) => setTimeout(resolve, 200))
    if (value() === last) return last
    last = value()
  }
}

/** A port whose queue of connections is full, since nobody takes them: whoever comes later gets no answer. */
async function blackHole(): Promise<{ port: number; end: () => Promise<void> }> {
  const script = `const server = require('node:net').createServer()
    server.listen({ port: 0, host: '${host}', backlog: 1 }, () => {
      require('node:fs').writeSync(1, server.address().port + '\\n')
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
    })`
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  const port = Number(line.toString())
  const queued = Array.from({ length: 4 }, () => net.connect(port, host))
  for (const socket of queued) socket.on('error', () => undefined)
  await once(queued[0] as Socket, 'connect')
  const end = async () => {
    for (const socket of queued) socket.destroy()
    child.kill('SIGKILL')
    await once(child, 'close')
  }
  return { port, end }
}
