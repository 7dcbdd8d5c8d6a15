import { readFileSync } from 'node:fs'
import protobuf from 'protobufjs'

/** A protobuf message as a plain object with camelCase field names; absent fields are absent, int64 values numbers. */
export type Message = { [field: string]: unknown }

const descriptorPath = new URL('../../schemas/protobuf/descriptor.json', import.meta.url)
const typesByName = new Map<string, protobuf.Type>()
let loadedRoot: protobuf.Root | undefined

/** Encodes one message of the network's definitions; `name` is its full name, such as `proto.TransactionBody`. */
export function encode(name: string, message: Message): Uint8Array {
  return messageType(name).encode(message).finish()
}

export function messageType(name: string): protobuf.Type {
  const known = typesByName.get(name)
  if (known) return known
  const type = root().lookupType(name)
  typesByName.set(name, type)
  return type
}

function root(): protobuf.Root {
  loadedRoot ??= protobuf.Root.fromJSON(JSON.parse(readFileSync(descriptorPath, 'utf8')) as protobuf.INamespace)
  return loadedRoot
}
