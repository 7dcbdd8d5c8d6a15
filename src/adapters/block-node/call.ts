import type { Channel, Metadata, StatusObject } from '@grpc/grpc-js'

type Call = ReturnType<Channel['createCall']>

/** That a call ended with another status than OK. */
export class CallFailed extends Error {
  readonly status: StatusObject
  /** Whether the other side had begun to answer. */
  readonly answered: boolean

  constructor(status: StatusObject, answered: boolean) {
    super(`${status.code}: ${status.details}`)
    this.name = 'CallFailed'
    this.status = status
    this.answered = answered
  }
}

interface Waiting {
  resolve(message: Buffer | undefined): void
  reject(error: Error): void
}

const ok = 0
const cancelled = 1
const unknown = 2

/**
 * One call with one request, whose answer is read a message at a time: none is taken from the connection before it is asked
 * for, so that what lies ahead is bounded by the connection's window. The library's streams would take sixteen.
 */
export class PulledCall {
  readonly #call: Call
  #waiting: Waiting | undefined
  #status: StatusObject | undefined
  #answered = false

  constructor(call: Call, metadata: Metadata, request: Buffer) {
    this.#call = call
    call.start(metadata, {
      onReceiveMetadata: (received: Metadata) => this.#begin(received),
      onReceiveMessage: (message: Buffer) => this.#take()?.resolve(message),
      onReceiveStatus: (status: StatusObject) => this.#end(status),
    })
    call.sendMessageWithContext({}, request)
    call.halfClose()
  }

  /**
   * The next message, as received; undefined at a good end. Rejects with `CallFailed`, or with the reason of the signal, which
   * also ends the call.
   */
  next(signal: AbortSignal): Promise<Buffer | undefined> {
    return new Promise((resolve, reject) => {
      const abort = () => {
        this.#waiting = undefined
        this.cancel()
        reject(signal.reason)
      }
      const unlisten = () => signal.removeEventListener('abort', abort)
      if (signal.aborted) return abort()
      if (this.#status) return this.#settle(this.#status, { resolve, reject })
      signal.addEventListener('abort', abort, { once: true })
      this.#waiting = {
        resolve: (message) => {
          unlisten()
          resolve(message)
        },
        reject: (error) => {
          unlisten()
          reject(error)
        },
      }
      this.#call.startRead()
    })
  }

  cancel(): void {
    if (!this.#status) this.#call.cancelWithStatus(cancelled, 'no longer wanted')
  }

  /** A page for people is no message, however large its first letters are as a length. */
  #begin(metadata: Metadata): void {
    this.#answered = true
    const type = String(metadata.get('content-type')[0] ?? 'nothing')
    if (!type.startsWith('application/grpc')) this.#call.cancelWithStatus(unknown, `the answer is ${type}, not gRPC`)
  }

  #take(): Waiting | undefined {
    const waiting = this.#waiting
    this.#waiting = undefined
    return waiting
  }

  #end(status: StatusObject): void {
    this.#status = status
    const waiting = this.#take()
    if (waiting) this.#settle(status, waiting)
  }

  #settle(status: StatusObject, { resolve, reject }: Waiting): void {
    if (status.code === ok) resolve(undefined)
    else reject(new CallFailed(status, this.#answered))
  }
}
