import { linksSchema, objectSchema } from '#queries/common/object-schema.ts'

const text = { type: 'string' }
const amount = { type: 'integer', format: 'int64' }

export const supplySchema = objectSchema(
  {
    released_supply: { ...text, description: 'tinybar' },
    timestamp: { ...text, description: 'Last change of what is not released' },
    total_supply: { ...text, description: 'tinybar' },
  },
  { title: 'Supply' },
)

export const balanceListSchema = objectSchema(
  {
    timestamp: { ...text, nullable: true, description: 'Newest change of a balance that the answer reflects' },
    balances: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          account: text,
          balance: { ...amount, nullable: true, description: 'tinybar' },
          tokens: { type: 'array', items: { type: 'object', properties: { token_id: text, balance: amount } } },
        },
      },
    },
    links: linksSchema,
  },
  { title: 'BalanceList' },
)
