import { nextBoundLink } from '#queries/common/bound-links.ts'
import { notFound } from '#queries/common/errors.ts'
import { findAccount } from '#queries/common/find-entity.ts'
import { listBody } from '#queries/common/list-body.ts'
import { lastValue } from '#queries/common/parameters.ts'
import type { PathValues } from '#queries/common/path-parameters.ts'
import type { Answer, QueryRequest } from '#queries/common/route.ts'
import { defineRoute } from '#queries/common/route.ts'
import { hookListSchema, storageSchema } from '#queries/hooks/body-schema.ts'
import { findHooks } from '#queries/hooks/find-hooks.ts'
import { findStorage } from '#queries/hooks/find-storage.ts'
import {
  hookParameters,
  keyColumn,
  ownerPath,
  pageDefault,
  storageParameters,
  storagePath,
} from '#queries/hooks/params.ts'
import { type HookContext, hookReads } from '#queries/hooks/reads.ts'
import { renderHook, renderSlot } from '#queries/hooks/render.ts'
import { formatEntityId } from '#src/domain/entity-id.ts'

const ofAccount = {
  tag: 'accounts',
  family: 'B',
  maxAge: 1,
  statuses: { 404: 'There is no account with this alias or EVM address' },
} as const

const hookListRoute = defineRoute({
  path: '/accounts/:ownerId/hooks',
  pathParameters: ownerPath,
  summary: 'List the hooks of an account',
  ...ofAccount,
  parameters: hookParameters,
  body: hookListSchema,
  answers: [{ reads: hookReads, answer: answerHooks }],
})

async function answerHooks(
  { path, query, filters, params }: QueryRequest<typeof hookParameters, typeof ownerPath>,
  context: HookContext,
): Promise<Answer> {
  const owner = await ownerOf(params, context)
  const hooks = await findHooks(owner, filters, context)
  const last = hooks.at(-1)
  const full = last !== undefined && hooks.length >= (lastValue(filters.limit) ?? pageDefault)
  const order = lastValue(filters.order) ?? 'desc'
  const columns = last ? [{ name: 'hook.id', last: last.hookId.toString() }] : []
  const next = full ? nextBoundLink({ path, query, order, columns }) : null
  const rendered = hooks.map((hook) => renderHook(hook, owner))
  return { body: listBody('hooks', rendered, next), next }
}

const storageRoute = defineRoute({
  path: '/accounts/:ownerId/hooks/:hookId/storage',
  pathParameters: storagePath,
  summary: 'List the storage slots of a hook, now or at a time',
  ...ofAccount,
  parameters: storageParameters,
  body: storageSchema,
  answers: [{ reads: hookReads, answer: answerStorage }],
})

async function answerStorage(
  { path, query, filters, params }: QueryRequest<typeof storageParameters, typeof storagePath>,
  context: HookContext,
): Promise<Answer> {
  const { hookId } = params
  const owner = await ownerOf(params, context)
  const slots = await findStorage({ owner, hookId }, filters, context)
  const last = slots.at(-1)
  const full = last !== undefined && slots.length >= (lastValue(filters.limit) ?? pageDefault)
  const order = lastValue(filters.order) ?? 'asc'
  const next = full ? nextBoundLink({ path, query, order, columns: [keyColumn(last.key)] }) : null
  const page = listBody('storage', slots.map(renderSlot), next)
  return { body: `{"hook_id":${hookId},"owner_id":"${formatEntityId(owner)}",${page.slice(1)}`, next }
}

async function ownerOf({ ownerId }: PathValues<typeof ownerPath>, context: HookContext): Promise<bigint> {
  const owner = await findAccount(context.rows.hooks, ownerId, context.checkpoint)
  if (owner === undefined) throw notFound('No account found for the given ID')
  return owner
}

export const hookRoutes = [hookListRoute, storageRoute]
