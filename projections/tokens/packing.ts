const gramBytes = 3

/** The sequences of three bytes in a text, whatever the case of its letters, each once. A shorter text has none. */
export function gramsOf(text: string): number[] {
  const bytes = Buffer.from(text.toLowerCase())
  const grams = new Set<number>()
  for (let at = 0; at + gramBytes <= bytes.length; at++) grams.add(bytes.readUIntBE(at, gramBytes))
  return [...grams]
}
