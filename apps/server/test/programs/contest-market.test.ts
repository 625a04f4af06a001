/** The proof of the prices of a contest on a simulated market (decision 32): commitment, keys, and the check without a server. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Database } from '@fulcrum/contract/database';
import { dayMs, hourMs, minuteMs, nextOpening, toDecimalString } from '@fulcrum/domain';
import type { SupabaseClient } from '@supabase/supabase-js';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { catalogue } from '../../src/features/market/catalogue/index.ts';
import {
  computePublishedPrices,
  createMarketProof,
  marketCommitment,
  type PriceShock,
} from '../../src/features/market/index.ts';
import { createSimulations } from '../../src/features/market/simulations.ts';
import { createContestBegins } from '../../src/features/programs/beginning.ts';
import { checkMarketFile, MarketFileFault } from '../../src/features/programs/index.ts';
import { createBus } from '../../src/platform/bus/index.ts';
import { createManualClock, realTimers } from '../../src/platform/clock/index.ts';
import { allDuties } from '../../src/platform/duties/shared-duties.ts';
import { childEnv } from '../harness/child-env.ts';
import { testLog } from '../harness/database.ts';
import { eventually } from '../harness/eventually.ts';
import { refreshed } from '../identity/user-server.ts';
import { reason, refusal, type TestUser } from '../trading/trading-server.ts';
import { type Contest, type ContestFloor, startContestFloor } from './contest-floor.ts';

type Market = NonNullable<Database['public']['Functions']['get_contest_market']['Returns']>;

/** What the forgeries change. */
interface ForgedParts {
  readonly file: { prices: string; commitment: string };
  readonly result: {
    readonly marks: Record<string, { price: string; at: string; source?: string }>;
    readonly market: { shocks: PriceShock[]; changed: string[]; commitment_sha256: string };
  };
}

const verifyMarket = fileURLToPath(new URL('../../../../scripts/verify-market.ts', import.meta.url));
const share = 'AAPL';
const hours = catalogue.find((pair) => pair.symbol === share)?.tradingHours ?? '';
const sha256Of = (text: string) => createHash('sha256').update(text).digest('hex');

let school: ContestFloor;
let floor: ContestFloor['floor'];
beforeAll(async () => {
  school = await startContestFloor(
    { sessions: 'honour', priceFeed: { kind: 'simulated', seed: null } },
    { feed: null },
  );
  floor = school.floor;
});
afterAll(async () => {
  await floor.close();
});
/** Moves the time into a later session of the share. */
async function passToSession(): Promise<void> {
  floor.clock.set((nextOpening(hours, floor.clock.now() + dayMs) ?? 0) + hourMs);
  await refreshed(floor.admin.client);
}

/** Moves the time, and waits for the prices of then. */
async function moveTo(instant: number, ...users: readonly TestUser[]): Promise<void> {
  floor.clock.set(instant);
  for (const { client } of [floor.admin, ...users]) await refreshed(client);
  await eventually(async () => {
    for (const symbol of ['BTCUSDT', 'EUR/USD', share])
      expect(floor.server.market.price(symbol)?.marketTime).toBe(instant);
  }, 50);
}

const trade = async (client: SupabaseClient, p_symbol: string) => {
  const args = { p_symbol, p_side: 'BUY', p_size: p_symbol === 'BTCUSDT' ? 0.01 : 1, p_leverage: 10 };
  const { data } = await client.rpc('open_position', args).throwOnError();
  return data.id as string;
};
const marketOf = async (
  contest: Pick<Contest, 'id'>,
  more: Record<string, unknown> = {},
  by: TestUser = floor.admin,
): Promise<Market> =>
  (await by.client.rpc('get_contest_market', { p_contest_id: contest.id, ...more }).throwOnError()).data;
const committed = async (contest: Pick<Contest, 'id'>): Promise<Market> => {
  await eventually(async () => expect(await marketOf(contest)).not.toBeNull(), 100);
  return marketOf(contest, { p_with_commitment: true });
};
const frozen = (contest: Contest) =>
  eventually(async () => expect(await school.isFrozen(contest)).toBe(true), 100);
const lasting = (ms: number, more: Record<string, unknown> = {}) =>
  school.save({
    ...{ p_ends_at: school.iso(ms), p_registration_ends_at: school.iso(Math.min(ms, hourMs)) },
    ...more,
  });
const midnightAfter = (instant: number) => (Math.floor(instant / dayMs) + 1) * dayMs;
const passMidnight = async (contest: Contest, ...users: readonly TestUser[]) =>
  moveTo(midnightAfter(Date.parse(contest.ends_at)) + 5 * minuteMs, ...users);

/** A contest of two hours in which two entrants trade on both sides of a shock, until its result is frozen. */
async function playContest() {
  const contest = await lasting(2 * hourMs);
  const market = await committed(contest);
  const [one, other] = [await school.entrant(contest), await school.entrant(contest)];
  const users = [one.trader, other.trader];
  await moveTo(floor.clock.now() + 5 * minuteMs + 123, ...users);
  const position = await trade(one.client, 'BTCUSDT');
  await trade(other.client, share);
  await floor.admin.client
    .rpc('shock_price', { p_symbol: 'BTCUSDT', p_percent: 4, p_half_life_minutes: 30, p_reason: reason })
    .throwOnError();
  await moveTo(floor.clock.now() + 6 * minuteMs + 457, ...users);
  await one.client.rpc('close_position', { p_position_id: position }).throwOnError();
  await trade(one.client, 'EUR/USD');
  await trade(other.client, 'BTCUSDT');
  await moveTo(Date.parse(contest.ends_at), ...users);
  await frozen(contest);
  return { contest, market, one, other, users };
}

function runTool(text: string, ...options: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'fulcrum-market-file-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'market.json');
  writeFileSync(file, text);
  const { status, stdout, stderr } = spawnSync(process.execPath, [verifyMarket, file, ...options], {
    env: childEnv,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

describe('a contest that has ended', () => {
  let played: Awaited<ReturnType<typeof playContest>>;
  let file: string;
  beforeAll(async () => {
    await passToSession();
    played = await playContest();
  });

  test('the commitment is published at the begin, in the audit chain, and has no key', async () => {
    const { contest, market } = played;
    expect(sha256Of(market.commitment ?? '')).toBe(market.sha256);
    const rows = await floor.audit(contest.id);
    expect(rows.filter(({ action }) => action === 'contest.commit_market')).toMatchObject([
      { detail: { commitment_sha256: market.sha256 } },
    ]);
    const { days, symbols, shocks, past_sha256 } = JSON.parse(market.commitment ?? '');
    expect(symbols).toEqual(expect.arrayContaining(['BTCUSDT', 'EUR/USD', share]));
    // Eight days before, its own, and one more.
    expect(days).toHaveLength(10);
    for (const hash of [past_sha256, ...days]) expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(shocks.filter(({ at }: { at: number }) => at >= Date.parse(contest.begins_at))).toEqual([]);
  });

  test('keys are secret while a day of the contest goes on, also after its end', async () => {
    const { contest, one } = played;
    floor.clock.set(midnightAfter(Date.parse(contest.ends_at)) + 4 * minuteMs);
    for (const by of [floor.admin, one.trader]) {
      await refreshed(by.client);
      const seen = await marketOf(contest, {}, by);
      expect(seen).toMatchObject({ is_public: false, waits_for_others: false, file: null });
      expect(Date.parse(seen.keys_from)).toBe(midnightAfter(Date.parse(contest.ends_at)) + 5 * minuteMs);
      const refused = await by.client.rpc('get_contest_market', {
        ...{ p_contest_id: contest.id, p_with_file: true },
      });
      expect(refusal(refused)).toMatchObject({
        message: 'The keys of this contest are secret until its days are over.',
      });
    }
  });

  test('`npm run verify-market` computes every price again without a server', async () => {
    const { contest, one, other, market } = played;
    await passMidnight(contest, one.trader, other.trader);
    file = (await marketOf(contest, { p_with_file: true }, one.trader)).file ?? '';
    const result = await school.resultFor(floor.admin, contest);
    const report = checkMarketFile(file);
    expect(report).toMatchObject({
      ...{ traded: { total: 4, listed: 4, checked: 4 }, closing: { listed: 3, checked: 3 } },
      ...{ shocks: { during: 1 }, unproven: [], disagreements: [] },
      ...{ commitment: { sha256: market.sha256 }, result: { sha256: result?.sha256 } },
    });
    const { status, stdout, stderr } = runTool(
      file,
      ...['--commitment', market.sha256, '--result', result?.sha256 ?? ''],
    );
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain('4 of 4 prices computed again');
    expect(stdout).toMatch(/\nEvery computed price agrees\.\n$/);
    const another = runTool(file, '--commitment', sha256Of('another one'));
    expect(another).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('the commitment is not the noted one'),
    });
  });

  /** Changes the file as a forger would: with hashes that agree again. */
  const forge = (change: (parts: ForgedParts) => void): string => {
    const forged = JSON.parse(file);
    const result = JSON.parse(forged.result);
    change({ file: forged, result });
    const { length } = forged.prices.split('\n');
    result.market.prices = { total: length, listed: length, sha256: sha256Of(forged.prices) };
    forged.result = JSON.stringify(result);
    return JSON.stringify(forged);
  };
  const lineOf = (text: string, symbol: string): string =>
    text.split('\n').find((line) => line.startsWith(`${symbol} `)) ?? '';

  test('a changed key, price, shock or closing mark is stated', async () => {
    // A key that is not the one that was committed to.
    const { days, past } = JSON.parse(file).keys as { days: string[]; past: string };
    const other = (text: string) => `${text.startsWith('A') ? 'B' : 'A'}${text.slice(1)}`;
    const date = new Date(played.contest.ends_at).toISOString().slice(0, 10);
    const withKeys = (keys: unknown) => JSON.stringify({ ...JSON.parse(file), keys });
    expect(() =>
      checkMarketFile(withKeys({ past, days: [...days.slice(0, -1), other(days.at(-1) ?? '')] })),
    ).toThrow(`the keys of ${date} are not those that were committed to`);
    expect(() => checkMarketFile(withKeys({ past: other(past), days }))).toThrow(
      'the keys of the days before',
    );
    expect(() => checkMarketFile(withKeys({ past, days: days.slice(0, -1) }))).toThrow('the keys end on');
    // Changed without new hashes.
    const plain = JSON.parse(file) as { prices: string; result: string };
    const line = lineOf(plain.prices, 'BTCUSDT');
    const changed = line.replace(/\d+(\.\d+)?$/, '4242');
    expect(() =>
      checkMarketFile(JSON.stringify({ ...plain, prices: plain.prices.replace(line, changed) })),
    ).toThrow('the list of prices is not the one that the result names');
    // With new hashes the prices themselves disagree.
    const price = checkMarketFile(
      forge(({ file: forged }) => {
        forged.prices = forged.prices.replace(line, changed);
      }),
    );
    expect(price.disagreements).toMatchObject([{ what: 'traded', symbol: 'BTCUSDT', stated: '4242' }]);
    const shocked = checkMarketFile(
      forge(({ result }) => {
        result.market.shocks = result.market.shocks.map((shock) => ({ ...shock, percent: 5 }));
      }),
    );
    // The close and the opening after the shock are at one price of one instant, and the end closed at another one.
    expect(shocked.disagreements).toMatchObject([
      { what: 'traded', symbol: 'BTCUSDT' },
      { what: 'closing', symbol: 'BTCUSDT' },
    ]);
    const hidden = checkMarketFile(
      forge(({ result }) => {
        result.market.shocks = [];
      }),
    );
    expect(hidden.disagreements).toHaveLength(2);
    // A shock that has hardly begun may not have reached the feed; one of eleven seconds ago has. Both are over when the contest ends.
    const [, at = ''] = lineOf(plain.prices, 'EUR/USD').split(' ');
    const arriving = (ms: number) =>
      checkMarketFile(
        forge(({ result }) => {
          const shock = { symbol: 'EUR/USD', at: Number(at) - ms, percent: 5, halfLifeMinutes: 0.1 };
          result.market.shocks.push(shock);
        }),
      ).disagreements.map(({ symbol }) => symbol);
    expect(arriving(100)).toEqual([]);
    expect(arriving(11_000)).toEqual(['EUR/USD']);
    const marked = checkMarketFile(
      forge(({ result }) => {
        result.marks[share] = { ...result.marks[share]!, price: '1' };
      }),
    );
    expect(marked.disagreements).toMatchObject([{ what: 'closing', symbol: share, stated: '1' }]);
    const tool = runTool(
      forge(({ result }) => {
        result.marks[share] = { ...result.marks[share]!, price: '1' };
      }),
    );
    expect(tool).toMatchObject({ status: 1, stderr: 'NOT valid: 1 price disagrees\n' });
    expect(tool.stdout).toContain(`${share} `);
    // A release that stated no sources: the symbol had another one at the end.
    const changedSource = forge(({ file: forged, result }) => {
      forged.prices = forged.prices.replace(line, changed);
      result.market.changed = ['BTCUSDT'];
    });
    expect(checkMarketFile(changedSource)).toMatchObject({
      ...{ disagreements: [], unproven: [{ reason: 'unknown_source', count: 1, symbols: ['BTCUSDT'] }] },
    });
    expect(runTool(changedSource).stdout).toMatch(/\nEvery computed price agrees; 1 is not proved\.\n$/);
    // A true price of another time, and a commitment that came late.
    const later = (iso: string, ms: number) => new Date(Date.parse(iso) + ms).toISOString();
    const earlier = forge(({ result }) => {
      const mark = result.marks.BTCUSDT!;
      result.marks.BTCUSDT = { ...mark, at: later(mark.at, -hourMs) };
    });
    expect(() => checkMarketFile(earlier)).toThrow('the closing price of BTCUSDT is of ');
    const late = (ms: number) =>
      forge(({ file: forged, result }) => {
        const commitment = JSON.parse(forged.commitment);
        commitment.published_at = later(new Date(Number(line.split(' ')[1])).toISOString(), ms);
        forged.commitment = JSON.stringify(commitment);
        result.market.commitment_sha256 = sha256Of(forged.commitment);
      });
    expect(runTool(late(6_000))).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('traded at before the commitment was published, up to 6 s before'),
    });
    expect(runTool(late(3_000)).stdout).toMatch(/[12] of the prices were traded at before it, up to 3.0 s/);
    // An order that filled at its own limit: the market may be at the better side of it.
    const faultsWith = (text: string) =>
      checkMarketFile(
        forge(({ file: forged }) => {
          forged.prices = forged.prices.replace(line, text);
        }),
      ).disagreements.length;
    expect(faultsWith(`${changed} limit SELL`)).toBe(0);
    expect(faultsWith(`${changed} limit BUY`)).toBe(1);
    expect(faultsWith(`${changed} limit`)).toBe(1);
    for (const text of ['', '{}', 'null', file.slice(0, 100)])
      expect(() => checkMarketFile(text)).toThrow(MarketFileFault);
  });

  test('what is not proved is counted with its reason and in the last line', () => {
    const { prices } = JSON.parse(file) as { prices: string };
    const line = lineOf(prices, 'BTCUSDT');
    const [symbol = '', at = '', price = ''] = line.split(' ');
    const withLines = (...lines: readonly string[]) =>
      forge(({ file: forged }) => {
        forged.prices = [...forged.prices.split('\n').filter((one) => one !== line), ...lines].join('\n');
      });
    const reasonsOf = (...lines: readonly string[]) => {
      const { disagreements, unproven } = checkMarketFile(withLines(...lines));
      return [disagreements.length, ...unproven.map(({ reason: why, count }) => `${count} ${why}`)];
    };
    // A price that disagrees is left out only where the line itself says why.
    const wrong = `${symbol} ${at} 4242`;
    expect(reasonsOf(wrong)).toEqual([1]);
    expect(reasonsOf(`${wrong} of binance`)).toEqual([0, '1 elsewhere']);
    expect(reasonsOf(`${wrong} of ?`)).toEqual([0, '1 unknown_source']);
    expect(reasonsOf(`${wrong} mark`)).toEqual([0, '1 old_mark']);
    expect(reasonsOf(wrong, `${symbol} ${Number(at) + 1} 4242 of ?`)).toEqual([1, '1 unknown_source']);
    // One that agrees is proved all the same.
    expect(reasonsOf(`${line} mark`)).toEqual([0]);
    expect(reasonsOf(`${line} of ?`)).toEqual([0]);
    const tool = runTool(withLines(`${wrong} of binance`));
    expect(tool).toMatchObject({ status: 0, stderr: '' });
    expect(tool.stdout).toContain('Not proved: 1 price of BTCUSDT, not simulated at that instant.');
    expect(tool.stdout).toMatch(/\nEvery computed price agrees; 1 is not proved\.\n$/);
    // Sources that a market cannot have.
    for (const source of ['simulated', 'broker', '4242'])
      expect(() => reasonsOf(`${line} of ${source}`)).toThrow(`has a source that is none: ${source}`);
    const two = 'has two sources of BTCUSDT at about ';
    expect(() => reasonsOf(line, `${wrong} of binance`)).toThrow(two);
    const afterwards = (ms: number, text: string) => `${symbol} ${Number(at) + ms} ${text}`;
    const back = [line, afterwards(1_000, '4242 of binance'), afterwards(2_000, price)];
    expect(() => reasonsOf(...back)).toThrow(two);
    expect(reasonsOf(line, afterwards(1_000, '4242 of binance'))).toEqual([0, '1 elsewhere']);
    const closedElsewhere = forge(({ result }) => {
      result.marks[share] = { ...result.marks[share]!, price: '1', source: 'yahoo' };
    });
    expect(checkMarketFile(closedElsewhere)).toMatchObject({
      ...{ disagreements: [], unproven: [{ reason: 'elsewhere', count: 1, symbols: [share] }] },
    });
    const closedNowhere = forge(({ result }) => {
      result.marks[share] = { ...result.marks[share]!, source: 'broker' };
    });
    expect(() => checkMarketFile(closedNowhere)).toThrow(`the closing price of ${share} has a source`);
    // Of a sample the rest is not proved.
    const sampled = JSON.parse(file);
    sampled.result = sampled.result.replace('"total":4', '"total":9');
    expect(runTool(JSON.stringify(sampled)).stdout).toContain('agrees; 5 are not proved.');
    sampled.result = sampled.result.replace('"listed":4', '"listed":5');
    expect(() => checkMarketFile(JSON.stringify(sampled))).toThrow('the list has 4 prices');
  });
});

test('keys of a day that another running contest has are secret until that has ended', async () => {
  await passToSession();
  const long = await lasting(3 * dayMs);
  const { contest, users } = await playContest();
  await passMidnight(contest, ...users);
  const waiting = await marketOf(contest);
  expect(waiting).toMatchObject({ is_public: false, waits_for_others: true, keys_from: long.ends_at });
  const refused = await floor.admin.client.rpc('get_contest_market', {
    ...{ p_contest_id: contest.id, p_with_file: true },
  });
  expect(refused.error?.message).toBe('The keys of this contest are secret until its days are over.');
  await moveTo(Date.parse(long.ends_at), ...users);
  await frozen(long);
  // The long one itself waits for its last day.
  expect(await marketOf(long)).toMatchObject({ is_public: false, waits_for_others: false });
  const { file } = await marketOf(contest, { p_with_file: true });
  expect(checkMarketFile(file ?? '').disagreements).toEqual([]);
});

test('entrants are notified of the begin once', async () => {
  await passToSession();
  const contest = await school.save({
    ...{ p_begins_at: school.iso(hourMs), p_registration_ends_at: school.iso(hourMs) },
    p_ends_at: school.iso(2 * hourMs),
  });
  const { trader } = await school.entrant(contest);
  const begun = async () => (await floor.notices(trader)).filter(({ kind }) => kind === 'contest_begun');
  expect(await marketOf(contest)).toBeNull();
  await moveTo(Date.parse(contest.begins_at), trader);
  await committed(contest);
  expect(await begun()).toMatchObject([{ message: expect.stringContaining(`${contest.name} has begun.`) }]);
  await floor.restart();
  await moveTo(floor.clock.now() + minuteMs);
  // Another contest whose begin is noticed after the restart shows that the check has run.
  const next = await lasting(hourMs);
  await committed(next);
  expect(await begun()).toHaveLength(1);
});

test('the begin waits until the source of each market is known', async () => {
  const contest = await school.save({
    ...{ p_begins_at: school.iso(hourMs), p_registration_ends_at: school.iso(hourMs) },
    p_ends_at: school.iso(2 * hourMs),
  });
  const { market, trading, secrets } = floor.server;
  const clock = createManualClock(floor.clock.now());
  let source: 'simulated' | null = null;
  const beginAll = createContestBegins({
    ...{ db: floor.db, clock, timers: realTimers(clock), bus: createBus(testLog), log: testLog },
    ...{ duties: allDuties, config: { tradingFeeRate: 0n }, trading, secrets },
    market: { ...market, price: () => undefined, sourceOf: () => source },
    marketProof: createMarketProof({
      config: { priceFeed: { kind: 'simulated', seed: null }, sessions: 'honour' },
      marketKey: Buffer.from(secrets.marketKey, 'base64url'),
    }),
  });
  clock.set(Date.parse(contest.begins_at) + 59_000);
  await beginAll();
  expect(await marketOf(contest)).toBeNull();
  source = 'simulated';
  await beginAll();
  expect((await marketOf(contest)).symbols).toBeGreaterThan(10);
});

test('a contest that cannot begin ends five minutes late, without a proof', async () => {
  const owner = new pg.Client({ connectionString: floor.databaseUrl });
  await owner.connect();
  try {
    await owner.query(`create function app.refuse_market() returns trigger language plpgsql as $$
      begin raise exception 'refused by a test'; end $$`);
    await owner.query(`create trigger refuse_market before insert on app.program_markets
      for each row execute function app.refuse_market()`);
    const contest = await lasting(hourMs);
    const { trader } = await school.entrant(contest);
    await moveTo(Date.parse(contest.ends_at) + 4 * minuteMs, trader);
    const other = await school.save({ p_ends_at: school.iso(hourMs) });
    expect(await school.isFrozen(contest)).toBe(false);
    await moveTo(Date.parse(contest.ends_at) + 5 * minuteMs, trader);
    await frozen(contest);
    expect(await marketOf(contest)).toBeNull();
    await owner.query('drop trigger refuse_market on app.program_markets');
    await committed(other);
    expect(await marketOf(contest)).toBeNull();
  } finally {
    await owner.query('drop trigger if exists refuse_market on app.program_markets');
    await owner.query('drop function if exists app.refuse_market()');
    await owner.end();
  }
});

test('a price is proved until its market is simulated again, and counted where it is not', async () => {
  const config = { sessions: 'honour', priceFeed: { kind: 'simulated', seed: null } } as const;
  const other = await startContestFloor(config);
  const { feed, clock, server, db } = other.floor;
  try {
    const contest = await other.save({ p_ends_at: other.iso(hourMs) });
    const seen = async (): Promise<Market> =>
      (
        await other.floor.admin.client
          .rpc('get_contest_market', { p_contest_id: contest.id, p_with_commitment: true })
          .throwOnError()
      ).data;
    await eventually(async () => expect(await seen()).not.toBeNull(), 100);
    // The simulation's own prices, from the keys that only the server has.
    const commitment = marketCommitment.parse(JSON.parse((await seen()).commitment ?? ''));
    const marketKey = Buffer.from(server.secrets.marketKey, 'base64url');
    const keys = await createMarketProof({ config, marketKey }).publish(commitment, commitment.first_day + 9);
    const prices = computePublishedPrices(commitment, keys!, commitment.shocks);
    const { trader, client } = await other.entrant(contest);
    const tradeAt = async (source: 'simulated' | 'binance', price: string) => {
      clock.set(clock.now() + minuteMs);
      feed.changeSource(source);
      feed.setPrice('BTCUSDT', price);
      const position = await trade(client, 'BTCUSDT');
      await client.rpc('close_position', { p_position_id: position }).throwOnError();
    };
    const simulated = () => toDecimalString(prices.priceAt('BTCUSDT', clock.now() + minuteMs)!);
    // As at a start whose feed is the simulation.
    const simulatedAgain = async () => {
      const simulate = createSimulations({
        ...{ db, log: testLog, timers: realTimers(clock), seed: null, marketKey, sessions: 'honour' },
        ...{ backfillDays: false, lastPriceOf: (symbol) => server.market.price(symbol) },
      });
      const feed = await simulate(catalogue.filter(({ symbol }) => symbol === 'BTCUSDT'));
      return String(feed.shownPriceAt('BTCUSDT', clock.now() + minuteMs));
    };
    await tradeAt('simulated', simulated());
    await tradeAt('binance', '4242');
    // The gain of one side pays for what the other one loses beyond its margin, at a price that is not the market's.
    const sides = await Promise.all(
      ['BUY', 'SELL'].map((p_side) =>
        client
          .rpc('open_position', { p_symbol: 'BTCUSDT', p_side, p_size: 0.01, p_leverage: 10 })
          .throwOnError(),
      ),
    );
    expect(sides).toHaveLength(2);
    for (const price of ['4500', '4740']) {
      clock.set(clock.now() + 10_000);
      feed.setPrice('BTCUSDT', price);
    }
    await eventually(async () => {
      const { data: open } = await client.from('positions').select('id').eq('status', 'open').throwOnError();
      expect(open).toHaveLength(1);
      for (const { id } of open) await client.rpc('close_position', { p_position_id: id }).throwOnError();
    });
    // A close while the market has no fresh price, as after a time without a server.
    clock.set(clock.now() + minuteMs);
    feed.changeSource('simulated');
    feed.setPrice('BTCUSDT', toDecimalString(prices.priceAt('BTCUSDT', clock.now())!));
    const position = await trade(client, 'BTCUSDT');
    clock.set(clock.now() + 2 * minuteMs);
    await client.rpc('close_position', { p_position_id: position }).throwOnError();
    // Twice: the first instant counts.
    for (const live of ['4242', '4300']) {
      await tradeAt('binance', live);
      const price = await simulatedAgain();
      expect(Number(price) / Number(live)).toBeCloseTo(1, 1);
      await tradeAt('simulated', price);
    }
    const { rows } = await db.query<{ source: string }>(
      'select distinct market_source as source, created_at from app.executions order by created_at',
    );
    expect(rows.map(({ source }) => source)).toEqual([
      ...['simulated', 'binance', 'binance', 'simulated', 'simulated'],
      ...['binance', 'simulated', 'binance', 'simulated'],
    ]);
    await other.passEnd(contest, trader);
    await eventually(async () => expect(await other.isFrozen(contest)).toBe(true), 100);
    clock.set(midnightAfter(Date.parse(contest.ends_at)) + 5 * minuteMs);
    await refreshed(trader.client);
    const { data } = await trader.client
      .rpc('get_contest_market', { p_contest_id: contest.id, p_with_file: true })
      .throwOnError();
    const file = data?.file ?? '';
    const [, of = ''] = JSON.parse(file).prices.split('\n') as string[];
    expect(checkMarketFile(file)).toMatchObject({
      ...{ disagreements: [], traded: { listed: 9, checked: 2 } },
      unproven: [
        { reason: 'elsewhere', count: 4, symbols: ['BTCUSDT'] },
        { reason: 'old_mark', count: 1, symbols: ['BTCUSDT'] },
        { reason: 'rescaled', count: 2, symbols: ['BTCUSDT'] },
        { reason: 'payment', count: 1, symbols: [] },
      ],
    });
    expect(of).toMatch(/^BTCUSDT \d+ 4242 of binance$/);
    expect(runTool(file).stdout).toContain('agrees; 8 are not proved.');
  } finally {
    await other.floor.close();
  }
});
