/** The addresses and networks that an API key works from. */
import { BlockList, isIP } from 'node:net';
import { AppError } from '@fulcrum/contract';
import { apiKeyAddressesMax, apiKeyFaults } from '@fulcrum/domain';
import { bareAddress } from '../../platform/ip-addresses.ts';

interface Network {
  readonly address: string;
  readonly family: 'ipv4' | 'ipv6';
  /** Null: the one address. */
  readonly prefix: number | null;
}

const longestPrefix = { ipv4: 32, ipv6: 128 } as const;

/** Null for a text that is neither an address nor a network. An IPv4 address that is mapped into IPv6 is that IPv4 address. */
function parseNetwork(text: string): Network | null {
  const [given = '', prefixText, ...more] = text.trim().toLowerCase().split('/');
  if (isIP(given) === 0 || given.includes('%') || more.length > 0) return null;
  if (prefixText === undefined) {
    const address = bareAddress(given);
    return address === null ? null : { address, family: familyOf(address), prefix: null };
  }
  const family = familyOf(given);
  const prefix = /^\d{1,3}$/.test(prefixText) ? Number(prefixText) : Number.NaN;
  return prefix <= longestPrefix[family] ? { address: given, family, prefix } : null;
}

const familyOf = (address: string): Network['family'] => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

const textOf = ({ address, prefix }: Network): string => (prefix === null ? address : `${address}/${prefix}`);

/** Each one once, in its stored form. @throws AppError `invalid_argument` that names the first one that is none */
export function parseAddresses(given: readonly string[]): readonly string[] {
  const texts = given.map((text) => {
    const network = parseNetwork(text);
    if (network) return textOf(network);
    throw new AppError('invalid_argument', apiKeyFaults.addressInvalid(text.trim()), {
      details: 'p_addresses',
    });
  });
  const distinct = [...new Set(texts)];
  if (distinct.length <= apiKeyAddressesMax) return distinct;
  throw new AppError('invalid_argument', apiKeyFaults.tooManyAddresses, {
    details: 'p_addresses',
  });
}

/** Whether a stored list admits the address of a request, in any notation; an empty list admits all. */
export function createAddressCheck(stored: readonly string[]): (address: string) => boolean {
  if (stored.length === 0) return () => true;
  const list = new BlockList();
  for (const text of stored) {
    const network = parseNetwork(text);
    // What cannot be read admits nothing.
    if (!network) continue;
    const { address, family, prefix } = network;
    if (prefix === null) list.addAddress(address, family);
    else list.addSubnet(address, prefix, family);
  }
  return (text) => {
    const address = bareAddress(text);
    return address !== null && list.check(address, familyOf(address));
  };
}
