const charactersMax = 200
/** Control characters, escapes, marks that turn the direction of text, halves of characters, and ends of lines. */
const unprintable = /[\p{C}\p{Zl}\p{Zp}]/gu
const unprintableInLines = /(?![\n\t])[\p{C}\p{Zl}\p{Zp}]/gu

/** A text of somebody else, fit for a log and a terminal: at most 200 characters, each of them visible or a space. */
export function printableText(text: string): string {
  // Cut first, as a text may be long; what is cut within a character is replaced.
  const shortened = text.length > charactersMax ? `${text.slice(0, charactersMax - 1)}…` : text
  return shortened.replace(unprintable, '\u{fffd}')
}

/** A text in which somebody else's may be, such as a stack: of any length, with its ends of lines. */
export function printableLines(text: string): string {
  return text.replace(unprintableInLines, '\u{fffd}')
}
