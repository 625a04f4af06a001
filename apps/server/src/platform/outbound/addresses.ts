/**
 * Classifies the IP addresses that the server may call. A provider's address is configuration, but DNS decides what its
 * name resolves to: without this check a changed record would make the server read its own network. Invariant: an address
 * that is not known to be public is refused. Sources: the IANA special-purpose address registries (RFC 6890), RFC 6052
 * (NAT64), RFC 3056 (6to4).
 */
import { BlockList, isIPv4, isIPv6 } from 'node:net';
import { dotted4, groupsOf } from '../ip-addresses.ts';

/**
 * `public`: reachable by all. `private`: this machine or a private network. `never`: no provider has it: link-local
 * networks with cloud metadata, multicast, broadcast, unspecified, documentation, tunnels.
 */
type AddressClass = 'public' | 'private' | 'never';

type Network = readonly [address: string, prefix: number];

const private4: readonly Network[] = [
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
];
const never4: readonly Network[] = [
  ['0.0.0.0', 8],
  ['169.254.0.0', 16],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];
const private6: readonly Network[] = [
  ['::1', 128],
  ['fc00::', 7],
];
/** The only allocated range is public, without the parts that are not host addresses. */
const global6: Network = ['2000::', 3];
const never6: readonly Network[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

const listOf = (networks: readonly Network[], family: 'ipv4' | 'ipv6'): BlockList => {
  const list = new BlockList();
  for (const [address, prefix] of networks) list.addSubnet(address, prefix, family);
  return list;
};
const lists = {
  private4: listOf(private4, 'ipv4'),
  never4: listOf(never4, 'ipv4'),
  private6: listOf(private6, 'ipv6'),
  never6: listOf(never6, 'ipv6'),
  global6: listOf([global6], 'ipv6'),
};

/** Classifies `address` in the form of a resolver or a URL's host, without brackets; any other text is `never`. */
export function classOf(address: string): AddressClass {
  if (isIPv4(address)) return classOf4(address);
  // A zone names an interface of this machine.
  if (!isIPv6(address) || address.includes('%')) return 'never';
  const embedded = embedded4(groupsOf(address));
  if (embedded !== null) return classOf4(embedded);
  if (lists.private6.check(address, 'ipv6')) return 'private';
  if (lists.never6.check(address, 'ipv6') || !lists.global6.check(address, 'ipv6')) return 'never';
  return 'public';
}

function classOf4(address: string): AddressClass {
  if (lists.private4.check(address)) return 'private';
  return lists.never4.check(address) ? 'never' : 'public';
}

/** Returns the IPv4 address inside a mapped (`::ffff:0:0/96`) or translated (`64:ff9b::/96`) one; null: there is none. */
function embedded4(groups: readonly number[]): string | null {
  const prefix = groups
    .slice(0, 6)
    .map((group) => group.toString(16))
    .join(':');
  if (prefix !== '0:0:0:0:0:ffff' && prefix !== '64:ff9b:0:0:0:0') return null;
  return dotted4(groups);
}
