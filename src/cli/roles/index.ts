import type { Role, RoleName } from '#src/cli/roles/role.ts'

/** What runs on a thread of `start` or in the process of a verb. Loaded on demand: a thread needs only its own role. */
export const loadRole: Readonly<Record<RoleName, () => Promise<Role>>> = {
  simulate: async () => (await import('#src/cli/roles/simulate.ts')).simulate,
  import: async () => (await import('#src/cli/roles/import.ts')).importBlocks,
  project: async () => (await import('#src/cli/roles/project.ts')).project,
  serve: async () => (await import('#src/cli/roles/serve.ts')).serve,
}
