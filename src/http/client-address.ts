import type { IncomingMessage } from 'node:http'
import { BlockList, isIPv6 } from 'node:net'
import { ipSubscriber, parseIpAddress, parseIpNetwork } from '#src/http/ip-network.ts'

/** Names who asks, as far as his address tells. */
export type ClientOf = (request: Pick<IncomingMessage, 'headers' | 'socket'>) => string

/**
 * The client is whoever holds the connection, unless that is a trusted proxy: then whom it names last in `X-Forwarded-For`,
 * and so on as long as that is a trusted proxy, too. What anybody else says is not believed.
 */
export function createClientOf(trustedProxies: readonly string[]): ClientOf {
  const trusted = new BlockList()
  for (const { address, prefix, family } of trustedProxies.flatMap((text) => parseIpNetwork(text) ?? []))
    trusted.addSubnet(address, prefix, family)
  const isTrusted = (address: string): boolean => trusted.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
  return ({ headers, socket }) => {
    let client = parseIpAddress(socket.remoteAddress ?? '')
    if (client === undefined) return ''
    const named = [headers['x-forwarded-for'] ?? []].flat().join().split(',')
    while (isTrusted(client)) {
      const before = parseIpAddress(named.pop()?.trim() ?? '')
      if (before === undefined) break
      client = before
    }
    return ipSubscriber(client)
  }
}
