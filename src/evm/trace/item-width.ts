/**
 * How many bytes of a stack item the network's traces show. Its EVM keeps items as wide as the operation made them, and traces
 * show them so: a comparison that fails leaves no byte, sums as many as a signed number takes.
 */
export function itemWidth(code: number, value: bigint, operands: readonly bigint[]): number {
  if (code >= firstPush && code <= lastPush) return code - firstPush
  const fixed = fixedWidths.get(code)
  if (fixed !== undefined) return fixed
  if (truths.has(code)) return value === 0n ? 0 : 1
  const [a = 0n, b = 0n, c = 0n] = operands
  switch (code) {
    case op.add:
      return a + b > maxWord ? wordBytes : signedWidth(value)
    case op.sub:
      return a < b ? wordBytes : signedWidth(value)
    case op.mul:
      return a * b > maxWord ? wordBytes : signedWidth(value)
    case op.div:
    case op.sdiv:
    case op.mod:
    case op.smod:
      return b === 0n ? 0 : signedWidth(value)
    case op.addmod:
    case op.mulmod:
      return c === 0n ? 0 : signedWidth(value)
    case op.exp:
      return signedWidth(value)
    case op.shl:
    case op.shr:
      return a >= wordBits ? 0 : wordBytes
    case op.sar:
      return a >= wordBits && value === 0n ? 0 : wordBytes
    case op.create:
    case op.create2:
      return value === 0n ? 0 : wordBytes
    default:
      return wordBytes
  }
}

const op = {
  add: 0x01,
  mul: 0x02,
  sub: 0x03,
  div: 0x04,
  sdiv: 0x05,
  mod: 0x06,
  smod: 0x07,
  addmod: 0x08,
  mulmod: 0x09,
  exp: 0x0a,
  shl: 0x1b,
  shr: 0x1c,
  sar: 0x1d,
  create: 0xf0,
  create2: 0xf5,
} as const

/** PUSH0, which pushes no byte. */
const firstPush = 0x5f
const lastPush = 0x7f
const wordBytes = 32
const wordBits = 256n
const bitsPerByte = 8
const maxWord = 2n ** wordBits - 1n
const addressBytes = 20
const intBytes = 4
const longBytes = 8

/** Of what says yes or no: comparisons, and calls. */
const truths: ReadonlySet<number> = new Set([0x10, 0x11, 0x12, 0x13, 0x15, 0xf1, 0xf2, 0xf4, 0xfa])

const fixedWidths: ReadonlyMap<number, number> = new Map([
  // ADDRESS, ORIGIN, CALLER, COINBASE
  ...[0x30, 0x32, 0x33, 0x41].map((code) => [code, addressBytes] as const),
  // CALLDATASIZE, CODESIZE, EXTCODESIZE, PC
  ...[0x36, 0x38, 0x3b, 0x58].map((code) => [code, intBytes] as const),
  // RETURNDATASIZE, TIMESTAMP, NUMBER, GASLIMIT, MSIZE, GAS
  ...[0x3d, 0x42, 0x43, 0x45, 0x59, 0x5a].map((code) => [code, longBytes] as const),
])

/** Bytes that a number takes with its sign. */
function signedWidth(value: bigint): number {
  const bits = value === 0n ? 0 : value.toString(2).length
  return Math.min(wordBytes, Math.floor(bits / bitsPerByte) + 1)
}
