/**
 * kill -9 under a stream of unmodified ccxt's orders. Afterwards open orders, positions and trades by the client are the database's own rows,
 * the ledger agrees with itself, every acknowledged order is there, and none is there twice: an order without an answer is repeated
 * under its client id.
 *
 * `npm test -- --all` kills once; `npm run test:long` as often as KILL_ROUNDS says.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkInvariants } from '../../src/features/wallet/index.ts';
import { withDatabase } from '../../src/platform/database/index.ts';
import { type ForeignHostGuard, guardForeignHosts } from '../exchange/foreign-hosts.ts';
import { freePort } from '../harness/free-port.ts';
import { testLog } from '../harness/index.ts';
import {
  type Installation,
  makeInstallation,
  type ServerProcess,
  signUpAt,
} from '../harness/server-process.ts';
import { CcxtBot } from './ccxt-bot.ts';
import { recordSwings } from './made-recording.ts';

const rounds = Number(process.env.KILL_ROUNDS ?? 1);
const botCount = 2;
/** Of each bot, side by side. */
const workers = 4;
const ordersBeforeKill = 40;

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
    bots.push(await CcxtBot.open(url, await signUpAt(url, `bot-${n}`), Math.random));
  }
}, 60_000);
afterAll(async () => {
  await installation.dispose();
  guard.remove();
  expect(guard.refused).toEqual([]);
}, 60_000);

const acknowledgedCount = (): number => bots.reduce((sum, { acknowledged }) => sum + acknowledged, 0);

const inDatabase = <T>(run: Parameters<typeof withDatabase<T>>[2]): Promise<T> =>
  withDatabase({ databaseUrl: null, dataDir: installation.dataDir }, testLog, run);

test.for(Array.from({ length: rounds }, (_, round) => round))(
  'round %i: what the client reads after kill -9 is what is stored, and nothing is there twice',
  { timeout: 120_000 },
  async (round) => {
    let isOver = false;
    const before = acknowledgedCount();
    const running = bots.flatMap((bot) => Array.from({ length: workers }, () => bot.run(() => isOver)));
    await expect.poll(() => acknowledgedCount() - before).toBeGreaterThan(ordersBeforeKill);
    await sleep(Math.random() * 300);
    await server.end('SIGKILL');
    isOver = true;
    await Promise.all(running);
    await start();
    let repeated = 0;
    for (const bot of bots) repeated += await bot.repeatUnanswered();
    await inDatabase(async (session) => {
      for (const bot of bots) await bot.expectStored(session);
    });
    process.stdout.write(
      `round ${round}: ${acknowledgedCount()} orders, ${repeated} of them without an answer at the kill\n`,
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
