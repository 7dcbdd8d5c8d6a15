/**
 * The two 32-bit halves of a 64-bit integer and the integer itself on one memory: write one, read the other. Composing
 * bigints this way costs a fraction of shifting and adding them. Only for use within one synchronous function.
 */
export const words = new Uint32Array(2)
export const whole = new BigInt64Array(words.buffer)

const littleEndian = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1

/** Index of each half in `words`. */
export const lowWord = littleEndian ? 0 : 1
export const highWord = littleEndian ? 1 : 0
