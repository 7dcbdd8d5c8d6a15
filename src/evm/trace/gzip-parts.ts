import { createGzip, type Gzip } from 'node:zlib'

const textCharsMax = 128 << 10
const partBytes = 32 << 10
/** Parts that nobody has taken yet: with these, the sender waits. */
const partsMax = 16
/** Text shrinks to a fortieth, at a sixth of what the usual level costs. */
const level = 1

/** Compresses text as it is made, and hands it out in parts that are taken one by one. */
export class GzipParts {
  readonly #gzip: Gzip = createGzip({ level })
  readonly #send: (part: Uint8Array<ArrayBuffer>) => void
  /** Rejects once nothing more is compressed, or wanted. */
  readonly #failed = Promise.withResolvers<never>()
  #texts: string[] = []
  #chars = 0
  #bytes: Buffer[] = []
  #size = 0
  #sent = 0
  #isEmpty = true
  #writing: Promise<void> = Promise.resolve()
  #taken: (() => void) | undefined

  constructor(send: (part: Uint8Array<ArrayBuffer>) => void) {
    this.#send = send
    // Told to whoever waits for room or for the end.
    this.#failed.promise.catch(() => undefined)
    this.#gzip.on('error', this.#failed.reject)
    this.#gzip.on('data', (bytes: Buffer) => {
      this.#bytes.push(bytes)
      this.#size += bytes.length
      if (this.#size >= partBytes) this.#flush()
    })
  }

  /** Whether nothing was written so far. */
  get isEmpty(): boolean {
    return this.#isEmpty
  }

  write(text: string): void {
    this.#isEmpty = false
    this.#texts.push(text)
    this.#chars += text.length
  }

  /** Resolves when more may be written; undefined: at once. While one text is compressed the next is made. */
  room(): Promise<void> | undefined {
    return this.#chars < textCharsMax ? undefined : this.#compress()
  }

  /** Says that a part was taken. */
  take(): void {
    this.#sent -= 1
    this.#taken?.()
  }

  async end(): Promise<void> {
    await this.#compress()
    await this.#writing
    const ended = new Promise<void>((resolve) => this.#gzip.once('end', resolve))
    this.#gzip.end()
    await Promise.race([ended, this.#failed.promise])
    this.#flush()
  }

  /** Ends it for good; whoever writes is told why. */
  close(reason: Error): void {
    this.#failed.reject(reason)
    this.#gzip.destroy()
  }

  async #compress(): Promise<void> {
    const text = this.#texts.join('')
    this.#texts = []
    this.#chars = 0
    await Promise.race([this.#writing, this.#failed.promise])
    while (this.#sent >= partsMax) {
      const taken = new Promise<void>((resolve) => (this.#taken = resolve))
      await Promise.race([taken, this.#failed.promise])
    }
    this.#writing = new Promise((resolve) => this.#gzip.write(text, () => resolve()))
  }

  #flush(): void {
    if (this.#size === 0) return
    const part = new Uint8Array(this.#size)
    let at = 0
    for (const bytes of this.#bytes) {
      part.set(bytes, at)
      at += bytes.length
    }
    this.#bytes = []
    this.#size = 0
    this.#sent += 1
    this.#send(part)
  }
}
