/**
 * One call at the exchange's door, by HTTP or over a socket. Invariant: it is judged in this order: key, account, address, weight, scope,
 * clock and signature, orders, parameters; what was refused before the handler has done nothing.
 */
import {
  type ExchangeRoute,
  type ExchangeRouteName,
  exchangeRoutes,
  weightOf,
} from '@fulcrum/contract/exchange';
import type { DoorAdmission } from './admission.ts';
import { exchangeErrors } from './errors.ts';
import type { AnyHandler, DoorHandlers } from './handlers.ts';
import type { DoorKey, DoorKeys } from './keys.ts';
import { parseParameters } from './request.ts';

interface DoorRequest {
  readonly route: ExchangeRoute;
  readonly path: string;
  readonly sent: Readonly<Record<string, string>>;
  readonly apiKey: string | undefined;
  readonly address: string;
  /** Judges clock and signature. @throws ExchangeError */
  readonly verify: (key: DoorKey) => void;
  /** Called with headers of the answer, as soon as they are known. */
  readonly onHeaders: (headers: Readonly<Record<string, string>>) => void;
}

export const routeByName: ReadonlyMap<ExchangeRouteName, ExchangeRoute> = new Map(
  exchangeRoutes.map((route): [ExchangeRouteName, ExchangeRoute] => [route.name, route]),
);

export function createDoor(deps: {
  readonly keys: DoorKeys;
  readonly handlers: DoorHandlers;
  readonly admission: DoorAdmission;
}) {
  const { keys, handlers, admission } = deps;

  /** @throws ExchangeError -2014 for a key in another form, -2015 for one that may not be used here */
  async function keyOf(given: string | undefined, address: string): Promise<DoorKey> {
    if (given === undefined || !keys.isWellFormed(given)) throw exchangeErrors.badKeyFormat();
    const key = await keys.find(given);
    if (!key) throw exchangeErrors.rejectedKey();
    if (key.rules !== 'perpetual')
      throw exchangeErrors.rejectedKey(
        'The key is of an account without net positions; make one for a perpetual account.',
      );
    if (!key.allows(address)) throw exchangeErrors.rejectedKey('The key may not be used from this address.');
    return key;
  }

  return async ({ route, path, sent, apiKey, address, verify, onHeaders }: DoorRequest): Promise<unknown> => {
    const cost = { weight: weightOf(route.weight, sent) };
    const key =
      route.access === 'public' ? null : await admission.lookUp(address, 'key', () => keyOf(apiKey, address));
    onHeaders(admission.admit(cost, address, key?.userId ?? null));
    if (key) {
      if (route.access === 'trade' && !key.scopes.has('trade'))
        throw exchangeErrors.rejectedKey('The key may only read.');
      if (route.access !== 'key') verify(key);
      keys.markUsed(key, address);
      if (route.orders !== undefined) onHeaders(admission.admitOrders(key.userId, route.orders));
    }
    // Sound: a handler is called with what its own route's schema returned.
    const handle = handlers[route.name as ExchangeRouteName] as unknown as AnyHandler;
    return handle({ params: parseParameters(route, sent), key, sent, path, address });
  };
}
export type Door = ReturnType<typeof createDoor>;
