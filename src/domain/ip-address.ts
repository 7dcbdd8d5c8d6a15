/** Four bytes with dots, sixteen as eight groups of hex digits; empty when there are none. */
export function ipText(bytes: Uint8Array): string {
  if (bytes.length !== 16) return bytes.join('.')
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return Array.from({ length: 8 }, (_, group) => view.getUint16(group * 2).toString(16)).join(':')
}
