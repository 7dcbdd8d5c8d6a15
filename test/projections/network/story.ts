import { bytesField, textField, varintField } from '#test/support/protobuf-writer.ts'

/** A serialized address book: node n has the account 0.0.(n + 3), and endpoints in no order. */
export function book(...nodeIds: readonly number[]): Buffer {
  return Buffer.concat(
    nodeIds.map((nodeId) =>
      bytesField(
        1,
        textField(4, 'abcd'),
        varintField(5, nodeId),
        bytesField(6, varintField(3, nodeId + 3)),
        textField(7, '0xfeed'),
        textField(9, `node ${nodeId}`),
        endpoint([10, 0, 0, 2], 50_211),
        endpoint([10, 0, 0, 1], 50_212),
        endpoint([10, 0, 0, 1], 50_211),
      ),
    ),
  )
}

function endpoint(address: readonly number[], port: number): Buffer {
  return bytesField(8, bytesField(1, Buffer.from(address)), varintField(2, port))
}
