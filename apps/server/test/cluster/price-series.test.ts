/**
 * All engines of a cluster act on one series of prices. While the market swings, an engine is killed, and then the leader of the market: each fill
 * that the series judges has a price of the recorded frames, at a number not above that of its batch (`price_term` and `price_seq` of `app.engine_batches`).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { slotOf } from '../../src/features/trading/index.ts';
import { eventually } from '../harness/eventually.ts';
import { hasNats } from '../harness/nats-server.ts';
import { type PriceSeries, recordPrices } from '../harness/price-series.ts';
import { type ClusterMember, openServerCluster, type ServerCluster } from '../harness/server-cluster.ts';
import { signUpAt } from '../harness/server-process.ts';
import { toTick } from '../long/command-stream.ts';
import { createRandom, TradingStream } from '../long/trading-stream.ts';

const seed = Number(process.env.KILL_SEED ?? Date.now() % 1_000_000);
const env = { SIGNUP_BALANCE: '1000000' };
const kinds = ['LIMIT', 'MARKET', 'STOP', 'liquidation', 'manual', 'open', 'stop_loss', 'take_profit'];
const unit = 1e8;

describe.skipIf(!hasNats)(`one price series for all engines, seed ${seed}`, () => {
  const random = createRandom(seed);
  let cluster: ServerCluster;
  let series: PriceSeries;
  let members: ClusterMember[];
  let gateway: ClusterMember;
  let admin: SupabaseClient;

  beforeAll(async () => {
    process.stdout.write(`one price series for all engines: KILL_SEED=${seed}\n`);
    cluster = await openServerCluster();
    // Before the first term.
    series = recordPrices(await cluster.link());
    members = await Promise.all([cluster.start('engine,market', env), cluster.start('engine,market', env)]);
    gateway = await cluster.start('gateway', env);
    admin = await signUpAt(gateway.url, 'chief');
    await cluster.db.asOwner(`update app.users set role = 'admin' where username = 'chief'`);
    const { error } = await admin.auth.refreshSession();
    if (error) throw error;
  });
  afterAll(() => cluster.dispose());

  const judge = () => series.judge(cluster.db.asOwner);
  /** Moves the price, which then returns: half of the way in so many minutes. There may be no leader now. */
  const shock = (symbol: string, percent: number, halfLifeMinutes: number) =>
    eventually(() =>
      admin
        .rpc('shock_price', {
          ...{ p_symbol: symbol, p_percent: percent, p_half_life_minutes: halfLifeMinutes },
          p_reason: 'A test of the series',
        })
        .throwOnError(),
    );
  const ofOwner = async (userId: string): Promise<string> => {
    const [row] = await cluster.db.asOwner('select engine::text from app.engine_slots where slot = $1', [
      slotOf(userId),
    ]);
    return String(row?.engine);
  };
  const balanced = () =>
    eventually(async () => {
      const rows = await cluster.db.asOwner(
        'select count(*)::int as slots from app.engine_slots group by engine',
      );
      expect(rows.map(({ slots }) => slots)).toEqual([128, 128]);
    });
  /** Its part of the state of health, of the leader of the market or of the other engine. */
  const find = (isLeader: boolean) =>
    eventually(async () => {
      for (const member of members) {
        const { engine, cluster: state } = await member.health();
        if ((state.leadsMarket !== null) === isLeader) return { member, epoch: String(engine.epoch) };
      }
      throw new Error('no process leads the market');
    });
  /** `kill -9`, and one in its place. */
  async function kill(killed: ClusterMember): Promise<void> {
    await killed.end('SIGKILL');
    members = [...members.filter((member) => member !== killed), await cluster.start('engine,market', env)];
  }

  test('a price that spikes while the owner is dead closes at the spike, once, under a later number', async () => {
    await balanced();
    const { member, epoch } = await find(false);
    let owner = '';
    let trader: SupabaseClient = admin;
    for (let n = 0; owner !== epoch; n += 1) {
      trader = await signUpAt(gateway.url, `struck-${n}`);
      const { data } = await trader.auth.getUser();
      owner = await ofOwner(data.user?.id ?? '');
    }
    const opening = { p_symbol: 'BTCUSDT', p_side: 'BUY', p_size: 0.01, p_leverage: 5 };
    const { data: opened } = await trader.rpc('open_position', opening).throwOnError();
    const stop = toTick(opened.entry_price * 0.95);
    const protection = { p_position_id: opened.id, p_take_profit_price: null, p_stop_loss_price: stop };
    await trader.rpc('set_take_profit_stop_loss', protection).throwOnError();
    // Later than what the next owner may take for younger than the spike.
    await sleep(500);
    const from = series.prices('BTCUSDT').length;
    // It does nothing from here on, and nobody else owns its accounts before it is dead.
    member.process.kill('SIGSTOP');
    await shock('BTCUSDT', -10, 0.01);
    const spike = await eventually(() => {
      const reached = series
        .prices('BTCUSDT')
        .slice(from)
        .find(({ price }) => price <= stop * unit);
      if (!reached) throw new Error('the shock has no frame');
      return reached;
    });
    await kill(member);
    await eventually(async () => {
      const { data } = await trader.from('positions').select('status').eq('id', opened.id).throwOnError();
      expect(data).toEqual([{ status: 'closed' }]);
    });
    const fills = (await judge()).filter(({ positionId }) => positionId === opened.id);
    expect(fills).toMatchObject([
      { what: 'open', epoch, fault: null },
      { what: 'stop_loss', price: spike.price, term: spike.term, fault: null },
    ]);
    expect(fills[1]?.epoch).not.toBe(epoch);
    expect(fills[1]?.seq).toBeGreaterThan(spike.seq);
  });

  test('every judged fill has a price of the frames at a number not above its batch’s, also when the leader of the market is killed', async () => {
    await balanced();
    const { member } = await find(true);
    const streams: TradingStream[] = [];
    for (let n = 0; n < 6; n += 1)
      streams.push(new TradingStream(await signUpAt(gateway.url, `trader-${n}`), `trader-${n}`, random));
    let isOver = false;
    const running = streams.map((stream) => stream.run(() => isOver));
    const swing = async (): Promise<void> => {
      for (const symbol of ['BTCUSDT', 'ETHUSDT']) await shock(symbol, random() < 0.5 ? -2 : 2, 0.02);
      await sleep(1_000);
    };
    await swing();
    const replaced = kill(member);
    await member.ended;
    const killedAt = Date.now();
    await eventually(async () => {
      await swing();
      const since = (await judge()).filter(({ committedAt }) => committedAt > killedAt);
      expect([...new Set(since.map(({ what }) => what))].sort()).toEqual(kinds);
    });
    await replaced;
    isOver = true;
    await Promise.all(running);

    const judged = await judge();
    const figures = [judged.length, new Set(judged.map(({ epoch }) => epoch)).size];
    process.stdout.write(`${figures.join(' fills of ')} engines are proved\n`);
    expect(judged.filter(({ fault }) => fault !== null)).toEqual([]);
    expect(new Set(judged.map(({ term }) => term)).size).toBe(2);
    expect(new Set(judged.map(({ epoch }) => epoch)).size).toBeGreaterThanOrEqual(3);
    const [unnumbered] = await cluster.db.asOwner(
      'select count(*)::int as count from app.engine_batches where price_term is null or price_seq is null',
    );
    expect(unnumbered?.count).toBe(0);
  });

  test('a number that is not the batch’s is found', async () => {
    const judged = await judge();
    const pricesOf = (index: number) => series.prices(judged[index]?.symbol ?? '');
    const faultWith = async (index: number, number: { term: unknown; seq: unknown }) => {
      const planted = await series.judge(async (...fills) =>
        (await cluster.db.asOwner(...fills)).map((row, at) => (at === index ? { ...row, ...number } : row)),
      );
      return planted.flatMap(({ fault }, at) => (fault === null ? [] : [[at, fault]]));
    };
    // Of one whose price was there once, the number below.
    const crossing = judged.findIndex(
      ({ by, price }, at) =>
        by === 'crossing' && pricesOf(at).filter((one) => one.price === price).length === 1,
    );
    const crossed = pricesOf(crossing).find(({ price }) => price === judged[crossing]?.price)!;
    const below = { term: crossed.term, seq: crossed.seq - 1 };
    expect(await faultWith(crossing, below)).toEqual([[crossing, 'not in the series']]);
    // Of one by a command, that of a frame which left another price.
    const command = judged.findIndex(({ by }) => by === 'command');
    const { price, term, seq } = judged[command]!;
    const left = pricesOf(command).filter((one, at, all) => all[at + 1]?.seq !== one.seq);
    const above = left.find((one) => one.term === term && one.seq > Number(seq) && one.price !== price)!;
    expect(await faultWith(command, { term, seq: above.seq })).toEqual([[command, 'not the last price']]);
    expect(await faultWith(command, { term: null, seq: null })).toEqual([[command, 'no number']]);
    const beyond = { term, seq: Number(seq) + 1_000_000 };
    expect(await faultWith(command, beyond)).toEqual([[command, 'not in the series']]);
  });
});
