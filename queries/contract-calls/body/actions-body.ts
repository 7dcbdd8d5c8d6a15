import { invalidParameters } from '#queries/common/errors.ts'
import type { Payload } from '#queries/common/payload.ts'
import {
  bodyBytesMax,
  type CallBody,
  callBodyProperties,
  readCallBody,
} from '#queries/contract-calls/body/call-body.ts'
import { Complaints, parseMembers, textOf, truthOf } from '#queries/contract-calls/body/members.ts'

/** A call whose calls are to be told. */
export interface ActionsBody {
  readonly call: CallBody
  readonly onlyTopCall: boolean
  /** undefined waits as long as for other calls. */
  readonly timeoutMs: number | undefined
}

export function actionsPayload(gasMax: bigint): Payload<ActionsBody> {
  return {
    types: ['application/json'],
    description: 'The call to be run',
    schema: {
      type: 'object',
      properties: {
        ...callBodyProperties,
        only_top_call: {
          type: 'boolean',
          nullable: true,
          default: false,
          description: 'Without the calls that it makes',
        },
        timeout: { type: 'string', nullable: true, description: 'How long it may take, as 500ms, 5s or PT5S' },
      },
    },
    bytesMax: bodyBytesMax,
    parse: (bytes) => {
      const members = parseMembers(bytes)
      if (truthOf(members, 'estimate')) throw invalidParameters(['estimate is not supported for action trace calls'])
      const [complaints, timeoutMs] = [new Complaints(), readTimeout(textOf(members, 'timeout'))]
      const read = readCallBody(members, complaints, gasMax)
      complaints.assertNone()
      return { call: read(), onlyTopCall: truthOf(members, 'only_top_call'), timeoutMs }
    },
  }
}

const unitsMs: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000 }

/** Milliseconds of a text such as 5s, 500ms, 1m or PT1M30S; a number alone is of milliseconds. */
function readTimeout(text: string | undefined): number | undefined {
  if (text === undefined || text.trim() === '') return undefined
  const simple = /^(\d{1,9})(ms|s|m)?$/i.exec(text.trim())
  const iso = /^PT(?:(\d{1,6})M)?(?:(\d{1,6}(?:\.\d{1,3})?)S)?$/i.exec(text.trim())
  const ms = simple
    ? Number(simple[1]) * unitsMs[simple[2]?.toLowerCase() ?? 'ms']!
    : Math.round(Number(iso?.[1] ?? 0) * 60_000 + Number(iso?.[2] ?? 0) * 1_000)
  if (ms <= 0) throw invalidParameters([`Invalid timeout: ${text}`])
  return ms
}
