// Tries whatever a compiler has no business with, and prints what it got: `hostile-probe.ts <locked|open> <url> <port> <folder>`.
import { Buffer } from 'node:buffer'
import { writeSync } from 'node:fs'
import { lockDown } from '#src/adapters/solc/child/lock-down.ts'

const [mode, url = '', port = '', folder = ''] = process.argv.slice(2)
const importing = (name: string): Promise<Readonly<Record<string, (...given: unknown[]) => unknown>>> => import(name)

const attempts: Readonly<Record<string, () => unknown>> = {
  fetch: async () => (await fetch(url)).status,
  net: async () => {
    const { connect } = await importing('node:net')
    return new Promise((resolve, reject) => {
      const socket = connect!(Number(port), '127.0.0.1') as import('node:net').Socket
      socket.on('connect', () => socket.end(() => resolve('connected'))).on('error', reject)
    })
  },
  netOfProcess: () => Object.keys(process.getBuiltinModule('node:net')).length,
  bindingOfProcess: () => typeof Reflect.apply(Reflect.get(process, 'binding'), process, ['tcp_wrap']),
  webSocket: () => String(new WebSocket(url.replace('http', 'ws'))),
  environment: () => Object.keys(process.env).length,
  read: async () => String((await importing('node:fs'))['readFileSync']!('/etc/hosts')),
  write: async () => (await importing('node:fs'))['writeFileSync']!(`${folder}/written`, 'x') ?? 'written',
  run: async () => (await importing('node:child_process'))['execFileSync']!('touch', [`${folder}/run`]) ?? 'run',
  thread: async () => {
    const { Worker } = (await importing('node:worker_threads')) as unknown as typeof import('node:worker_threads')
    return new Promise((resolve, reject) =>
      new Worker('', { eval: true }).on('exit', () => resolve('ran')).on('error', reject),
    )
  },
  evaluate: () => new Function('return typeof process')(),
}

if (mode === 'locked') lockDown()
const got: Record<string, string> = {}
for (const [name, attempt] of Object.entries(attempts)) {
  try {
    got[name] = `got ${await attempt()}`
  } catch (error) {
    got[name] = `refused: ${error instanceof Error ? error.message : error}`
  }
}
writeSync(1, Buffer.from(JSON.stringify(got)))
