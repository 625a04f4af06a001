/**
 * The target of a request: its URL, and the addresses behind its name. The addresses are checked when the connection is
 * made, so the checked address is the called one (DNS rebinding).
 */
import { lookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { classOf } from './addresses.ts';
import { OutboundError } from './outbound-error.ts';

interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}
/** Resolves all addresses of a name. */
export type Resolve = (hostname: string) => Promise<readonly ResolvedAddress[]>;

export const systemResolve: Resolve = (hostname) => lookup(hostname, { all: true });

const mayCall = (address: string, allowPrivate: boolean): boolean => {
  const kind = classOf(address);
  return kind === 'public' || (kind === 'private' && allowPrivate);
};

function notCalled(host: string, addresses: readonly string[]): OutboundError {
  const why = addresses.some((address) => classOf(address) === 'private')
    ? 'it is of this machine or of a private network, which takes ALLOW_PRIVATE_PROVIDERS=true'
    : 'it is none of the public internet';
  return new OutboundError('refused', `${host}: this address is not called: ${why}`);
}

/**
 * @param schemes with the colon, as `URL.protocol` has them
 * @throws OutboundError `refused` for another scheme, for credentials, and for a literal address that is not allowed
 */
export function targetOf(url: string, schemes: readonly string[], allowPrivate: boolean): URL {
  const target = URL.parse(url);
  if (!target || !schemes.includes(target.protocol)) {
    throw new OutboundError('refused', `Only ${schemes.join(' and ')} addresses can be called`);
  }
  if (target.username !== '' || target.password !== '') {
    throw new OutboundError('refused', `${target.host}: an address with credentials is not called`);
  }
  // WHATWG URL has turned every spelling of an IPv4 address (octal, hexadecimal, one number) into four decimals.
  const literal = target.hostname.replace(/^\[|\]$/g, '');
  if (isIP(literal) !== 0 && !mayCall(literal, allowPrivate)) {
    throw notCalled(target.host, [literal]);
  }
  return target;
}

/** A lookup for `net.connect`: returns only the allowed addresses of a name, and fails when none is left. */
export function guardedLookup(resolve: Resolve, allowPrivate: boolean): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (resolved) => {
        const allowed = resolved.filter(({ address }) => mayCall(address, allowPrivate));
        const [first] = allowed;
        if (!first) {
          callback(
            notCalled(
              hostname,
              resolved.map(({ address }) => address),
            ),
            '',
            0,
          );
        } else if (options.all === true) {
          callback(
            null,
            allowed.map(({ address, family }) => ({ address, family })),
          );
        } else {
          callback(null, first.address, first.family);
        }
      },
      (cause: Error) => callback(cause, '', 0),
    );
  };
}
