import { balancesSchema } from '#projections/balances/schema.ts'
import { findTotalBalance } from '#queries/balances/find-unreleased.ts'
import { supplyObject, totalSupply } from '#queries/balances/render.ts'
import { invalidParameters, notFound } from '#queries/common/errors.ts'
import { lastValue } from '#queries/common/parameters.ts'
import { choiceParameterOfB, timestampParameterOfB } from '#queries/common/parameters-of-b.ts'
import { lastWindow } from '#queries/common/range.ts'
import { type Answer, defineRoute } from '#queries/common/route.ts'

const parameters = {
  q: choiceParameterOfB('q', ['totalcoins', 'circulating'], 'Answer with one amount in hbar as plain text.'),
  timestamp: timestampParameterOfB(),
}
const reads = { balances: balancesSchema }

const tinybarsPerHbar = 100_000_000n
const nothingFound = 'Network supply not found'

export const supplyRoute = defineRoute({
  path: '/network/supply',
  summary: 'Get the supply of hbar and how much of it is released',
  tag: 'network',
  dialect: 'B',
  parameters,
  maxAge: 60,
  body: supplyObject.schema,
  plainText: 'The amount that `q` asks for, in hbar with eight decimals',
  statuses: { 404: 'No balance of these times is known' },
  reads,
  answer: async ({ filters }, { rows, checkpoint, settings }) => {
    const { lower, upper, hasUpper } = lastWindow(filters.timestamp)
    if (hasUpper && lower > upper) throw invalidParameters(['Invalid range provided for timestamp'])
    // As established clients know it, nothing is found without an end.
    if (!hasUpper && filters.timestamp.length > 0) throw notFound(nothingFound)
    const at = { checkpoint, time: hasUpper ? upper : undefined }
    const unreleased = await findTotalBalance(rows.balances, settings.unreleasedAccounts, at)
    if (unreleased === undefined || unreleased.timestamp < lower) throw notFound(nothingFound)
    const asked = lastValue(filters.q)
    if (asked !== undefined) return textAnswer(asked === 'totalcoins' ? totalSupply : totalSupply - unreleased.balance)
    return { body: supplyObject.render(unreleased) }
  },
})

/** An amount in hbar with all its decimals. */
function textAnswer(tinybars: bigint): Answer {
  const fraction = (tinybars % tinybarsPerHbar).toString().padStart(8, '0')
  return { body: `${tinybars / tinybarsPerHbar}.${fraction}`, type: 'text/plain;charset=UTF-8' }
}
