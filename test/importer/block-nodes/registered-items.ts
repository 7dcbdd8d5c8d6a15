import { encode, type Message } from '#src/simulator/codec.ts'
import { type TestItem, testItem } from '#test/support/record-writer.ts'

/** Status, publishing and streams: what a node has to serve that everybody may ask. */
const servingApis = [1, 2, 3]

export interface RegisteredEndpoint {
  readonly port: number
  readonly domainName?: string
  readonly apis?: readonly number[]
  readonly tls?: boolean
}

/** The registration of a node with block nodes on this machine, unless they have a name. */
export function nodeCreated(time: bigint, id: number, endpoints: readonly RegisteredEndpoint[]): TestItem {
  const body = { description: `node ${id}`, serviceEndpoint: endpoints.map(endpointMessage) }
  const receipt = Buffer.from(encode('proto.TransactionReceipt', { registeredNodeId: id }))
  return testItem(
    time,
    78,
    bytesOf('com.hedera.hapi.node.addressbook.RegisteredNodeCreateTransactionBody', body),
    receipt,
  )
}

export function nodeUpdated(time: bigint, id: number, endpoints: readonly RegisteredEndpoint[]): TestItem {
  const body = { registeredNodeId: id, serviceEndpoint: endpoints.map(endpointMessage) }
  return testItem(time, 79, bytesOf('com.hedera.hapi.node.addressbook.RegisteredNodeUpdateTransactionBody', body))
}

export function nodeDeleted(time: bigint, id: number): TestItem {
  return testItem(
    time,
    80,
    bytesOf('com.hedera.hapi.node.addressbook.RegisteredNodeDeleteTransactionBody', { registeredNodeId: id }),
  )
}

function endpointMessage({ port, domainName, apis = servingApis, tls = false }: RegisteredEndpoint): Message {
  const address = domainName === undefined ? { ipAddress: Buffer.of(127, 0, 0, 1) } : { domainName }
  return { ...address, port, requiresTls: tls, blockNode: { endpointApi: apis } }
}

function bytesOf(name: string, message: Message): Buffer {
  return Buffer.from(encode(name, message))
}
