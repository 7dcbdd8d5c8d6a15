import { connect, createServer } from 'node:net'

// Below the range that systems take outgoing connections from: a service that is killed and started again on its port must
// not find it taken by a client.
const lowest = 20_000
const highest = 32_000
const triesMax = 200

/** Different ports on the loopback address that are free at this moment. */
export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>()
  for (let tries = 0; ports.size < count; tries++) {
    if (tries === triesMax) throw new Error(`no ${count} free ports between ${lowest} and ${highest}`)
    const port = lowest + Math.floor(Math.random() * (highest - lowest))
    if (await isFree(port)) ports.add(port)
  }
  return [...ports]
}

/** Whether nobody listens there on the loopback address. */
export function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.on('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}

/** Whether somebody accepts connections there within a second. */
export function isListening(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host, timeout: 1_000 })
    const end = (answer: boolean) => {
      socket.destroy()
      resolve(answer)
    }
    socket.on('connect', () => end(true))
    socket.on('timeout', () => end(false))
    socket.on('error', () => end(false))
  })
}
