import { readFileSync } from 'node:fs'
import protobuf from 'protobufjs'

/** A protobuf message as a plain object with camelCase field names; absent fields are absent, int64 values numbers. */
export type Message = { [field: string]: unknown }

const folder = new URL('../../schemas/protobuf/', import.meta.url)
/** What record files are made of is all that most networks write. */
const recordDescriptor = 'descriptor.json'
const blockDescriptor = 'block-descriptor.json'
const blockPackages = ['com.hedera.hapi.block.', 'org.hiero.block.']
const typesByName = new Map<string, protobuf.Type>()
const roots = new Map<string, protobuf.Root>()

/** Encodes one message of the network's definitions; `name` is its full name, such as `proto.TransactionBody`. */
export function encode(name: string, message: Message): Uint8Array {
  return messageType(name).encode(message).finish()
}

export function messageType(name: string): protobuf.Type {
  const known = typesByName.get(name)
  if (known) return known
  const isOfBlocks = blockPackages.some((beginning) => name.startsWith(beginning))
  const type = rootOf(isOfBlocks ? blockDescriptor : recordDescriptor).lookupType(name)
  typesByName.set(name, type)
  return type
}

function rootOf(file: string): protobuf.Root {
  const loaded = roots.get(file)
  if (loaded) return loaded
  const root = protobuf.Root.fromJSON(JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as protobuf.INamespace)
  roots.set(file, root)
  return root
}
