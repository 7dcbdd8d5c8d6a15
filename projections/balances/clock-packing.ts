/** The only row of the clock. */
export const clockKey = 0

/** The newest packed time at or before a time. */
export function timeAt(times: Uint8Array, time: bigint): bigint | undefined {
  const view = viewOf(times)
  for (let offset = times.length - 8; offset >= 0; offset -= 8) {
    const noted = view.getBigInt64(offset)
    if (noted <= time) return noted
  }
  return undefined
}

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
