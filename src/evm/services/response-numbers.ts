import { responseCodeNames } from '#src/domain/response-codes.ts'

const numbers: ReadonlyMap<string, bigint> = new Map(
  Object.entries(responseCodeNames).map(([number, name]) => [name, BigInt(number)]),
)

export const success = 22n

/** The number of a response of the network. */
export function numberOfResponse(name: string): bigint {
  const number = numbers.get(name)
  if (number === undefined) throw new Error(`${name} is no response of the network`)
  return number
}
