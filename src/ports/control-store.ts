/** A small document with the number of times that it was written. */
export interface ControlDocument {
  readonly name: string
  /** 1 for the first version, one more with every replacement. */
  readonly revision: number
  /** JSON. */
  readonly text: string
}

/**
 * A few small documents, replaced as a whole, that the processes of one deployment steer and watch each other by: which
 * read models serve, what is paused, who runs. Each replacement is a compare-and-set that survives a kill at any instant
 * once it has resolved, and that every later read in any process sees. Rejects with `store_unavailable` when the engine
 * cannot be asked.
 */
export interface ControlStore {
  get(name: string): Promise<ControlDocument | undefined>
  /** Documents whose name begins so, in the order of their names. */
  list(prefix: string): Promise<readonly ControlDocument[]>
  /**
   * Replaces the document if its revision is still `revision`, or creates it where `revision` is 0. Resolves to false, with
   * nothing changed, when another process was faster.
   */
  put(name: string, text: string, revision: number): Promise<boolean>
  /** Removes the document whatever its revision; without effect where there is none. */
  remove(name: string): Promise<void>
  close(): Promise<void>
}
