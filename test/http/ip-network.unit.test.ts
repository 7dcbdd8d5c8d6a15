import { expect, it } from 'vitest'
import { ipSubscriber, parseIpAddress, parseIpNetwork } from '#src/http/ip-network.ts'

it('reads addresses as sockets and proxies write them', () => {
  const read = [
    '192.0.2.1',
    '192.0.2.1:8080',
    '::ffff:192.0.2.1',
    '::FFFF:c000:201',
    '[::1]:80',
    '[::1]',
    'fe80::1%eth0',
  ]
  expect(read.map(parseIpAddress)).toEqual([...Array(4).fill('192.0.2.1').slice(0, 4), '::1', '::1', 'fe80::1'])
  for (const none of ['', 'unknown', '192.0.2', '192.0.2.256', '1.2.3.4, 5.6.7.8', '[::1', 'x'.repeat(10_000)])
    expect(parseIpAddress(none)).toBeUndefined()
})

it('takes all addresses of a network of 64 bits for one client in IPv6, and each address in IPv4', () => {
  const names = [
    '2001:db8::1',
    '2001:DB8:0:0:ffff::',
    '2001:db8:0:1::1',
    '::1',
    '1:2:3:4:5:6:7:8',
    '64:ff9b::192.0.2.1',
  ]
  expect(names.map(ipSubscriber)).toEqual([
    '2001:db8:0:0::/64',
    '2001:db8:0:0::/64',
    '2001:db8:0:1::/64',
    '0:0:0:0::/64',
    '1:2:3:4::/64',
    '64:ff9b:0:0::/64',
  ])
  expect(ipSubscriber('192.0.2.1')).toBe('192.0.2.1')
})

it('reads networks, and refuses what is none', () => {
  expect(parseIpNetwork('10.0.0.0/8')).toEqual({ address: '10.0.0.0', prefix: 8, family: 'ipv4' })
  expect(parseIpNetwork('fd00::/8')).toEqual({ address: 'fd00::', prefix: 8, family: 'ipv6' })
  expect(parseIpNetwork('192.0.2.1')).toEqual({ address: '192.0.2.1', prefix: 32, family: 'ipv4' })
  for (const none of ['10.0.0.0/33', 'fd00::/129', '10.0.0.0/', '/8', 'proxy', '10.0.0.0/8/8'])
    expect(parseIpNetwork(none)).toBeUndefined()
})
