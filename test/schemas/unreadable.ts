/** As much of JSON schema as the schemas of decisions use. */
export interface DecisionSchema {
  readonly type?: string
  readonly enum?: readonly string[]
  readonly pattern?: string
  readonly minimum?: number
  readonly anyOf?: readonly DecisionSchema[]
  readonly items?: DecisionSchema
  readonly properties?: Readonly<Record<string, DecisionSchema>>
  readonly patternProperties?: Readonly<Record<string, DecisionSchema>>
  readonly required?: readonly string[]
}

/** Why a schema does not take all that an older one took; undefined where it does. */
export function unreadable(now: DecisionSchema, before: DecisionSchema, at = ''): string | undefined {
  if (before.anyOf) return first(before.anyOf, (each) => unreadable(now, each, at))
  if (now.anyOf) {
    const reasons = now.anyOf.map((each) => unreadable(each, before, at))
    return reasons.includes(undefined) ? undefined : reasons[0]
  }
  if (now.type !== before.type) return `${at} was ${before.type} and is ${now.type}`
  if (now.pattern !== undefined && now.pattern !== before.pattern) return `${at} has another pattern`
  if (now.minimum !== undefined && now.minimum > (before.minimum ?? Number.NEGATIVE_INFINITY))
    return `${at} has a greater minimum`
  const lacking = now.enum && (before.enum ?? ['anything']).find((word) => !now.enum!.includes(word))
  if (lacking !== undefined) return `${at} does not take ${lacking} any more`
  if (now.items && before.items) return unreadable(now.items, before.items, `${at}[]`)
  const values = Object.values(now.patternProperties ?? {})
  const oldValues = Object.values(before.patternProperties ?? {})
  if (values.length > 0) return unreadable(values[0]!, oldValues[0] ?? {}, `${at}{}`)
  return unreadableFields(now, before, at)
}

function unreadableFields(now: DecisionSchema, before: DecisionSchema, at: string): string | undefined {
  const added = now.required?.find((name) => !before.required?.includes(name))
  if (added !== undefined) return `${at}/${added} is required now`
  return first(Object.entries(before.properties ?? {}), ([name, old]) => {
    const own = now.properties?.[name]
    return own === undefined ? `${at}/${name} is gone` : unreadable(own, old, `${at}/${name}`)
  })
}

function first<T>(all: readonly T[], reason: (each: T) => string | undefined): string | undefined {
  for (const each of all) {
    const found = reason(each)
    if (found !== undefined) return found
  }
  return undefined
}
