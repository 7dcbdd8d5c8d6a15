/**
 * The bytes with room for more behind them. What is given stays as it is, and is the beginning of what is returned: both
 * show the same memory, as long as there is room in it. Only the newest of a line may be given, since the room is used once.
 */
export function appended(bytes: Uint8Array, bytesMax: number, more: number): Uint8Array {
  const length = bytes.length + more
  const { buffer } = bytes
  // Only what was made here has room behind it.
  if (rooms.has(buffer)) return new Uint8Array(buffer, 0, length)
  const room = new ArrayBuffer(bytesMax)
  rooms.add(room)
  const grown = new Uint8Array(room, 0, length)
  grown.set(bytes)
  return grown
}

const rooms = new WeakSet<ArrayBufferLike>()
