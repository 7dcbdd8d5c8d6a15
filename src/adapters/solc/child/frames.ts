/** What a compiler's process says: a byte of these, four of a length, and so many bytes of text. */
export const frameKind = {
  /** The compiler is loaded; the text is its version. */
  ready: 1,
  output: 2,
  /** It threw; the text says what. */
  failed: 3,
  /** The output is larger than allowed; the text is its size. */
  tooLarge: 4,
  /** The file is another one; the text is its sha256. */
  damaged: 5,
} as const

export const frameHeaderBytes = 5
