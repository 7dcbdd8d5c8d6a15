/**
 * A process that holds one compiler and does what its parent writes to it, until that closes the pipe. It is started with Node's
 * permissions, which let it read its own files, and knows from the moment the compiler is there nothing but two file descriptors.
 * All is synchronous: a compiler that does not end keeps nobody waiting but its parent, who ends it.
 */
import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import { readFileSync, readSync, writeSync } from 'node:fs'
import { constants, createContext, Script } from 'node:vm'
import { frameHeaderBytes, frameKind } from '#src/adapters/solc/child/frames.ts'
import { lockDown } from '#src/adapters/solc/child/lock-down.ts'
import { realmScript } from '#src/adapters/solc/child/realm.ts'

const [file = '', sha256 = '', timeoutText = '', outputBytesText = ''] = process.argv.slice(2)
const timeout = Number(timeoutText)
const outputBytesMax = Number(outputBytesText)
const { exit } = process
const wordsMax = 500

const bytes = readFileSync(file)
const found = createHash('sha256').update(bytes).digest('hex')
if (found === sha256) serve(bytes.toString('utf8'))
else write(frameKind.damaged, found)
exit(0)

/** Until the parent closes the pipe, or something fails. */
function serve(compiler: string): void {
  const script = new Script(realmScript(compiler), { filename: 'soljson.js' })
  lockDown()
  const realm = createContext(constants.DONT_CONTEXTIFY, { codeGeneration: { strings: false, wasm: true } })
  const version = attempt(() => {
    script.runInContext(realm, { timeout })
    return new Script('version()').runInContext(realm, { timeout })
  })
  if (version === undefined) return
  write(frameKind.ready, version)
  const call = new Script('compile(input)')
  for (let input = read(); input !== undefined; input = read()) {
    Reflect.set(realm, 'input', input.toString('latin1'))
    const output = attempt(() => call.runInContext(realm, { timeout }))
    if (output === undefined) return
    const isTooLarge = output.length > outputBytesMax
    write(isTooLarge ? frameKind.tooLarge : frameKind.output, isTooLarge ? String(output.length) : output)
  }
}

/** What the compiler says; undefined where it fails, which is told. It may throw anything. */
function attempt(ask: () => unknown): string | undefined {
  try {
    const answer = ask()
    if (typeof answer === 'string') return answer
    write(frameKind.failed, 'It answered something that is no text')
  } catch (error) {
    write(frameKind.failed, wordsOf(error))
  }
  return undefined
}

/** Only primitive values of another realm are looked at, so that none of its code runs here. */
function wordsOf(error: unknown): string {
  if (typeof error === 'string' || typeof error === 'number') return String(error).slice(0, wordsMax)
  const message =
    typeof error === 'object' && error !== null && Object.getOwnPropertyDescriptor(error, 'message')?.value
  return typeof message === 'string' ? message.slice(0, wordsMax) : 'It threw something that is no error'
}

function write(kind: number, text: string): void {
  const frame = Buffer.concat([Buffer.alloc(frameHeaderBytes), Buffer.from(text, 'latin1')])
  frame[0] = kind
  frame.writeUInt32BE(frame.length - frameHeaderBytes, 1)
  for (let at = 0; at < frame.length; ) at += writeSync(1, frame, at)
}

function read(): Buffer | undefined {
  const header = readBytes(4)
  return header && readBytes(header.readUInt32BE(0))
}

function readBytes(length: number): Buffer | undefined {
  const bytes = Buffer.alloc(length)
  for (let at = 0; at < length; ) {
    const count = readSync(0, bytes, at, length - at, null)
    if (count === 0) return undefined
    at += count
  }
  return bytes
}
