import type { RowOf } from '#src/ports/read-store.ts'
import { defineSchema } from '#src/runtime/schema/define-schema.ts'

/**
 * Version 2 of the status read model: the status page as it is now, and what its history is told from. Instants are ISO 8601
 * in UTC with milliseconds, so that their order is that of the texts. Unlike version 1 it keeps texts as HTML as well, has orders in
 * which everything can be read piece by piece, and knows the event that it was made from last.
 */
export const statusSchema = defineSchema({
  name: 'status',
  version: 2,
  orderedBy: 'position',
  collections: {
    /** One row, in slot 0. */
    pages: {
      kind: 'state',
      fields: {
        slot: 'int32',
        /** null until the page is configured. */
        id: 'text?',
        name: 'text?',
        url: 'text?',
        timeZone: 'text',
        maintenanceIndicator: 'text',
        incidentFloor: 'int32',
        groupUptime: 'text',
        /** Newest change of anything on the page. */
        updated: 'text',
        /** Position of the event that changed something last: the same before and after a read of several rows, it was one state. */
        position: 'int64',
        /** The same event by its place in its stream, and its digest: whether decisions were lost since. null: there was none. */
        headStream: 'text?',
        headRevision: 'int32?',
        headDigest: 'text?',
      },
      key: ['slot'],
    },
    /** Order of what stands beside each other: of a group by its id, of the page's own entries by an empty text. */
    parents: {
      kind: 'state',
      fields: {
        id: 'text',
        /** JSON: ids of the components in order. */
        children: 'text',
      },
      key: ['id'],
    },
    components: {
      kind: 'state',
      fields: {
        id: 'text',
        name: 'text',
        description: 'text?',
        showcase: 'int32',
        /** Calendar day from which on uptime counts. */
        startDate: 'text?',
        /** The instant when that day began in the page's zone of the time. */
        startAt: 'text?',
        onlyIfDegraded: 'int32',
        isGroup: 'int32',
        groupId: 'text?',
        position: 'int32',
        created: 'text',
        updated: 'text',
        /** What shows: of all sources, or of a group's components. */
        status: 'text',
        /** Packed sources of the status: `packing.ts`. */
        sources: 'text',
        /** JSON: what health rules measured when they last changed the level. */
        evidence: 'text?',
        removed: 'int32',
      },
      key: ['id'],
      // Those that are there are read without those that were.
      indexes: [['removed', 'id']],
    },
    /** Incidents and maintenances. */
    incidents: {
      kind: 'state',
      fields: {
        id: 'text',
        /** `incident` or `maintenance`. */
        kind: 'text',
        /** Of incidents `open` or `past`, of maintenances `upcoming`, `active` or `past`. */
        phase: 'text',
        /** What its lists are sorted by: the opening, or the planned start. */
        sortsBy: 'text',
        name: 'text',
        status: 'text',
        impact: 'text',
        /** Impact by the worst that its components had. */
        worstImpact: 'text',
        /** What an operator says instead. */
        impactOverride: 'text?',
        created: 'text',
        updated: 'text',
        monitoring: 'text?',
        resolved: 'text?',
        scheduledFor: 'text?',
        scheduledUntil: 'text?',
        /** Packed components that it concerns or concerned: `packing.ts`. */
        components: 'text',
        updates: 'int32',
        /** 1: opened by a program, not by a person. */
        automatic: 'int32',
      },
      key: ['id'],
      indexes: [['kind', 'sortsBy'], ['kind', 'phase', 'sortsBy'], ['sortsBy', 'id'], ['updated']],
    },
    updates: {
      kind: 'state',
      fields: {
        incident: 'text',
        id: 'text',
        /** From 1, in the order written. */
        number: 'int32',
        status: 'text',
        /** As it was typed. */
        body: 'text',
        /** The same as a part of a page. */
        html: 'text',
        created: 'text',
        updated: 'text',
        displayAt: 'text',
        /** JSON, in the form of the API; null where no component was concerned. */
        affected: 'text?',
        deliver: 'int32',
        automatic: 'int32',
      },
      key: ['incident', 'id'],
      indexes: [['incident', 'displayAt', 'number']],
    },
    /** Times at which one source said that a component was not operational. */
    spans: {
      kind: 'facts',
      untimed: 'the read model is ordered by position',
      fields: {
        component: 'text',
        until: 'text',
        from: 'text',
        /** `manual`, `incident`, `maintenance` or `health`. */
        source: 'text',
        /** Of the incident or maintenance; empty for others. */
        sourceId: 'text',
        status: 'text',
        /** 1: a maintenance during which what health rules say does not count. */
        masks: 'int32',
      },
      key: ['component', 'until', 'from', 'source', 'sourceId'],
    },
  },
})

export type StatusSchema = typeof statusSchema
export type PageRow = RowOf<StatusSchema, 'pages'>
export type ComponentRow = RowOf<StatusSchema, 'components'>
export type IncidentRow = RowOf<StatusSchema, 'incidents'>
export type UpdateRow = RowOf<StatusSchema, 'updates'>
export type SpanRow = RowOf<StatusSchema, 'spans'>

/** The one page. */
export const pageSlot = 0
/** Parent of what stands in no group. */
export const topParent = ''

/** What a page that nobody configured says of itself. */
export const unconfiguredPage: PageRow = {
  slot: pageSlot,
  id: null,
  name: null,
  url: null,
  timeZone: 'Etc/UTC',
  maintenanceIndicator: 'maintenance',
  incidentFloor: 0,
  groupUptime: 'all_up',
  updated: '1970-01-01T00:00:00.000Z',
  position: 0n,
  headStream: null,
  headRevision: null,
  headDigest: null,
}
