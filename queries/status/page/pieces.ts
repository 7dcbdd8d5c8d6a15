import { type ComponentChildren, Fragment, h } from 'preact'
import { render } from 'preact-render-to-string'

export interface PiecesOptions {
  /** Lets other requests run. */
  readonly pause: () => Promise<void>
  readonly bytesMax: number
}

/** More than a name of the greatest length takes, escaped. */
const headingBytes = 4 << 10

/**
 * HTML that is put together piece by piece, between which other requests run, and that is never longer than its bound: what
 * there is no room for is said by a link.
 */
export class Pieces {
  readonly #pause: () => Promise<void>
  readonly #texts: string[] = []
  #bytes = 0
  #bytesMax: number

  constructor({ pause, bytesMax }: PiecesOptions) {
    this.#pause = pause
    this.#bytesMax = bytesMax
  }

  get html(): string {
    return this.#texts.join('')
  }

  /** Little more than a heading has room. */
  get isFull(): boolean {
    return this.#bytesMax - this.#bytes < headingBytes
  }

  /** Resolves to false, with nothing added, where there is no room for it. */
  async add(content: ComponentChildren): Promise<boolean> {
    await this.#pause()
    const text = htmlOf(content)
    if (this.#bytes + Buffer.byteLength(text) > this.#bytesMax) return false
    this.#put(text)
    return true
  }

  /** Headings, links and the like, which are short, and of which there are few. */
  say(content: ComponentChildren): void {
    this.#put(htmlOf(content))
  }

  /** What is added meanwhile stands in this element. */
  async inside(begin: string, end: string, write: () => Promise<void>): Promise<void> {
    this.#put(begin)
    await write()
    this.#put(end)
  }

  /** What is added meanwhile may take so many bytes of those that are left. */
  async within(bytesMax: number, write: () => Promise<void>): Promise<void> {
    const whole = this.#bytesMax
    this.#bytesMax = Math.min(whole, this.#bytes + bytesMax)
    await write()
    this.#bytesMax = whole
  }

  #put(text: string): void {
    this.#texts.push(text)
    this.#bytes += Buffer.byteLength(text)
  }
}

function htmlOf(content: ComponentChildren): string {
  return render(h(Fragment, null, content))
}
