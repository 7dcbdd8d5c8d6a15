import { int64, objectSchema, text } from '#queries/common/object-schema.ts'

export const supplySchema = objectSchema(
  {
    released_supply: { ...text, description: 'tinybar' },
    timestamp: { ...text, description: 'Last change of what is not released' },
    total_supply: { ...text, description: 'tinybar' },
  },
  { title: 'Supply' },
)

export const balanceSchema = objectSchema(
  {
    account: text,
    balance: { ...int64, nullable: true, description: 'tinybar' },
    tokens: { type: 'array', items: { type: 'object', properties: { token_id: text, balance: int64 } } },
  },
  { title: 'Balance' },
)

/** Of lists of balances. */
export const balancesTimeSchema = {
  timestamp: { ...text, nullable: true, description: 'Newest change of a balance that the answer reflects' },
}

export const historySchema = objectSchema(
  {
    account: text,
    balances: {
      type: 'array',
      items: objectSchema(
        {
          balance: {
            ...int64,
            nullable: true,
            description: 'tinybar, or smallest units; null when unknown, or while the account may not hold the token',
          },
          timestamp: text,
        },
        { title: 'BalancePoint' },
      ),
    },
    every_change: {
      type: 'boolean',
      description:
        'true: what it was when the window begins, and every change in it; false: those are too many, and this is what it was at instants in equal distances',
    },
    token_id: { ...text, nullable: true, description: 'null: hbar' },
  },
  { title: 'BalanceHistory' },
)

/** null where what was stated later contradicts what was counted. */
const count = { ...int64, nullable: true }

export const accountCountSchema = objectSchema(
  {
    accounts: { ...count, description: 'Accounts and contracts whose balance is known, deleted ones as well' },
    holders: { ...count, description: 'Those of them that hold hbar' },
    timestamp: { ...text, description: 'Of when this is' },
  },
  { title: 'AccountCount' },
)

export const holderCountSchema = objectSchema(
  {
    holders: { ...count, description: 'Accounts that may hold the token and hold more than nothing of it' },
    timestamp: { ...text, description: 'Of when this is' },
    token_id: text,
  },
  { title: 'HolderCount' },
)
