/**
 * `/ws-fapi/v1`: requests over a socket, each one the call of a route. A signed one carries its API key and is signed over its parameters
 * in the order of their names. Invariant: the same handlers, limits and errors as by HTTP.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { ExchangeRouteName } from '@fulcrum/contract/exchange';
import { z } from 'zod';
import { type Door, routeByName } from '../door.ts';
import { type ExchangeError, exchangeErrors } from '../errors.ts';

import { requireText, textOf } from '../request.ts';
import { verifyClock } from '../signature.ts';

/** The route of each method. */
const methods = {
  ping: 'ping',
  time: 'serverTime',
  depth: 'depth',
  'ticker.price': 'priceTicker',
  'ticker.book': 'bookTicker',
  'order.place': 'placeOrder',
  'order.modify': 'amendOrder',
  'order.cancel': 'cancelOrder',
  'order.status': 'order',
  'algoOrder.place': 'newAlgoOrder',
  'algoOrder.cancel': 'cancelAlgoOrder',
  'account.status': 'account',
  'v2/account.status': 'account',
  'account.balance': 'balance',
  'v2/account.balance': 'balance',
  'account.position': 'positionRisk',
  'v2/account.position': 'positionRisk',
  'userDataStream.start': 'startUserStream',
  'userDataStream.ping': 'extendUserStream',
  'userDataStream.stop': 'closeUserStream',
} as const satisfies Record<string, ExchangeRouteName>;

/** What the door offers to its sockets. */
export interface DoorCalls {
  readonly door: Door;
  /** The error of anything that was thrown; faults are logged. */
  readonly errorOf: (error: unknown) => ExchangeError;
  readonly now: () => number;
}

const message = z.object({
  id: z.union([z.string().max(64), z.number(), z.null()]).default(null),
  method: z.string().max(64),
  params: z.record(z.string(), z.unknown()).default({}),
});

export type RequestId = string | number | null;

/** Answers one message of a client. Never rejects. */
export async function answerRequest(
  bytes: Buffer,
  address: string,
  { door, errorOf, now }: DoorCalls,
): Promise<object> {
  let id: RequestId = null;
  try {
    const parsed = message.safeParse(readJson(bytes));
    if (!parsed.success) throw exchangeErrors.illegal('message', 'must be {"id","method","params"}');
    const { method, params } = parsed.data;
    id = parsed.data.id;
    const route = Object.hasOwn(methods, method)
      ? routeByName.get(methods[method as keyof typeof methods])
      : undefined;
    if (!route) throw exchangeErrors.notOffered(`The method ${method}`);
    const sent = toText(params);
    const result = await door({
      ...{ route, sent, address, apiKey: sent.apiKey, path: route.paths.at(-1) ?? '' },
      verify: ({ secret }) => {
        verifyClock(sent, now());
        verifySorted(secret, sent);
      },
      onHeaders: () => {},
    });
    return { id, status: 200, result, rateLimits: [] };
  } catch (error) {
    const { status, code, message: msg } = errorOf(error);
    return { id, status, error: { code, msg }, rateLimits: [] };
  }
}

/** Undefined for what is no JSON. */
export function readJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** Clients send numbers and truth values too. */
const toText = (params: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, requireText(name, textOf(name, value))]),
  );

/** Over `name=value` joined by `&`, by name; some clients escape the values as in a query string. @throws ExchangeError -1102, -1022 */
function verifySorted(secret: string, params: Readonly<Record<string, string | undefined>>): void {
  const { signature, ...sent } = params;
  if (signature === undefined || signature === '') throw exchangeErrors.missing('signature');
  if (!/^[0-9a-f]{64}$/i.test(signature)) throw exchangeErrors.onlyHmac();
  const names = Object.keys(sent).toSorted((one, two) => (one < two ? -1 : 1));
  const plain = names.map((name) => `${name}=${sent[name]}`).join('&');
  const escaped = new URLSearchParams(
    names.map((name): [string, string] => [name, sent[name] ?? '']),
  ).toString();
  const given = Buffer.from(signature, 'hex');
  const isSigned = [plain, escaped].some((text) =>
    timingSafeEqual(createHmac('sha256', secret).update(text).digest(), given),
  );
  if (!isSigned) throw exchangeErrors.badSignature();
}
