import { later, pageOf } from '#projections/status/page-rows.ts'
import { type StatusSchema, statusSchema } from '#projections/status/schema.ts'
import { shownInstant } from '#projections/status/shown.ts'
import { type StatusEventType, statusEventTypes } from '#schemas/decisions/status-event-types.ts'
import { defineProjection, type Handler } from '#src/runtime/fold/projection.ts'

const fields = ['at', 'stream', 'revision', 'digest'] as const

/** Every event changes the page: notes when, and by which. */
const noting: Handler<StatusSchema, StatusEventType, (typeof fields)[number]> = {
  reads: fields,
  apply: ({ at, stream, revision, digest }, rows, { sequence }) => {
    const page = pageOf(rows)
    const head = { position: BigInt(sequence), headStream: stream, headRevision: revision, headDigest: digest }
    rows.put('pages', { ...page, ...head, updated: later(page.updated, shownInstant(at)) })
  },
}

/** What the page was made from last. */
export const pageHead = statusEventTypes.reduce(
  (projection, type) => projection.on(type, noting),
  defineProjection(statusSchema),
)
