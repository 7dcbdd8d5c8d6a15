import type { Registry } from 'prom-client'
import type { DataFolder } from '#src/cli/data-folder.ts'
import type { Config } from '#src/config/schema.ts'
import type { ServingCounts } from '#src/http/serving-counts.ts'
import type { ImporterSettings } from '#src/importer/settings.ts'
import type { Logger } from '#src/ports/logger.ts'
import type { HeapLimits } from '#src/runtime/process/threads.ts'
import type { MetricsSnapshot } from '#src/runtime/watch/metrics.ts'
import type { ImportStatus, ProjectionStatus } from '#src/runtime/watch/status.ts'

export type RoleName = 'simulate' | 'import' | 'project' | 'serve'

/**
 * Bounds of heaps. All threads run within half a GiB together, the projector's two on two cores: each holds one block or batch at a
 * time, and its caches have budgets of their own, so they do not grow with the ledger. From a larger bound of the old generation
 * V8 takes that it may grow by more between two collections, which the projector pays for by far less of them.
 */
export const roleHeaps: Readonly<Record<RoleName, HeapLimits>> = {
  simulate: { youngMiB: 24, oldMiB: 192 },
  import: { youngMiB: 12, oldMiB: 256 },
  project: { youngMiB: 24, oldMiB: 768 },
  serve: { youngMiB: 48, oldMiB: 256 },
}

/** A block whose events are made takes up to some two and a half times its bytes. */
const heapOfBlock = 4

/** The same, with room for the largest block where blocks may be imported. */
export function heapsFor(stream: ImporterSettings['stream'], blockMaxMiB: number): typeof roleHeaps {
  const { youngMiB, oldMiB } = roleHeaps.import
  if (stream === 'records') return roleHeaps
  return { ...roleHeaps, import: { youngMiB, oldMiB: Math.max(oldMiB, heapOfBlock * blockMaxMiB) } }
}

/** It does its work now; `url` is where the API answers. */
export interface ReadyReport {
  readonly kind: 'ready'
  readonly role: RoleName
  readonly url?: string
}

/** What a role tells whoever runs it. */
export type RoleReport =
  | ReadyReport
  | { readonly kind: 'import'; readonly status: ImportStatus }
  | { readonly kind: 'projections'; readonly projections: readonly ProjectionStatus[] }

/** Of several threads of a process that answer requests on one address, one. */
export interface ServingShare {
  /** From 1. The first does what one of them has to do. */
  readonly thread: number
  readonly threads: number
  readonly counts: ServingCounts
}

/** What can be said in a message to a thread. */
export interface RoleSettings {
  readonly config: Config
  readonly folder: DataFolder
  /** Names of the projections to run; all unless given. */
  readonly only?: readonly string[]
  /** All of a deployment runs in this process, so the status page is about what is known here. */
  readonly isWhole?: boolean
  /** Another lane keeps the other projections in the same process. */
  readonly isOneOfSeveral?: boolean
  /** Other threads of the same process answer requests on the same address. */
  readonly share?: ServingShare
}

/** What a role works with, on a thread of its own or in the process of its verb. */
export interface RoleContext extends RoleSettings {
  readonly logger: Logger
  readonly registry: Registry
  /** Stop at once, leaving the stores whole. */
  readonly signal: AbortSignal
  /** Do what is there to do, then end. */
  readonly finish: AbortSignal
  report(report: RoleReport): void
  /** Newest metrics of the other roles in this process, by role. */
  readonly otherMetrics: ReadonlyMap<string, MetricsSnapshot>
  /** Tells the other threads of this process at once; absent where there are none. */
  tellMetrics?(snapshot: MetricsSnapshot): void
}

export type Role = (context: RoleContext) => Promise<void>
