import { createHash } from 'node:crypto'
import { fastify } from 'fastify'
import { expect, it } from 'vitest'
import type { StatusToken } from '#src/http/settings.ts'
import {
  addStatusCommands,
  commandCountsLength,
  statusCommandPath,
  statusDraftsPath,
} from '#src/http/status-commands.ts'
import { silentLogger } from '#src/ports/logger.ts'
import { ServiceFixture } from '#test/commands/status/service-fixture.ts'

const hash = (token: string): string => createHash('sha256').update(token).digest('hex')

const known = [
  { name: 'alice', role: 'operator', sha256: hash('secret') },
  { name: 'probe', role: 'automation', sha256: hash('other') },
] as const

function writingSide(
  commandsPerMinuteMax = 100,
  counts = new Uint32Array(commandCountsLength),
  tokens: () => readonly StatusToken[] = () => known,
) {
  const fixture = new ServiceFixture()
  const app = fastify()
  app.setValidatorCompiler(() => () => true)
  const clock = { now: () => fixture.time }
  addStatusCommands(app, {
    service: fixture.service,
    tokens,
    commandsPerMinuteMax,
    counts,
    clock,
    logger: silentLogger,
  })
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
  ['an id of the rules', { ...open, command_id: 'health/cmp0restread/after/1' }, 'secret', 422, 'command_id_reserved'],
  ['an id of the clock', { ...open, command_id: 'clock/start/mnt000000001/x' }, 'other', 422, 'command_id_reserved'],
  ['an id of the setup', { ...open, command_id: 'default/page/' }, 'secret', 422, 'command_id_reserved'],
  ['setting up the page by a program', { type: 'ConfigurePage', name: 'Mine' }, 'other', 403, 'not_permitted'],
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
  const command = { type: 'OpenIncident', name: 'Reads: partial outage' }
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
  const counts = new Uint32Array(commandCountsLength)
  const [one, other] = [writingSide(2, counts), writingSide(2, counts)]
  const statuses = []
  for (const { send } of [one, other, one, other])
    statuses.push((await send({ type: 'OpenIncident', name: 'x' })).status)
  expect(statuses).toEqual([200, 200, 429, 429])
})

it('takes a token until it expires, and no longer than it is known', async () => {
  let tokens: readonly StatusToken[] = [{ ...known[0], expires: '2026-02-03T14:06:00.000Z' }, known[1]]
  const { fixture, send } = writingSide(100, undefined, () => tokens)
  expect((await send({ type: 'OpenIncident', name: 'x' })).status).toBe(200)
  fixture.at('2026-02-03T14:06:00.000Z')
  const expired = { status: 401, body: { error: { code: 'invalid_credentials', message: 'This token has expired' } } }
  expect(await send({ type: 'OpenIncident', name: 'x' })).toEqual(expired)
  expect((await send({ type: 'OpenIncident', name: 'x' }, 'other')).status).toBe(200)
  tokens = []
  expect((await send({ type: 'OpenIncident', name: 'x' }, 'other')).status).toBe(401)
  tokens = [{ ...known[0], sha256: hash('new') }]
  expect((await send({ type: 'OpenIncident', name: 'x' })).status).toBe(401)
  expect((await send({ type: 'OpenIncident', name: 'x' }, 'new')).status).toBe(200)
})

it('takes as long to compare with the first of many tokens as with the last, or with none', async () => {
  const many = Array.from({ length: 5_000 }, (_, index): StatusToken => {
    return { name: `name-${index}`, role: 'operator', sha256: hash(`token ${index}`.replace(' ', '-')) }
  })
  const { send } = writingSide(1_000_000, undefined, () => many)
  const timeOf = async (token: string): Promise<number> => {
    const times: number[] = []
    for (let count = 0; count < 15; count++) {
      const started = performance.now()
      await send({ type: 'Explode' }, token)
      times.push(performance.now() - started)
    }
    return times.sort((a, b) => a - b)[7]!
  }
  await timeOf('token-0')
  const [first, last, none] = [await timeOf('token-0'), await timeOf('token-4999'), await timeOf('nobody')]
  // Whoever stopped at the first match would take a hundredth of the time.
  expect(Math.min(first, last, none)).toBeGreaterThan(Math.max(first, last, none) / 3)
})
