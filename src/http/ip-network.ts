import { isIP, isIPv6 } from 'node:net'

/** Addresses that begin alike. */
export interface IpNetwork {
  readonly address: string
  /** Bits that they begin with. */
  readonly prefix: number
  readonly family: 'ipv4' | 'ipv6'
}

const form = /^([^/]+?)(?:\/(\d{1,3}))?$/

/** Reads `10.0.0.0/8`, `fd00::/8`, or one address. undefined: it is none. */
export function parseIpNetwork(text: string): IpNetwork | undefined {
  const [, given = '', bits] = form.exec(text) ?? []
  const address = parseIpAddress(given)
  if (address === undefined) return undefined
  const family = isIPv6(address) ? 'ipv6' : 'ipv4'
  const bitsMax = family === 'ipv6' ? 128 : 32
  const prefix = bits === undefined ? bitsMax : Number(bits)
  return prefix <= bitsMax ? { address, prefix, family } : undefined
}

/**
 * An address as sockets and proxies write it: with a port, in brackets, with a zone, or one of IPv4 within one of IPv6, which
 * is that of IPv4. undefined: it is none.
 */
export function parseIpAddress(text: string): string | undefined {
  const [, bracketed] = /^\[([^\]]+)\](?::\d+)?$/.exec(text) ?? []
  const [, withPort] = /^([\d.]+):\d+$/.exec(text) ?? []
  const [address = ''] = (bracketed ?? withPort ?? text).split('%')
  if (isIP(address) === 0) return undefined
  if (!isIPv6(address)) return address
  const groups = ipv6Groups(address)
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
  return isMapped ? ipv4Of(groups[6]!, groups[7]!) : address
}

/** Names who has an address: in IPv6 everybody has at least a network of 64 bits, and all addresses in it. */
export function ipSubscriber(address: string): string {
  if (!isIPv6(address)) return address
  const network = ipv6Groups(address).slice(0, 4)
  return `${network.map((group) => group.toString(16)).join(':')}::/64`
}

/** The eight groups of an address that is one of IPv6. */
function ipv6Groups(address: string): number[] {
  const [head = '', tail] = address.split('::')
  const first = groupsOf(head)
  if (tail === undefined) return first
  const last = groupsOf(tail)
  return [...first, ...Array.from({ length: 8 - first.length - last.length }, () => 0), ...last]
}

function groupsOf(part: string): number[] {
  return part === ''
    ? []
    : part.split(':').flatMap((group) => (group.includes('.') ? ipv4Groups(group) : [Number.parseInt(group, 16)]))
}

function ipv4Groups(text: string): number[] {
  const [a = 0, b = 0, c = 0, d = 0] = text.split('.').map(Number)
  return [(a << 8) | b, (c << 8) | d]
}

function ipv4Of(high: number, low: number): string {
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.')
}
