import { BlockList, isIPv6 } from 'node:net'
import { hostOf } from './patient.ts'

/** Where an address stands: on this machine, in a network of its own, or where everybody reaches it. */

export type Place = 'this machine' | 'a private network' | 'everywhere'

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8)
LOOPBACK.addAddress('::1', 'ipv6')

/** RFC 1918, RFC 6598, RFC 3927, RFC 4193, RFC 4291. */
const PRIVATE = new BlockList()
for (const [net, bits] of [
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['100.64.0.0', 10],
  ['169.254.0.0', 16],
  ['0.0.0.0', 8],
] as const)
  PRIVATE.addSubnet(net, bits)
for (const [net, bits] of [
  ['fc00::', 7],
  ['fe80::', 10],
] as const)
  PRIVATE.addSubnet(net, bits, 'ipv6')

export const placeOf = (address: string): Place => {
  const family = isIPv6(address) ? 'ipv6' : 'ipv4'
  if (LOOPBACK.check(address, family)) return 'this machine'
  return PRIVATE.check(address, family) ? 'a private network' : 'everywhere'
}

/** By its name alone: nothing is resolved. */
export const isOnThisMachine = (url: string): boolean => {
  const host = hostOf(new URL(url))
  return host === 'localhost' || host.endsWith('.localhost') || placeOf(host) === 'this machine'
}
