import { int64, objectSchema, text } from '#queries/common/object-schema.ts'

const allowanceFields = {
  amount: { ...int64, description: 'What is left of it' },
  amount_granted: int64,
  owner: text,
  spender: text,
  timestamp: objectSchema({
    from: { ...text, description: 'When it was granted' },
    to: { ...text, nullable: true },
  }),
}

export const hbarAllowanceSchema = objectSchema(allowanceFields, { title: 'HbarAllowance' })
export const tokenAllowanceSchema = objectSchema({ ...allowanceFields, token_id: text }, { title: 'TokenAllowance' })
