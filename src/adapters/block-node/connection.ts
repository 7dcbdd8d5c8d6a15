import type { Channel, ChannelOptions } from '@grpc/grpc-js'
import { PulledCall } from '#src/adapters/block-node/call.ts'
import { filterMessages, guardConnections } from '#src/adapters/block-node/grpc-internals.ts'
import { MessageFilter } from '#src/adapters/block-node/message-filter.ts'
import type { BlockNodeOptions } from '#src/adapters/block-node/options.ts'
import { Sockets } from '#src/adapters/block-node/sockets.ts'
import type { BlockNodeEndpoint } from '#src/ports/block-node.ts'

export type Grpc = typeof import('@grpc/grpc-js')

const firstReconnectMs = 250
const reconnectMsMax = 5_000
const idleMs = 60_000
const requestBytesMax = 1024

/** A connection to an endpoint, opened with the first call and again after a loss. */
export class Connection {
  readonly #grpc: Grpc
  readonly #endpoint: BlockNodeEndpoint
  readonly #options: BlockNodeOptions
  #open: { readonly channel: Channel; readonly sockets: Sockets } | undefined
  #calls = 0
  #misbehaved = false
  #closed = false

  constructor(grpc: Grpc, endpoint: BlockNodeEndpoint, options: BlockNodeOptions) {
    this.#grpc = grpc
    this.#endpoint = endpoint
    this.#options = options
  }

  begin(path: string, request: Buffer): PulledCall {
    if (this.#closed) throw new Error('the node was closed')
    this.#open ??= this.#connect()
    const call = this.#open.channel.createCall(path, Number.POSITIVE_INFINITY, undefined, null, undefined)
    this.#calls++
    return new PulledCall(call, new this.#grpc.Metadata(), request)
  }

  end(call: PulledCall): void {
    call.cancel()
    this.#calls--
    if (this.#misbehaved) this.#drop()
  }

  /** Is not used for further calls once the present ones have ended. */
  misbehaved(): void {
    this.#misbehaved = true
    this.#drop()
  }

  close(): void {
    this.#closed = true
    this.#disconnect()
  }

  /** An attempt at a connection goes on: it ends with its own time. */
  #drop(): void {
    const { READY } = this.#grpc.connectivityState
    if (this.#calls > 0) return
    this.#misbehaved = false
    if (this.#open?.channel.getConnectivityState(false) === READY) this.#disconnect()
  }

  #disconnect(): void {
    const open = this.#open
    this.#open = undefined
    open?.channel.close()
    open?.sockets.close()
  }

  #connect() {
    const { host, port, tls } = this.#endpoint
    const { credentials, Channel } = this.#grpc
    const { rootCertificates, connectTimeoutMs, messageBytesMax } = this.#options
    const target = `dns:${host.includes(':') ? `[${host}]` : host}:${port}`
    const security = tls ? credentials.createSsl(rootCertificates ?? null) : credentials.createInsecure()
    const channel = new Channel(target, security, this.#channelOptions())
    const sockets = new Sockets(connectTimeoutMs)
    filterMessages(channel, () => new MessageFilter(messageBytesMax))
    guardConnections(channel, sockets)
    return { channel, sockets }
  }

  #channelOptions(): ChannelOptions {
    const { messageBytesMax, windowBytes, keepaliveMs } = this.#options
    return {
      'grpc.max_receive_message_length': messageBytesMax,
      'grpc.max_send_message_length': requestBytesMax,
      'grpc-node.flow_control_window': windowBytes,
      'grpc.keepalive_time_ms': keepaliveMs,
      'grpc.keepalive_timeout_ms': keepaliveMs / 3,
      'grpc.keepalive_permit_without_calls': 0,
      'grpc.initial_reconnect_backoff_ms': firstReconnectMs,
      'grpc.max_reconnect_backoff_ms': reconnectMsMax,
      'grpc.dns_min_time_between_resolutions_ms': reconnectMsMax,
      'grpc.client_idle_timeout_ms': idleMs,
      // Whoever asks decides what is tried again, and which settings a name's records may bring: none.
      'grpc.enable_retries': 0,
      'grpc.service_config_disable_resolution': 1,
      'grpc.use_local_subchannel_pool': 1,
      'grpc.enable_http_proxy': 0,
      'grpc.enable_channelz': 0,
    }
  }
}
