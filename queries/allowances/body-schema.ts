import { linksSchema, objectSchema } from '#queries/common/object-schema.ts'

const text = { type: 'string' }
const amount = { type: 'integer', format: 'int64' }

const allowanceFields = {
  amount: { ...amount, description: 'What is left of it' },
  amount_granted: amount,
  owner: text,
  spender: text,
  timestamp: objectSchema({
    from: { ...text, description: 'When it was granted' },
    to: { ...text, nullable: true },
  }),
}

const hbarAllowanceSchema = objectSchema(allowanceFields, { title: 'HbarAllowance' })
const tokenAllowanceSchema = objectSchema({ ...allowanceFields, token_id: text }, { title: 'TokenAllowance' })

export const hbarAllowancesSchema = objectSchema(
  { allowances: { type: 'array', items: hbarAllowanceSchema }, links: linksSchema },
  { title: 'HbarAllowanceList' },
)

export const tokenAllowancesSchema = objectSchema(
  { allowances: { type: 'array', items: tokenAllowanceSchema }, links: linksSchema },
  { title: 'TokenAllowanceList' },
)
