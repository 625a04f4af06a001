/** The subject of limits per address. */
import { bareAddress, groupsOf } from '../ip-addresses.ts';

/**
 * The part of an address that one user cannot change at will: a whole IPv4 address (also mapped into IPv6), or the /64
 * network of an IPv6 one, in any notation. Other text is counted unchanged.
 */
export function rateLimitAddress(ip: string): string {
  const address = bareAddress(ip);
  if (address === null) return ip;
  if (!address.includes(':')) return address;
  return `${groupsOf(address)
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
}
