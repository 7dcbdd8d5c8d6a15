/** The part of a readable stream that is used here: the client's own type of one does not fit the platform's. */
export interface Arriving {
  on(event: 'error', listener: (error: unknown) => void): unknown
  on(event: 'end' | 'close' | 'readable', listener: () => void): unknown
  off(event: 'end' | 'close' | 'readable', listener: () => void): unknown
  read(): unknown
  readonly readableLength: number
}

/**
 * What a stream has at hand, up to so many at once; waits where it has nothing. Nothing is taken from the stream, nor by it
 * from the server, while the reader is busy. Ends with the stream or the signal; rejects when the stream fails.
 */
export async function* arriving<T>(
  stream: Arriving,
  countMax: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<T[]> {
  let failure: { readonly error: unknown } | undefined
  let ended = false
  let wake = (): void => undefined
  const onError = (error: unknown): void => {
    failure ??= { error }
    wake()
  }
  const onEnd = (): void => {
    ended = true
    wake()
  }
  const onReadable = (): void => wake()
  stream.on('error', onError)
  stream.on('end', onEnd)
  stream.on('close', onEnd)
  stream.on('readable', onReadable)
  signal?.addEventListener('abort', onReadable)
  try {
    while (!signal?.aborted) {
      const batch = taken<T>(stream, countMax)
      if (batch.length > 0) yield batch
      else if (failure) throw failure.error
      else if (ended) return
      else
        await new Promise<void>((resolve) => {
          wake = resolve
          if (failure || ended || signal?.aborted || stream.readableLength > 0) resolve()
        })
    }
  } finally {
    signal?.removeEventListener('abort', onReadable)
    // What fails after this has nobody who minds.
    stream.off('end', onEnd)
    stream.off('close', onEnd)
    stream.off('readable', onReadable)
  }
}

function taken<T>(stream: Arriving, countMax: number): T[] {
  const batch: T[] = []
  while (batch.length < countMax) {
    const next = stream.read() as T | null
    if (next === null) break
    batch.push(next)
  }
  return batch
}
