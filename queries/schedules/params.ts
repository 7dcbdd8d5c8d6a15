import { entityIdParameter, parsePrefixedNumber } from '#queries/common/entity-id-parameter.ts'
import { limitParameter, orderParameter, Refusal } from '#queries/common/parameters.ts'
import type { PathParameter } from '#queries/common/path-parameters.ts'

export const scheduleParameters = {
  'account.id': entityIdParameter('account.id', 'Only schedules of these creators; all values apply.'),
  limit: limitParameter(),
  order: orderParameter('asc'),
  'schedule.id': entityIdParameter('schedule.id', 'Only schedules with these ids; all values apply.'),
}

export const schedulePath = {
  scheduleid: {
    description: 'Schedule: a number, realm.number or shard.realm.number',
    schema: { type: 'string', pattern: '^(\\d{1,4}\\.)?(\\d{1,5}\\.)?\\d{1,12}$' },
    parse: (text, settings) => {
      const id = parsePrefixedNumber(text, settings)
      return id instanceof Refusal ? undefined : id
    },
  } satisfies PathParameter<bigint>,
}
