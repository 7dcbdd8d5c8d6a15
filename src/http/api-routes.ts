import type { FastifyInstance } from 'fastify'
import { dialectOf } from '#queries/common/dialects.ts'
import type { ApiRoute } from '#queries/common/route.ts'
import { LedgerError } from '#src/domain/errors.ts'
import { type ApiRouteOptions, addApiRoute, addressOf } from '#src/http/api-route.ts'
import { sendError } from '#src/http/errors.ts'
import { boundLargeBodies } from '#src/http/large-bodies.ts'
import { LastAnswers } from '#src/http/last-answers.ts'
import { noResource, splitUrl } from '#src/http/route-request.ts'
import type { Logger } from '#src/ports/logger.ts'

export type ApiRoutesOptions = Omit<ApiRouteOptions, 'last'>

/** OPTIONS is answered before a route is asked, but in the way of its dialect. */
const otherMethods = ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** Serves every route; what a route takes as body reaches it as bytes, whatever its type. */
export function addApiRoutes(app: FastifyInstance, routes: readonly ApiRoute[], given: ApiRoutesOptions): void {
  const options: ApiRouteOptions = { ...given, last: new LastAnswers() }
  for (const route of routes.filter(({ payload }) => payload === undefined)) addApiRoute(app, route, options)
  app.register(async (scope) => {
    scope.addHook('onRequest', boundLargeBodies(options.settings.largeBodiesAtOnceMax))
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    for (const route of routes.filter(({ payload }) => payload !== undefined)) addApiRoute(scope, route, options)
  })
  const addressesOfB = routes.filter(({ dialect }) => dialectOf(dialect).name === 'B').map(addressOf)
  for (const address of new Set(addressesOfB)) {
    refuseOtherMethods(app, address, routes, options.logger)
    refuseNothingNamed(app, address, routes)
  }
}

/** Dialect B has words of its own for a path that ends before it names what its last parameter asks for. */
function refuseNothingNamed(app: FastifyInstance, address: string, routes: readonly ApiRoute[]): void {
  const [, parent] = /^(.+)\/:\w+$/.exec(address) ?? []
  if (parent === undefined || routes.some((route) => addressOf(route) === parent)) return
  app.get(parent, { schema: { hide: true }, config: { dialect: dialectOf('B') } }, async ({ url }) => {
    throw noResource(splitUrl(url).path)
  })
}

/** Dialect B knows a path by any method: those that it does not serve are refused, before a body is read. */
function refuseOtherMethods(app: FastifyInstance, address: string, routes: readonly ApiRoute[], logger: Logger): void {
  const served = routes.filter((route) => addressOf(route) === address).map(({ method = 'GET' }) => method)
  const refused = served.includes('GET') ? otherMethods : [...otherMethods, 'GET']
  app.route({
    method: refused.filter((method) => !served.some((each) => each === method)),
    url: address,
    schema: { hide: true },
    config: { dialect: dialectOf('B') },
    onRequest: async (request, reply) => {
      reply.header('allow', served.includes('GET') ? [...served, 'HEAD', 'OPTIONS'].join(', ') : served.join(', '))
      const message = `Request method '${request.method}' is not supported`
      return sendError(new LedgerError('method_not_allowed', message), request, reply, logger)
    },
    handler: () => undefined,
  })
}
