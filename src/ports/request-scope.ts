import { AsyncLocalStorage } from 'node:async_hooks'

const scope = new AsyncLocalStorage<string>()

/** Does the work of one request under its id, which everything that the work calls can tell. */
export function inRequest<T>(requestId: string, work: () => T): T {
  return scope.run(requestId, work)
}

/** Id of the request that is being answered, for log lines and for the comment of a store's operations; undefined outside. */
export function currentRequestId(): string | undefined {
  return scope.getStore()
}
