import type { FastifyReply, FastifyRequest } from 'fastify'
import { sessionIdForm } from '#src/http/verification/sessions.ts'

const cookieName = 'sourcify_vid'

export function sessionIdOf({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  for (const part of (headers.cookie ?? '').split(';')) {
    const [name = '', value = ''] = part.trim().split('=')
    if (name === cookieName && sessionIdForm.test(value)) return value
  }
  return undefined
}

export interface CookieSettings {
  readonly secureCookies: boolean
  readonly sessionTtlMs: number
}

/** Every answer says it again, so that its time begins anew. */
export function sayCookie(reply: FastifyReply, id: string, { secureCookies, sessionTtlMs }: CookieSettings): void {
  const flags = ['Path=/', `Max-Age=${Math.floor(sessionTtlMs / 1_000)}`, 'HttpOnly', 'SameSite=Lax']
  reply.header('set-cookie', [`${cookieName}=${id}`, ...flags, ...(secureCookies ? ['Secure'] : [])].join('; '))
}
