import { addAbortSignal, type Readable } from 'node:stream'

/** Reads a body to its end, but never beyond the limit, whatever length was announced, nor beyond the signal. */
export async function readBody(body: Readable, bytesMax: number, signal: AbortSignal): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  // Leaving the loop in any way destroys the stream, and with it the connection that nobody reads any more.
  for await (const chunk of addAbortSignal(signal, body) as AsyncIterable<Uint8Array>) {
    size += chunk.length
    if (size > bytesMax) throw tooLarge(`at least ${size}`, bytesMax)
    chunks.push(chunk)
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, size)
}

export function tooLarge(size: string, bytesMax: number): Error {
  return new Error(`it has ${size} bytes, more than the limit of ${bytesMax}`)
}
