import { createHash } from 'node:crypto'
import { fastify } from 'fastify'
import { expect, it } from 'vitest'
import {
  addStatusCommands,
  commandCountsLength,
  statusCommandPath,
  statusDraftsPath,
} from '#src/http/status-commands.ts'
import { silentLogger } from '#src/ports/logger.ts'
import { DeskFixture } from '#test/commands/status/desk-fixture.ts'

const hash = (token: string): string => createHash('sha256').update(token).digest('hex')

function writingSide(commandsPerMinuteMax = 100, counts = new Uint32Array(commandCountsLength(2))) {
  const fixture = new DeskFixture()
  const app = fastify()
  app.setValidatorCompiler(() => () => true)
  const tokens = [
    { name: 'alice', role: 'operator', sha256: hash('secret') },
    { name: 'probe', role: 'automation', sha256: hash('other') },
  ] as const
  const clock = { now: () => fixture.time }
  addStatusCommands(app, { desk: fixture.desk, tokens, commandsPerMinuteMax, counts, clock, logger: silentLogger })
  const send = async (payload: string | object, token = 'secret', type = 'application/json') => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': type }
    const { statusCode, body } = await app.inject({ method: 'POST', url: statusCommandPath, headers, payload })
    return { status: statusCode, body: JSON.parse(body) }
  }
  return { fixture, app, send }
}

const open = { type: 'OpenIncident', name: '<script>alert(1)</script>', command_id: 'c-1' }

it('carries out a command of somebody with a token, tells what it led to, and writes down who it was', async () => {
  const { fixture, send } = writingSide()
  const { status, body } = await send(open)
  expect([status, body.events]).toEqual([200, [{ type: 'IncidentOpened', stream: `incident-${body.id}`, revision: 0 }]])
  expect((await send(open)).body).toEqual(body)
  expect(await fixture.all()).toMatchObject([
    { metadata: { actor: 'alice', actor_role: 'operator', command_id: 'c-1' } },
  ])
})

it.each([
  ['an unknown token', open, 'wrong', 401, 'invalid_credentials'],
  ['malformed JSON', '{"type":', 'secret', 400, 'command_invalid'],
  ['no object', '[]', 'secret', 400, 'command_invalid'],
  ['an unknown command', { type: 'Explode' }, 'secret', 400, 'command_invalid'],
  ['an unknown field', { ...open, colour: 'red' }, 'secret', 400, 'command_invalid'],
  ['a wrong type', { ...open, name: 7 }, 'secret', 400, 'command_invalid'],
  ['a text of 100 kB', { ...open, body: 'x'.repeat(100_000) }, 'secret', 400, 'command_invalid'],
  ['a text of a megabyte', { ...open, body: 'x'.repeat(1_000_000) }, 'secret', 413, 'command_too_large'],
  ['a blank name', { ...open, name: ' ' }, 'secret', 422, 'name_required'],
  ['nothing there', { type: 'ResolveIncident', incident_id: 'inc0lag00001' }, 'secret', 404, 'incident_not_found'],
  [
    'what is for automation',
    {
      type: 'RecordComponentHealth',
      id: 'cmp0restread',
      status: 'operational',
      evidence: {
        metric: 'x',
        value: 1,
        reason: 'level',
        since: '2026-01-01T00:00:00.000Z',
        checked_at: null,
        position: null,
        caused_by: null,
      },
    },
    'secret',
    403,
    'not_permitted',
  ],
])('refuses %s with a named error, and appends nothing', async (_what, payload, token, status, code) => {
  const { fixture, send } = writingSide()
  const answer = await send(payload, token)
  expect([answer.status, answer.body.error.code]).toEqual([status, code])
  expect(await fixture.all()).toEqual([])
})

it('lists drafts for those who have a token, and for nobody else', async () => {
  const { fixture, app } = writingSide()
  await fixture.do('CreateComponent', { id: 'cmp000000001', name: 'Reads' })
  const evidence = {
    metric: 'http_error_ratio',
    value: 0.2,
    reason: 'level',
    since: '2026-02-03T14:05:00.000Z',
    checked_at: null,
    position: null,
    caused_by: null,
  } as const
  const health = { id: 'cmp000000001', status: 'partial_outage', evidence } as const
  await fixture.do('RecordComponentHealth', health, { role: 'automation' })
  const ask = async (authorization: string) => {
    const { statusCode, body, headers } = await app.inject({ url: statusDraftsPath, headers: { authorization } })
    return [statusCode, JSON.parse(body), headers['cache-control']]
  }
  const command = { type: 'OpenIncident', name: 'Reads works in part only' }
  expect(await ask('Bearer secret')).toMatchObject([200, { drafts: [{ command }] }, 'no-store'])
  expect(await ask('Bearer wrong')).toMatchObject([401, { error: { code: 'invalid_credentials' } }, undefined])
})

it('takes so many commands of one token within a minute, and says when to come again', async () => {
  const { fixture, send } = writingSide(2)
  const statuses = []
  for (let index = 0; index < 3; index++) statuses.push((await send({ type: 'OpenIncident', name: 'x' })).status)
  expect(statuses).toEqual([200, 200, 429])
  expect((await send({ type: 'Explode' }, 'other')).status).toBe(400)
  fixture.time += 60_000
  expect((await send({ type: 'OpenIncident', name: 'x' })).status).toBe(200)
})

it('takes no more of a token where several threads take them', async () => {
  const counts = new Uint32Array(commandCountsLength(2))
  const [one, other] = [writingSide(2, counts), writingSide(2, counts)]
  const statuses = []
  for (const { send } of [one, other, one, other])
    statuses.push((await send({ type: 'OpenIncident', name: 'x' })).status)
  expect(statuses).toEqual([200, 200, 429, 429])
})
