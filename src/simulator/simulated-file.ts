/** A file of a simulated network. */
export interface SimulatedFile {
  /** Relative to the root of the bucket. */
  readonly path: string
  readonly bytes: Uint8Array
}
