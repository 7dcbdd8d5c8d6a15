import { allOperators, type Parameter, parseInteger } from '#queries/common/parameters.ts'
import { maxInt64 } from '#src/domain/ledger-time.ts'

/** The current balance of an account in tinybars. */
export const accountBalanceParameter: Parameter<bigint> = {
  name: 'account.balance',
  description: 'Only accounts whose balance in tinybars compares so.',
  schema: { type: 'string', pattern: '^((eq|gte?|lte?|ne):)?\\d{1,19}$' },
  example: 'gte:100000000',
  operators: allOperators,
  repeatable: true,
  parse: (text) => parseInteger(text, 0n, maxInt64),
}

const keyForm = /^(?:0x)?([0-9a-fA-F]{64}|[0-9a-fA-F]{66}|[0-9a-fA-F]{88})$/

/** A public key as lower-case hex digits; of one wrapped as DER (88 digits) only the key itself. The last of several counts. */
export function publicKeyParameter(name: 'account.publickey' | 'publickey', description: string): Parameter<string> {
  return {
    name,
    description,
    schema: { type: 'string', pattern: '^(eq:)?(0x)?([0-9a-fA-F]{64}|[0-9a-fA-F]{66}|[0-9a-fA-F]{88})$' },
    operators: allOperators,
    repeatable: false,
    parse: (text) => {
      const digits = keyForm.exec(text)?.[1]?.toLowerCase()
      return digits?.length === 88 ? digits.slice(-64) : digits
    },
  }
}
