/**
 * kill -9 under a stream of unmodified ccxt's orders. Afterwards open orders, positions and trades by the client are the database's own rows,
 * the ledger agrees with itself, every acknowledged order is there, and none is there twice: an order without an answer is repeated
 * under its client id.
 *
 * `npm test` kills once; `npm run test:long` as often as KILL_ROUNDS says.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseDecimal, toDecimalString } from '@fulcrum/domain';
import ccxt, { type binanceusdm } from 'ccxt';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkInvariants } from '../../src/features/wallet/index.ts';
import { withDatabase } from '../../src/platform/database/index.ts';
import { type ForeignHostGuard, guardForeignHosts } from '../exchange/foreign-hosts.ts';
import { createCcxt } from '../exchange/recipes/ccxt.ts';
import { freePort } from '../harness/free-port.ts';
import { testLog } from '../harness/index.ts';
import {
  type Installation,
  makeInstallation,
  type ServerProcess,
  signUpAt,
} from '../harness/server-process.ts';
import { recordSwings } from './made-recording.ts';

const rounds = Number(process.env.KILL_ROUNDS ?? 1);
const symbol = 'BTC/USDT:USDT';
const botCount = 2;
/** Of each bot, side by side. */
const workers = 4;
/** So many of them stay below the orders that a key may place. */
const pauseMs = 100;
const ordersBeforeKill = 40;

interface Sent {
  readonly clientOrderId: string;
  readonly type: 'market' | 'limit';
  readonly side: 'buy' | 'sell';
  readonly amount: number;
  readonly price: number | undefined;
  outcome: 'acknowledged' | 'refused' | 'unknown';
  /** As answered. */
  id: string | undefined;
  refusal: string;
}
interface CcxtBot {
  readonly accountId: string;
  readonly exchange: binanceusdm;
  readonly sent: Sent[];
}

let guard: ForeignHostGuard;
let installation: Installation;
let server: ServerProcess;
let port: number;
let recording: string;
const bots: CcxtBot[] = [];

async function start(): Promise<string> {
  server = installation.run({
    env: { PORT: String(port), SIGNUP_BALANCE: '10000', PRICE_FEED: `replay:${recording}?speed=60&loop=1` },
  });
  return server.ready();
}

beforeAll(async () => {
  guard = guardForeignHosts();
  installation = makeInstallation();
  recording = join(installation.dataDir, 'recording');
  mkdirSync(recording);
  recordSwings(
    recording,
    [{ symbol: 'BTCUSDT', price: 20_000, share: 0.01, minutes: 10, volume: 100_000 }],
    24 * 60 - 1,
  );
  port = await freePort();
  const url = await start();
  for (let n = 0; n < botCount; n += 1) {
    const main = await signUpAt(url, `bot-${n}`);
    const terms = { p_rules: 'perpetual', p_fill_profile: 'pro', p_start_balance: 1_000_000 };
    const { data: account } = await main.rpc('create_account', { p_name: 'Bot', ...terms }).throwOnError();
    const scopes = { p_scopes: ['read', 'trade'], p_account_id: account.id };
    const { data: key } = await main.rpc('create_api_key', { p_name: 'ccxt', ...scopes }).throwOnError();
    const exchange = createCcxt(url, { apiKey: key.api_key, secret: key.secret });
    await exchange.loadMarkets();
    bots.push({ accountId: account.id, exchange, sent: [] });
  }
}, 60_000);
afterAll(async () => {
  await installation.dispose();
  guard.remove();
  expect(guard.refused).toEqual([]);
}, 60_000);

/** A connection that broke, a server that is away or not yet ready: what became of the order is unknown. */
const isUnknown = (error: unknown): boolean =>
  error instanceof ccxt.NetworkError || (error instanceof Error && / 50\d |-1008|-1000/.test(error.message));

async function send(exchange: binanceusdm, sent: Sent): Promise<void> {
  const { clientOrderId, type, side, amount, price } = sent;
  try {
    const { id } = await exchange.createOrder(symbol, type, side, amount, price, { clientOrderId });
    // The answer to a repeat is the same order.
    if (sent.id !== undefined) expect([clientOrderId, id]).toEqual([clientOrderId, sent.id]);
    sent.outcome = 'acknowledged';
    sent.id = id;
  } catch (error) {
    sent.outcome = isUnknown(error) ? 'unknown' : 'refused';
    sent.refusal = String(error);
  }
}

const random = (below: number): number => Math.floor(Math.random() * below);

/** Purchases, sales and orders far from the market, of which it cancels some. */
async function work({ exchange, sent }: CcxtBot, worker: number, isOver: () => boolean): Promise<void> {
  for (let n = 0; !isOver(); n += 1) {
    const isLimit = random(3) === 0;
    const side = random(2) === 0 ? 'buy' : 'sell';
    const order: Sent = {
      ...{ clientOrderId: `w${worker}-${sent.length}-${n}`, type: isLimit ? 'limit' : 'market', side },
      ...{
        amount: (1 + random(40)) / 1_000,
        price: isLimit ? (side === 'buy' ? 18_000 : 22_000) + random(100) : undefined,
      },
      ...{ outcome: 'unknown', id: undefined, refusal: '' },
    };
    sent.push(order);
    await send(exchange, order);
    if (isLimit && order.id !== undefined && random(2) === 0)
      await exchange.cancelOrder(order.id, symbol).catch((error: unknown) => {
        if (!isUnknown(error)) throw error;
      });
    await sleep(pauseMs);
  }
}

const acknowledgedCount = (): number =>
  bots.flatMap(({ sent }) => sent).filter(({ outcome }) => outcome === 'acknowledged').length;

interface Rows {
  readonly open: readonly string[];
  readonly net: string;
  readonly trades: readonly (readonly string[])[];
  readonly clientIds: readonly string[];
}

const plain = (stored: string): string => toDecimalString(parseDecimal(stored));
const inDatabase = <T>(run: Parameters<typeof withDatabase<T>>[2]): Promise<T> =>
  withDatabase({ databaseUrl: null, dataDir: installation.dataDir }, testLog, run);

const rowsOf = (accountId: string): Promise<Rows> =>
  inDatabase(async (client) => {
    const read = async (text: string): Promise<Record<string, string>[]> =>
      (await client.query(text, [accountId])).rows;
    const orders = await read(
      'select number::text, client_id, status from app.orders where user_id = $1 order by number',
    );
    const [net] = await read(
      `select coalesce(sum(case side when 'BUY' then size else -size end), 0)::text as size
       from app.positions where user_id = $1 and status = 'open'`,
    );
    const executions = await read(
      `select number::text, side, size::text, price::text, fee::text, coalesce(realized_pnl, 0)::text as pnl
       from app.executions where user_id = $1 order by number`,
    );
    return {
      open: orders.filter(({ status }) => status === 'NEW').map(({ number }) => String(number)),
      net: plain(net?.size ?? ''),
      trades: executions.map(({ number, side, size, price, fee, pnl }) => [
        ...[String(number), String(side)],
        ...[size, price, fee, pnl].map((text) => plain(String(text))),
      ]),
      clientIds: orders.map(({ client_id: id }) => String(id)),
    };
  });

async function expectSame({ accountId, exchange, sent }: CcxtBot): Promise<number> {
  const rows = await rowsOf(accountId);
  const open = await exchange.fetchOpenOrders(symbol);
  expect(open.map(({ id }) => id)).toEqual(rows.open);
  const [position] = await exchange.fetchPositions([symbol]);
  expect((position?.info as { positionAmt?: string } | undefined)?.positionAmt ?? '0').toBe(rows.net);
  const trades: (readonly string[])[] = [];
  for (let from = '0'; ; ) {
    const page = await exchange.fetchMyTrades(symbol, undefined, 500, { fromId: from });
    const infos = page.map(({ info }) => info as Record<string, string>);
    trades.push(
      ...infos.map(({ id, side, qty, price, commission, realizedPnl }) =>
        [id, side, qty, price, commission, realizedPnl].map(String),
      ),
    );
    if (page.length < 500) break;
    from = String(Number(page.at(-1)?.id) + 1);
  }
  expect(trades).toEqual(rows.trades);
  // Each acknowledged order is there, and none is there twice.
  const acknowledged = sent.filter(({ outcome }) => outcome === 'acknowledged');
  expect(new Set(rows.clientIds).size).toBe(rows.clientIds.length);
  expect(new Set(rows.clientIds)).toEqual(new Set(acknowledged.map(({ clientOrderId }) => clientOrderId)));
  expect(new Set(acknowledged.map(({ id }) => id)).size).toBe(acknowledged.length);
  expect(sent.filter(({ outcome }) => outcome !== 'acknowledged').map(({ refusal }) => refusal)).toEqual([]);
  return acknowledged.length;
}

test.for(Array.from({ length: rounds }, (_, round) => round))(
  'round %i: what the client reads after kill -9 is what is stored, and nothing is there twice',
  { timeout: 120_000 },
  async (round) => {
    let isOver = false;
    const before = acknowledgedCount();
    const running = bots.flatMap((bot) =>
      Array.from({ length: workers }, (_, worker) => work(bot, worker + round * workers, () => isOver)),
    );
    await expect.poll(() => acknowledgedCount() - before).toBeGreaterThan(ordersBeforeKill);
    await sleep(random(300));
    await server.end('SIGKILL');
    isOver = true;
    await Promise.all(running);
    await start();
    let repeated = 0;
    for (const { exchange, sent } of bots) {
      for (const order of sent.filter(({ outcome }) => outcome === 'unknown')) {
        repeated += 1;
        await expect.poll(() => send(exchange, order).then(() => order.outcome)).not.toBe('unknown');
      }
      // An acknowledged one that is repeated is the same.
      for (const order of sent.filter(({ outcome }) => outcome === 'acknowledged').slice(-5))
        await send(exchange, order);
    }
    let acknowledged = 0;
    for (const bot of bots) acknowledged += await expectSame(bot);
    process.stdout.write(
      `round ${round}: ${acknowledged} orders, ${repeated} of them without an answer at the kill\n`,
    );
    const { violations } = await inDatabase((client) =>
      checkInvariants({
        query: async <Row>(text: string, values: readonly unknown[] = []) => {
          const { rows, rowCount } = await client.query(text, [...values]);
          return { rows: rows as Row[], rowCount: rowCount ?? 0 };
        },
      }),
    );
    expect(violations).toEqual([]);
  },
);
