import { readFileSync } from 'node:fs'
import protobuf from 'protobufjs'

const descriptorFile = new URL('../../schemas/protobuf/descriptor.json', import.meta.url)

/** The ledger's message types as protobufjs sees them; a new copy with every call. */
export function loadDescriptor(): protobuf.Root {
  const root = protobuf.Root.fromJSON(JSON.parse(readFileSync(descriptorFile, 'utf8')) as protobuf.INamespace)
  root.resolveAll()
  return root
}
