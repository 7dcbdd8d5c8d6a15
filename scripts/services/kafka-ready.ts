import { connect } from 'node:net'

const timeoutMs = 2_000

// A metadata request, version 1, for no topic at all: size, API key 3, version, correlation id, no client id, no topics.
const request = Buffer.from('0000000e0003000100000001ffff00000000', 'hex')

/** Ids of the brokers that the broker at this plain-text port knows to be alive; none when it does not answer. */
export function knownBrokers(port: number): Promise<number[]> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', timeout: timeoutMs })
    let answer = Buffer.alloc(0)
    const end = (ids: number[]) => {
      socket.destroy()
      resolve(ids)
    }
    socket.on('connect', () => socket.write(request))
    socket.on('data', (chunk) => {
      answer = Buffer.concat([answer, chunk])
      if (answer.length >= 4 && answer.length >= 4 + answer.readInt32BE(0)) end(brokerIds(answer))
    })
    for (const event of ['timeout', 'error', 'close']) socket.on(event, () => end([]))
  })
}

/** Behind size and correlation id: a count, then of each broker its id, host, port and rack. */
function brokerIds(answer: Buffer): number[] {
  const ids: number[] = []
  let offset = 12
  for (let rest = answer.readInt32BE(8); rest > 0; rest--) {
    ids.push(answer.readInt32BE(offset))
    offset += 4 + 2 + answer.readInt16BE(offset + 4) + 4
    offset += 2 + Math.max(0, answer.readInt16BE(offset))
  }
  return ids
}
