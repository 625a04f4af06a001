/** The handlers of `/fapi`, typed by the routes of the contract. */
import type {
  ExchangeAccess,
  ExchangeRoute,
  ExchangeRouteName,
  exchangeRoutes,
} from '@fulcrum/contract/exchange';
import type { z } from 'zod';
import type { DoorKey } from './keys.ts';

type Declared<N extends ExchangeRouteName> = Extract<(typeof exchangeRoutes)[number], { name: N }>;
/** Null at a public route. */
type KeyOf<A extends ExchangeAccess> = A extends 'public' ? null : DoorKey;

interface DoorCall<Params = unknown, Key = DoorKey | null> {
  readonly params: Params;
  readonly key: Key;
  /** All that was sent, as text: for what a route declares as open, such as `stopLoss[triggerPrice]`. */
  readonly sent: Readonly<Record<string, string>>;
  /** Which of the route's paths was called. */
  readonly path: string;
  /** The caller's address. */
  readonly address: string;
}

type HandlerOf<R extends ExchangeRoute> = (
  call: DoorCall<z.output<R['params']>, KeyOf<R['access']>>,
) => Promise<z.input<R['result']>> | z.input<R['result']>;

/** One handler per route; none may be missing. */
export type DoorHandlers = { readonly [N in ExchangeRouteName]: HandlerOf<Declared<N>> };
/** The handlers of some routes, by the names that a subject has. */
export type HandlersOf<Routes extends readonly ExchangeRoute[]> = {
  readonly [N in Routes[number]['name']]: HandlerOf<Extract<Routes[number], { name: N }>>;
};
export type AnyHandler = (call: DoorCall) => Promise<unknown>;
