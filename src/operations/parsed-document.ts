/** Members of a document that another version of the code may have written: what is no JSON has none. */
export function membersOf<D extends object>(text: string): Partial<D> {
  try {
    return JSON.parse(text) ?? {}
  } catch {
    // Callers look for the members that they need, and say what it means that these are missing.
    return {}
  }
}
