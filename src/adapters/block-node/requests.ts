const service = (name: string) => `/org.hiero.block.api.${name}`

export const paths = {
  status: `${service('BlockNodeService')}/serverStatus`,
  statusDetail: `${service('BlockNodeService')}/serverStatusDetail`,
  subscribe: `${service('BlockStreamSubscribeService')}/subscribeBlockStream`,
  getBlock: `${service('BlockAccessService')}/getBlock`,
} as const

/** Stands for no number where a number is meant. */
export const allOnes = 2n ** 64n - 1n

export const statusRequest = Buffer.alloc(0)

/** A SubscribeStreamRequest; an end of all ones stands for none. */
export function subscribeRequest(from: bigint, through: bigint | undefined): Buffer {
  return Buffer.concat([unsignedField(1, from), unsignedField(2, through ?? allOnes)])
}

/** A BlockRequest. */
export function blockRequest(number: bigint): Buffer {
  return unsignedField(1, number)
}

function unsignedField(field: number, value: bigint): Buffer {
  const bytes = [field << 3]
  let rest = value
  for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80)
  return Buffer.from([...bytes, Number(rest)])
}
