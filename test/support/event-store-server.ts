import { createRequire } from 'node:module'
import type * as StreamsPb from '@eventstore/db-client/generated/streams_pb.js'
import * as grpc from '@grpc/grpc-js'

const require = createRequire(import.meta.url)
/** The service definitions that the client itself is generated from. */
const streams = require('@eventstore/db-client/generated/streams_pb.js') as typeof StreamsPb
const shared =
  require('@eventstore/db-client/generated/shared_pb.js') as typeof import('@eventstore/db-client/generated/shared_pb.js')
const { StreamsService } = require('@eventstore/db-client/generated/streams_grpc_pb.js') as {
  StreamsService: grpc.ServiceDefinition
}

interface Stored {
  readonly stream: string
  readonly revision: number
  readonly position: number
  readonly id: string
  readonly type: string
  readonly contentType: string
  readonly data: Uint8Array
  readonly metadata: Uint8Array
}

type Reading = grpc.ServerWritableStream<StreamsPb.ReadReq, StreamsPb.ReadResp>
type Appending = grpc.ServerReadableStream<StreamsPb.AppendReq, StreamsPb.AppendResp>

/**
 * A small server of EventStoreDB's own protocol, as far as the adapter speaks it: append at an expected revision, read a
 * stream, read and subscribe to all. It is no EventStoreDB: it has positions with gaps and events of its own among ours,
 * as the real one, but neither its storage nor its cluster. Events outlive `stop`, as on a disk.
 */
export class EventStoreServer {
  readonly #events: Stored[] = []
  readonly #followers = new Set<() => void>()
  #server: grpc.Server | undefined
  #port = 0
  /** Calls to refuse as a server does that is going away. */
  refusals = 0

  /** Types of the events that were appended, with their streams. */
  get appended(): readonly string[] {
    return this.#events.filter(({ type }) => !type.startsWith('$')).map(({ type, stream }) => `${type} ${stream}`)
  }

  /** As when its disk is restored from a copy of before: of ours only so many are there, and what came after them is gone. */
  restoreTo(count: number): void {
    const ours = this.#events.filter(({ type }) => !type.startsWith('$'))
    const first = ours[count]
    if (first === undefined) return
    this.#events.splice(this.#events.indexOf(first))
    this.#followers.clear()
  }

  /** As a stream that is truncated: one of its events is gone from between the others. */
  lose(stream: string, revision: number): void {
    const at = this.#events.findIndex((event) => event.stream === stream && event.revision === revision)
    this.#events.splice(at, 1)
  }

  /** As when another one answers on the address. */
  becomes(other: EventStoreServer): void {
    this.#events.splice(0, this.#events.length, ...other.#events)
    this.#followers.clear()
  }

  get uri(): string {
    return `esdb://127.0.0.1:${this.#port}?tls=false`
  }

  async start(): Promise<void> {
    if (this.#events.length === 0) this.#add({ stream: '$scavenges', revision: 0, type: '$metadata' })
    const server = new grpc.Server()
    server.addService(StreamsService, {
      read: (call: Reading) => this.#guarded(call, () => this.#read(call)),
      append: (call: Appending, answer: grpc.sendUnaryData<StreamsPb.AppendResp>) => this.#append(call, answer),
      delete: unimplemented,
      tombstone: unimplemented,
      batchAppend: unimplemented,
    })
    this.#port = await new Promise<number>((resolve, reject) => {
      const bound = (error: Error | null, port: number): void => (error ? reject(error) : resolve(port))
      server.bindAsync(`127.0.0.1:${this.#port}`, grpc.ServerCredentials.createInsecure(), bound)
    })
    this.#server = server
  }

  /** As a kill does: connections break. */
  stop(): void {
    this.#server?.forceShutdown()
    this.#server = undefined
    this.#followers.clear()
  }

  #add(event: Partial<Stored> & Pick<Stored, 'stream' | 'revision' | 'type'>): void {
    const position = (this.#events.at(-1)?.position ?? 0) + 137 + event.type.length
    const none = new Uint8Array()
    const id = '00000000-0000-4000-8000-000000000000'
    this.#events.push({ id, contentType: 'application/json', data: none, metadata: none, ...event, position })
  }

  #guarded(call: Reading, work: () => void): void {
    if (this.refusals-- > 0) call.emit('error', unavailable())
    else work()
  }

  #append(call: Appending, answer: grpc.sendUnaryData<StreamsPb.AppendResp>): void {
    const requests: StreamsPb.AppendReq[] = []
    call.on('data', (request: StreamsPb.AppendReq) => requests.push(request))
    call.on('end', () => {
      if (this.refusals-- > 0) answer(unavailable())
      else answer(null, this.#appendAll(requests))
    })
  }

  #appendAll([header, ...messages]: readonly StreamsPb.AppendReq[]): StreamsPb.AppendResp {
    const options = header!.getOptions()!
    const stream = textOf(options.getStreamIdentifier()!.getStreamName())
    const current = this.#events.filter((event) => event.stream === stream).length - 1
    const expected = options.hasNoStream() ? -1 : Number(options.getRevision())
    const response = new streams.AppendResp()
    if (expected !== current) {
      const wrong = new streams.AppendResp.WrongExpectedVersion()
      if (current < 0) wrong.setCurrentNoStream(new shared.Empty())
      else wrong.setCurrentRevision(String(current))
      if (expected < 0) wrong.setExpectedNoStream(new shared.Empty())
      else wrong.setExpectedRevision(String(expected))
      response.setWrongExpectedVersion(wrong)
      return response
    }
    let revision = current
    for (const message of messages) this.#accept(stream, ++revision, message.getProposedMessage()!)
    const success = new streams.AppendResp.Success()
    success.setCurrentRevision(String(revision))
    response.setSuccess(success)
    for (const wake of this.#followers) wake()
    return response
  }

  #accept(stream: string, revision: number, message: StreamsPb.AppendReq.ProposedMessage): void {
    const metadata = message.getMetadataMap()
    const type = metadata.get('type')!
    const contentType = metadata.get('content-type')!
    const id = message.getId()!.getString()
    const [data, custom] = [message.getData_asU8(), message.getCustomMetadata_asU8()]
    this.#add({ stream, revision, id, type, contentType, data, metadata: custom })
    // The real one writes events of its own in between.
    if (this.#events.length % 3 === 0) this.#add({ stream: '$stats', revision: 0, type: '$statsCollected' })
  }

  #read(call: Reading): void {
    const options = call.request.getOptions()!
    if (options.hasStream()) this.#readStream(call, options.getStream()!)
    else if (options.hasSubscription()) this.#subscribe(call, options)
    else this.#readAll(call, options)
  }

  #readStream(call: Reading, options: StreamsPb.ReadReq.Options.StreamOptions): void {
    const stream = textOf(options.getStreamIdentifier()!.getStreamName())
    const all = this.#events.filter((event) => event.stream === stream)
    const from = options.hasRevision() ? Number(options.getRevision()) : 0
    if (all.length === 0) {
      const missing = new streams.ReadResp.StreamNotFound()
      missing.setStreamIdentifier(options.getStreamIdentifier())
      const response = new streams.ReadResp()
      response.setStreamNotFound(missing)
      call.write(response)
    }
    for (const event of all.slice(from)) call.write(responseOf(event))
    call.end()
  }

  /** From a position on, which is among them, as the real one does; ours and its own. */
  #readAll(call: Reading, options: StreamsPb.ReadReq.Options): void {
    const all = options.getAll()!
    const from = all.hasPosition() ? Number(all.getPosition()!.getCommitPosition()) : 0
    if (from > 0 && !this.#events.some(({ position }) => position === from)) {
      call.emit('error', Object.assign(new Error('InvalidPosition'), { code: grpc.status.INTERNAL }))
      return
    }
    const backwards = options.getReadDirection() === streams.ReadReq.Options.ReadDirection.BACKWARDS
    const chosen = this.#events.filter(({ position }) => (backwards && from > 0 ? position <= from : position >= from))
    const wanted = (backwards ? chosen.reverse() : chosen).slice(0, Number(options.getCount()))
    for (const event of wanted) call.write(responseOf(event))
    call.end()
  }

  /** Behind a position, without the server's own where the filter says so. */
  #subscribe(call: Reading, options: StreamsPb.ReadReq.Options): void {
    const all = options.getAll()!
    let position = all.hasPosition() ? Number(all.getPosition()!.getCommitPosition()) : 0
    const confirmation = new streams.ReadResp.SubscriptionConfirmation()
    confirmation.setSubscriptionId('1')
    const confirmed = new streams.ReadResp()
    confirmed.setConfirmation(confirmation)
    call.write(confirmed)
    const send = (): void => {
      for (const event of this.#events.filter((each) => each.position > position)) {
        position = event.position
        if (!options.hasFilter() || !event.type.startsWith('$')) call.write(responseOf(event))
      }
    }
    send()
    this.#followers.add(send)
    call.on('cancelled', () => {
      this.#followers.delete(send)
      call.end()
    })
  }
}

function responseOf(stored: Stored): StreamsPb.ReadResp {
  const uuid = new shared.UUID()
  uuid.setString(stored.id)
  const identifier = new shared.StreamIdentifier()
  identifier.setStreamName(Buffer.from(stored.stream).toString('base64'))
  const recorded = new streams.ReadResp.ReadEvent.RecordedEvent()
  recorded.setId(uuid)
  recorded.setStreamIdentifier(identifier)
  recorded.setStreamRevision(String(stored.revision))
  recorded.setCommitPosition(String(stored.position))
  recorded.setPreparePosition(String(stored.position))
  recorded.getMetadataMap().set('type', stored.type)
  recorded.getMetadataMap().set('content-type', stored.contentType)
  recorded.getMetadataMap().set('created', '16000000000000000')
  recorded.setData(stored.data)
  recorded.setCustomMetadata(stored.metadata)
  const event = new streams.ReadResp.ReadEvent()
  event.setEvent(recorded)
  event.setCommitPosition(String(stored.position))
  const response = new streams.ReadResp()
  response.setEvent(event)
  return response
}

function textOf(name: Uint8Array | string): string {
  return Buffer.from(name as string, typeof name === 'string' ? 'base64' : undefined).toString()
}

function unavailable(): grpc.ServiceError {
  const error = new Error('going away')
  return Object.assign(error, { code: grpc.status.UNAVAILABLE, details: 'going away', metadata: new grpc.Metadata() })
}

function unimplemented(_call: unknown, answer?: (error: object) => void): void {
  answer?.({ code: grpc.status.UNIMPLEMENTED, details: 'not here' })
}
