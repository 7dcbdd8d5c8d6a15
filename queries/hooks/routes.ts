import { notFound } from '#queries/common/errors.ts'
import { findAccount } from '#queries/common/find-entity.ts'
import { defineListRoute } from '#queries/common/list-route.ts'
import { int64, text } from '#queries/common/object-schema.ts'
import type { PathValues } from '#queries/common/path-parameters.ts'
import { findHooks } from '#queries/hooks/find-hooks.ts'
import { findStorage } from '#queries/hooks/find-storage.ts'
import { hookParameters, ownerPath, storageParameters, storagePath } from '#queries/hooks/params.ts'
import { type HookContext, hookReads } from '#queries/hooks/reads.ts'
import { hookObject, slotObject } from '#queries/hooks/render.ts'
import { formatEntityId } from '#src/domain/entity-id.ts'
import { numberOfWord } from '#src/domain/evm-words.ts'

const ofAccount = {
  tag: 'accounts',
  dialect: 'B',
  maxAge: 1,
  statuses: { 404: 'There is no account with this alias or EVM address' },
  reads: hookReads,
} as const

const hookListRoute = defineListRoute({
  path: '/accounts/:ownerId/hooks',
  pathParameters: ownerPath,
  summary: 'List the hooks of an account',
  ...ofAccount,
  parameters: hookParameters,
  item: hookObject.schema,
  list: 'hooks',
  find: async (request, context) => findHooks(await ownerOf(request.params, context), request, context),
  render: hookObject.render,
  position: ({ hookId }) => ({ 'hook.id': hookId }),
})

const storageRoute = defineListRoute({
  path: '/accounts/:ownerId/hooks/:hookId/storage',
  pathParameters: storagePath,
  summary: 'List the storage slots of a hook, now or at a time',
  ...ofAccount,
  parameters: storageParameters,
  item: slotObject.schema,
  title: 'HookStorage',
  members: { hook_id: int64, owner_id: text },
  list: 'storage',
  find: async (request, context) => {
    const { hookId } = request.params
    const owner = await ownerOf(request.params, context)
    return {
      rows: await findStorage({ owner, hookId }, request, context),
      head: `"hook_id":${hookId},"owner_id":"${formatEntityId(owner)}"`,
    }
  },
  render: slotObject.render,
  position: ({ key }) => ({ key: numberOfWord(key) }),
})

async function ownerOf({ ownerId }: PathValues<typeof ownerPath>, context: HookContext): Promise<bigint> {
  const owner = await findAccount(context.rows.hooks, ownerId)
  if (owner === undefined) throw notFound('No account found for the given ID')
  return owner
}

export const hookRoutes = [hookListRoute, storageRoute]
