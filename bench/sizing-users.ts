/**
 * The users of `sizing.ts` in a process of their own: each has an account, a socket that follows what the trading page
 * follows, and trades at a steady rate that does not wait for answers. Loopback only.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { joinOf, socketUrlOf } from './endpoint.ts';
import { inGroups } from './groups.ts';

export interface ArriveJob {
  readonly kind: 'arrive';
  readonly url: string;
  readonly anonKey: string;
  readonly users: number;
}
export interface TradeJob {
  readonly kind: 'trade';
  readonly seconds: number;
  /** Orders a second over all users; each is followed by a read of the open positions. */
  readonly ordersPerSecond: number;
}
export type UsersCommand = ArriveJob | TradeJob;
/** Time for all users to sign up, sign in and follow their pages, in seconds. */
export interface Arrived {
  readonly signUpS: number;
  readonly signInS: number;
}
export interface TradeReport {
  readonly latenciesMs: readonly number[];
  readonly firstFailure: string | null;
  /** Price frames that came to all sockets. */
  readonly frames: number;
}

interface User {
  readonly headers: Readonly<Record<string, string>>;
  openPosition: string | null;
  isBusy: boolean;
}

const password = 'a-class-of-students-9';
const atOnce = 100;
const symbols = ['BTCUSDT', 'ETHUSDT', 'SOLUSDT', 'AAPL', 'EUR/USD'] as const;
/** Value of an order in USDT, near enough for a start balance of 10,000. */
const sizes: Readonly<Record<(typeof symbols)[number], string>> = {
  BTCUSDT: '0.01',
  ETHUSDT: '0.1',
  SOLUSDT: '1',
  AAPL: '1',
  'EUR/USD': '100',
};

let base = '';
let users: User[] = [];
let frames = 0;

async function post(
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>>,
): Promise<Response> {
  return fetch(`${base}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}

/** Rejects with the server's answer unless it is a success. */
async function answerOf<T>(response: Response): Promise<T> {
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.status} ${text.slice(0, 300)}`);
  return JSON.parse(text) as T;
}

function follow(anonKey: string, token: string, userId: string, symbol: string): Promise<void> {
  const changes = ['positions', 'orders', 'wallets', 'notifications'].map((table) => ({
    event: '*',
    schema: 'public',
    table,
    filter: `user_id=eq.${userId}`,
  }));
  const joins = [
    joinOf('prices', token, undefined, '1'),
    joinOf(`prices:${symbol}`, token, undefined, '2'),
    joinOf(`user:${userId}`, token, changes, '3'),
  ];
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(socketUrlOf({ url: base, anonKey }), {
      perMessageDeflate: false,
      skipUTF8Validation: true,
    });
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('the server closed a socket')));
    socket.on('open', () => {
      for (const join of joins) socket.send(join);
      setInterval(() => socket.send(JSON.stringify([null, '9', 'phoenix', 'heartbeat', {}])), 25_000).unref();
    });
    let joined = 0;
    socket.on('message', (frame: Buffer) => {
      if (frame.includes('"broadcast"')) frames += 1;
      else if (frame.includes('"status":"error"')) reject(new Error(frame.toString().slice(0, 300)));
      else if (frame.includes('"phx_reply"')) {
        joined += 1;
        if (joined === joins.length) resolve();
      }
    });
  });
}

async function arrive({ url, anonKey, users: count }: ArriveJob): Promise<Arrived> {
  base = url;
  const apikey = { apikey: anonKey };
  const emailOf = (n: number) => `student-${n}@example.org`;
  const startedAt = performance.now();
  const signUp = async (n: number): Promise<void> => {
    const data = { username: `student_${n}`, phone_number: `+4930${1_000_000 + n}` };
    await answerOf(await post('/auth/v1/signup', { email: emailOf(n), password, data }, apikey));
  };
  await inGroups(count, atOnce, signUp);
  const signedUpAt = performance.now();
  users = await inGroups(count, atOnce, async (n) => {
    const session = await answerOf<{ access_token: string; user: { id: string } }>(
      await post('/auth/v1/token?grant_type=password', { email: emailOf(n), password }, apikey),
    );
    await follow(anonKey, session.access_token, session.user.id, symbols[n % symbols.length] ?? symbols[0]);
    return {
      headers: { ...apikey, authorization: `Bearer ${session.access_token}` },
      openPosition: null,
      isBusy: false,
    };
  });
  return { signUpS: (signedUpAt - startedAt) / 1000, signInS: (performance.now() - signedUpAt) / 1000 };
}

/** Opens a position, or closes the one that is open; then reads the list, as the page does. Resolves with the order's latency. */
async function order(user: User, symbol: (typeof symbols)[number]): Promise<number> {
  const sentAt = performance.now();
  const call =
    user.openPosition === null
      ? {
          path: 'open_position',
          body: { p_symbol: symbol, p_side: 'BUY', p_size: sizes[symbol], p_leverage: 10 },
        }
      : { path: 'close_position', body: { p_position_id: user.openPosition } };
  const position = await answerOf<{ id: string; status: string }>(
    await post(`/rest/v1/rpc/${call.path}`, { ...call.body, p_client_id: randomUUID() }, user.headers),
  );
  const latencyMs = performance.now() - sentAt;
  user.openPosition = position.status === 'open' ? position.id : null;
  const list = await fetch(`${base}/rest/v1/positions?select=*&status=eq.open`, { headers: user.headers });
  await answerOf(list);
  return latencyMs;
}

async function trade({ seconds, ordersPerSecond }: TradeJob): Promise<TradeReport> {
  frames = 0;
  const latenciesMs: number[] = [];
  let firstFailure: string | null = null;
  const sent: Promise<void>[] = [];
  const begin = performance.now();
  for (let n = 0; n < seconds * ordersPerSecond; n += 1) {
    await sleep(Math.max(0, begin + (n * 1000) / ordersPerSecond - performance.now()));
    const user = users[n % users.length];
    // Its last order is still under way: it waits, as a person would.
    if (!user || user.isBusy) continue;
    user.isBusy = true;
    sent.push(
      order(user, symbols[n % symbols.length] ?? symbols[0])
        .then(
          (latencyMs) => void latenciesMs.push(latencyMs),
          (error: Error) => {
            firstFailure ??= error.message;
          },
        )
        .finally(() => {
          user.isBusy = false;
        }),
    );
  }
  await Promise.all(sent);
  return { latenciesMs, firstFailure, frames };
}

process.on('message', async (command: UsersCommand) => {
  try {
    process.send?.(command.kind === 'arrive' ? await arrive(command) : await trade(command));
  } catch (error) {
    console.error(error);
    process.exit(1);
  }
});
