/**
 * Keccak-256 as the EVM uses it (padding byte 0x01, unlike SHA3-256), which node:crypto does not offer. Lanes are kept
 * as pairs of 32-bit halves: low word at even, high word at odd indexes.
 */
const rateBytes = 136
const roundConstants = makeRoundConstants()
const rotations = [1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 2, 14, 27, 41, 56, 8, 25, 43, 62, 18, 39, 61, 20, 44]
const lanes = [10, 7, 11, 17, 18, 3, 5, 16, 8, 21, 24, 4, 15, 23, 19, 13, 12, 2, 20, 14, 22, 9, 6, 1]

export function keccak256(data: Uint8Array): Buffer {
  const state = new Int32Array(50)
  const padded = Buffer.alloc(Math.ceil((data.length + 1) / rateBytes) * rateBytes)
  padded.set(data)
  padded[data.length] = 1
  padded[padded.length - 1] = (padded[padded.length - 1] ?? 0) | 0x80
  for (let offset = 0; offset < padded.length; offset += rateBytes) {
    for (let word = 0; word < rateBytes / 4; word++) {
      state[word] = (state[word] ?? 0) ^ padded.readInt32LE(offset + word * 4)
    }
    permute(state)
  }
  const digest = Buffer.alloc(32)
  for (let word = 0; word < 8; word++) digest.writeInt32LE(state[word] ?? 0, word * 4)
  return digest
}

function permute(state: Int32Array): void {
  const column = new Int32Array(10)
  for (let round = 0; round < 24; round++) {
    mixColumns(state, column)
    rotateLanes(state)
    combineRows(state, column)
    state[0] = word(state, 0) ^ word(roundConstants, round * 2)
    state[1] = word(state, 1) ^ word(roundConstants, round * 2 + 1)
  }
}

function mixColumns(state: Int32Array, column: Int32Array): void {
  for (let x = 0; x < 10; x++) {
    column[x] = word(state, x) ^ word(state, x + 10) ^ word(state, x + 20) ^ word(state, x + 30) ^ word(state, x + 40)
  }
  for (let x = 0; x < 5; x++) {
    const left = ((x + 4) % 5) * 2
    const right = ((x + 1) % 5) * 2
    const low = word(column, left) ^ (word(column, right) << 1) ^ (word(column, right + 1) >>> 31)
    const high = word(column, left + 1) ^ (word(column, right + 1) << 1) ^ (word(column, right) >>> 31)
    for (let y = 0; y < 50; y += 10) {
      state[y + x * 2] = word(state, y + x * 2) ^ low
      state[y + x * 2 + 1] = word(state, y + x * 2 + 1) ^ high
    }
  }
}

function rotateLanes(state: Int32Array): void {
  let low = word(state, 2)
  let high = word(state, 3)
  for (let step = 0; step < 24; step++) {
    const lane = (lanes[step] ?? 0) * 2
    const bits = rotations[step] ?? 0
    const nextLow = word(state, lane)
    const nextHigh = word(state, lane + 1)
    const [from, to] = bits < 32 ? [low, high] : [high, low]
    const by = bits % 32
    state[lane] = by === 0 ? from : (from << by) | (to >>> (32 - by))
    state[lane + 1] = by === 0 ? to : (to << by) | (from >>> (32 - by))
    low = nextLow
    high = nextHigh
  }
}

function combineRows(state: Int32Array, row: Int32Array): void {
  for (let y = 0; y < 50; y += 10) {
    for (let x = 0; x < 10; x++) row[x] = word(state, y + x)
    for (let x = 0; x < 10; x++) state[y + x] = word(row, x) ^ (~word(row, (x + 2) % 10) & word(row, (x + 4) % 10))
  }
}

function word(words: Int32Array, index: number): number {
  return words[index] as number
}

/** The constants come from a linear feedback shift register; computing them is shorter than listing them. */
function makeRoundConstants(): Int32Array {
  const constants = new Int32Array(48)
  let register = 1
  for (let round = 0; round < 24; round++) {
    for (let step = 0; step < 7; step++) {
      const bit = (1 << step) - 1
      if (register & 1) {
        const half = round * 2 + (bit >= 32 ? 1 : 0)
        constants[half] = word(constants, half) ^ (1 << (bit % 32))
      }
      register = register & 0x80 ? ((register << 1) ^ 0x171) & 0xff : register << 1
    }
  }
  return constants
}
