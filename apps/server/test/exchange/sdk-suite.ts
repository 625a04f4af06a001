/**
 * What every SDK of the exchange has to do here, as one suite: each test file says how its client does it. Rows come as the client gives
 * them; the suite reads the fields of the wire format, and compares figures with the app's own rows.
 */
import { minuteMs, parseDecimal, toDecimalString } from '@fulcrum/domain';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { eventually } from '../harness/eventually.ts';
import { appRows, sumOf } from './app-rows.ts';
import { type Bot, type Door, startDoor } from './door.ts';
import { type ForeignHostGuard, guardForeignHosts } from './foreign-hosts.ts';

// biome-ignore lint/suspicious/noExplicitAny: rows of four clients, compared with literals
export type Row = any;
export interface Order {
  readonly symbol: string;
  readonly side: 'BUY' | 'SELL';
  readonly type: string;
  readonly quantity?: number;
  readonly price?: number;
  readonly timeInForce?: string;
  readonly reduceOnly?: 'true';
  readonly newClientOrderId?: string;
}
export interface Condition extends Omit<Order, 'newClientOrderId'> {
  readonly triggerPrice?: number;
  readonly activatePrice?: number;
  readonly callbackRate?: number;
  readonly closePosition?: 'true';
}

/** An event of the user data stream, as far as the suite reads it. */
export type UserEvent =
  | {
      readonly kind: 'order';
      readonly clientId: string;
      readonly execution: string;
      readonly status: string;
      readonly lastPrice: string;
      readonly realized: string;
    }
  | {
      readonly kind: 'account';
      readonly wallet: string;
      readonly positions: readonly {
        readonly symbol: string;
        readonly amount: string;
        readonly entry: string;
      }[];
    };

export interface SdkClient {
  markets(): Promise<readonly Row[]>;
  account(): Promise<Row>;
  /** Answered with the result. */
  insert(order: Order): Promise<Row>;
  insertConditional(condition: Condition): Promise<Row>;
  /** The number in the answer to `insertConditional`. */
  conditionalId(row: Row): string;
  openConditional(): Promise<readonly Row[]>;
  cancelConditional(id: string): Promise<unknown>;
  amend(id: string, quantity: number, price: number): Promise<Row>;
  order(id: string): Promise<Row>;
  openOrders(): Promise<readonly Row[]>;
  allOrders(): Promise<readonly Row[]>;
  cancel(id: string): Promise<Row>;
  cancelAll(): Promise<unknown>;
  insertBatch(orders: readonly Order[]): Promise<readonly Row[]>;
  cancelBatch(ids: readonly string[]): Promise<readonly Row[]>;
  setLeverage(leverage: number): Promise<Row>;
  setMarginType(type: 'ISOLATED' | 'CROSSED'): Promise<unknown>;
  isHedged(): Promise<boolean>;
  addMargin(amount: number): Promise<unknown>;
  positions(): Promise<readonly Row[]>;
  trades(): Promise<readonly Row[]>;
  income(): Promise<readonly Row[]>;
  /** Times of opening and closing prices. */
  candles(limit: number): Promise<readonly (readonly [number, string])[]>;
  /** Prices and sizes, best first. */
  book(): Promise<{ readonly bids: readonly (readonly [string, string])[]; readonly asks: SdkBookSide }>;
  /** Resolves when events arrive. */
  follow(onEvent: (event: UserEvent) => void): Promise<() => unknown>;
}
type SdkBookSide = readonly (readonly [string, string])[];

export interface SdkState {
  readonly door: Door;
  readonly bot: Bot;
}

/** All of it is with BTCUSDT. Returns what the file's own tests need, once they run. */
export function describeSdk(
  create: (url: string, apiKey: string, secret: string) => SdkClient,
): () => SdkState {
  let guard: ForeignHostGuard;
  let door: Door;
  let bot: Bot;
  let client: SdkClient;
  let rows: ReturnType<typeof appRows>;
  let silenced: readonly { mockRestore(): void }[] = [];

  beforeAll(async () => {
    // They write every connection, and advice.
    silenced = (['log', 'info', 'warn'] as const).map((level) =>
      vi.spyOn(console, level).mockImplementation(() => {}),
    );
    guard = guardForeignHosts();
    door = await startDoor();
  });
  afterAll(async () => {
    await door.close();
    guard.remove();
    for (const spy of silenced) spy.mockRestore();
    expect(guard.refused).toEqual([]);
  });
  beforeEach(async () => {
    door.feed.setPrice('BTCUSDT', '64000');
    bot = await door.join({ p_fill_profile: 'pro' });
    rows = appRows(door, bot);
    client = create(door.server.url, bot.key.apiKey, bot.key.secret);
  });

  const order = (more: Partial<Order> = {}): Order => ({
    ...{ symbol: 'BTCUSDT', side: 'BUY', type: 'MARKET', quantity: 0.5 },
    ...more,
  });
  const limit = (price: number, more: Partial<Order> = {}): Order =>
    order({ type: 'LIMIT', quantity: 0.1, price, timeInForce: 'GTC', ...more });
  const idOf = ({ orderId }: Row): string => String(orderId);

  test('markets and balance', async () => {
    const markets = await client.markets();
    expect(markets.length).toBeGreaterThanOrEqual(177);
    const known = markets.find(({ symbol }) => symbol === 'EURUSDUSDT');
    expect(known).toMatchObject({ status: 'TRADING', contractType: 'PERPETUAL', baseAsset: 'EURUSD' });
    expect(await client.account()).toMatchObject({
      ...{ totalWalletBalance: '100000', availableBalance: '100000', totalUnrealizedProfit: '0' },
    });
  });

  test('a market order, its trade, its position and the balance are the app’s rows', async () => {
    const placed = await client.insert(order({ newClientOrderId: 'first' }));
    const [execution] = await rows.executions();
    expect(placed).toMatchObject({
      ...{ status: 'FILLED', clientOrderId: 'first', executedQty: '0.5' },
      ...{ avgPrice: execution?.price, cumQuote: execution?.value },
    });
    const [trade] = await client.trades();
    expect(trade).toMatchObject({
      ...{ symbol: 'BTCUSDT', side: 'BUY', qty: '0.5', realizedPnl: '0', maker: false },
      ...{ price: execution?.price, quoteQty: execution?.value, commission: execution?.fee },
    });
    expect([String(trade.id), idOf(trade)]).toEqual([execution?.number, idOf(placed)]);
    const [stored] = await rows.positions();
    const [position] = (await client.positions()).filter(({ positionAmt }) => Number(positionAmt) !== 0);
    expect(position).toMatchObject({
      ...{ positionAmt: '0.5', entryPrice: stored?.entry_price, liquidationPrice: stored?.liquidation_price },
      ...{ isolatedWallet: stored?.margin, markPrice: '64000' },
    });
    const { balance, available } = await rows.wallet();
    expect(await client.account()).toMatchObject({
      totalWalletBalance: balance,
      availableBalance: available,
    });
    expect(await client.order(idOf(placed))).toMatchObject({ status: 'FILLED', avgPrice: execution?.price });
  });

  test('limit orders of every time in force', async () => {
    const placed = [
      await client.insert(limit(60_000)),
      await client.insert(limit(60_100, { timeInForce: 'GTX' })),
      await client.insert(limit(64_200, { timeInForce: 'IOC' })),
      await client.insert(limit(63_000, { timeInForce: 'IOC' })),
      await client.insert(limit(64_200, { timeInForce: 'FOK' })),
      await client.insert(limit(70_000, { side: 'SELL', reduceOnly: 'true' })),
    ];
    expect(placed.map(({ status, timeInForce }) => [status, timeInForce])).toEqual([
      ['NEW', 'GTC'],
      ['NEW', 'GTX'],
      ['FILLED', 'IOC'],
      ['EXPIRED', 'IOC'],
      ['FILLED', 'FOK'],
      ['NEW', 'GTC'],
    ]);
    expect((await client.openOrders()).map(idOf)).toEqual([0, 1, 5].map((index) => idOf(placed[index])));
    expect((await client.allOrders()).map(idOf)).toEqual(placed.map(idOf));
    expect(await rows.orders()).toMatchObject(
      placed.map(({ status, timeInForce, origQty }) => ({
        status,
        time_in_force: timeInForce,
        size: origQty,
      })),
    );
    await expect(client.insert(limit(65_000, { timeInForce: 'GTX' }))).rejects.toThrow();
    await expect(client.insert(limit(63_000, { timeInForce: 'FOK' }))).rejects.toThrow();
    expect(await rows.orders()).toHaveLength(6);
  });

  test('conditional orders of every type', async () => {
    await client.insert(order());
    const sell = (type: string, more: Partial<Condition>): Condition => ({
      ...{ symbol: 'BTCUSDT', side: 'SELL', type },
      ...more,
    });
    const conditions = [
      sell('STOP_MARKET', { quantity: 0.1, triggerPrice: 60_000, reduceOnly: 'true' }),
      sell('TAKE_PROFIT_MARKET', { quantity: 0.1, triggerPrice: 70_000 }),
      sell('STOP', { quantity: 0.1, triggerPrice: 60_000, price: 59_900, timeInForce: 'GTC' }),
      sell('TAKE_PROFIT', { quantity: 0.1, triggerPrice: 70_000, price: 70_100, timeInForce: 'GTC' }),
      sell('TRAILING_STOP_MARKET', { quantity: 0.1, callbackRate: 1.5, activatePrice: 66_000 }),
      sell('STOP_MARKET', { triggerPrice: 61_000, closePosition: 'true' }),
      sell('TAKE_PROFIT_MARKET', { triggerPrice: 71_000, closePosition: 'true' }),
    ];
    const ids: string[] = [];
    for (const condition of conditions)
      ids.push(client.conditionalId(await client.insertConditional(condition)));
    expect((await rows.orders()).slice(1)).toMatchObject(
      conditions.map(({ type, triggerPrice, activatePrice, price, callbackRate, closePosition }, index) => ({
        ...{ number: ids[index], type, side: 'SELL', status: 'NEW' },
        ...{
          trigger_price: String(triggerPrice ?? activatePrice),
          price: price === undefined ? null : String(price),
        },
        ...{ trail_rate: callbackRate === undefined ? null : String(callbackRate) },
        close_position: closePosition ?? 'false',
      })),
    );
    expect((await client.openConditional()).map((row) => client.conditionalId(row))).toEqual(ids);
    await client.cancelConditional(ids[0] ?? '');
    expect((await client.openConditional()).map((row) => client.conditionalId(row))).toEqual(ids.slice(1));
    // Triggers the one that closes; the position is gone then.
    door.feed.setPrice('BTCUSDT', '60900');
    await eventually(async () => expect(await rows.positions()).toEqual([]), 20);
    expect((await client.trades()).at(-1)).toMatchObject({ side: 'SELL', qty: '0.5' });
  });

  test('amended, cancelled, several at once, and all', async () => {
    const placed = await client.insert(limit(60_000));
    const amended = await client.amend(idOf(placed), 0.2, 60_500);
    expect([idOf(amended), amended]).toMatchObject([
      idOf(placed),
      { origQty: '0.2', price: '60500', status: 'NEW' },
    ]);
    expect(await rows.orders()).toMatchObject([{ size: '0.2', price: '60500' }]);
    expect(await client.cancel(idOf(placed))).toMatchObject({ status: 'CANCELED' });
    await expect(client.cancel(idOf(placed))).rejects.toThrow();

    const batch = await client.insertBatch([
      limit(60_000, { newClientOrderId: 'batch-1' }),
      limit(60_000.001),
      limit(60_001),
    ]);
    expect(batch).toMatchObject([
      { clientOrderId: 'batch-1', status: 'NEW' },
      { code: -1111 },
      { price: '60001' },
    ]);
    const cancelled = await client.cancelBatch([idOf(batch[0]), idOf(batch[2])]);
    expect(cancelled).toMatchObject([{ status: 'CANCELED' }, { status: 'CANCELED' }]);
    await client.insert(limit(60_002));
    await client.cancelAll();
    expect(await client.openOrders()).toEqual([]);
    expect((await rows.orders()).map(({ status }) => status)).toEqual(Array(4).fill('CANCELED'));
  });

  test('leverage, margin type, position mode and margin', async () => {
    expect(await client.setLeverage(10)).toMatchObject({ symbol: 'BTCUSDT', leverage: 10 });
    await client.setMarginType('ISOLATED');
    await expect(client.setMarginType('CROSSED')).rejects.toThrow();
    expect(await client.isHedged()).toBe(false);
    await client.insert(order({ side: 'SELL' }));
    const [before] = await rows.positions();
    expect(before).toMatchObject({ side: 'SELL', leverage: '10' });
    await client.addMargin(12.5);
    const [after] = await rows.positions();
    expect(after?.margin).toBe(sumOf([before?.margin ?? '', '12.5']));
  });

  test('trades and income after a profit are the executions and the ledger', async () => {
    await client.insert(order());
    door.feed.setPrice('BTCUSDT', '64321.07');
    await client.insert(order({ side: 'SELL', quantity: 0.3, reduceOnly: 'true' }));
    const executions = await rows.executions();
    expect(
      (await client.trades()).map(({ id, price, qty, commission, realizedPnl }) => [
        ...[String(id), price, qty, commission, realizedPnl],
      ]),
    ).toEqual(executions.map(({ number, price, size, fee, pnl }) => [number, price, size, fee, pnl]));
    const incomes = await client.income();
    const of = (type: string) =>
      sumOf(incomes.filter(({ incomeType }) => incomeType === type).map(({ income }) => String(income)));
    expect(of('REALIZED_PNL')).toBe(sumOf(executions.map(({ pnl }) => pnl ?? '')));
    expect(of('COMMISSION')).toBe(`-${sumOf(executions.map(({ fee }) => fee ?? ''))}`);
    expect(sumOf(incomes.map(({ income }) => String(income)))).toBe((await rows.wallet()).balance);
  });

  test('candles and the book, which a market order walks', async () => {
    const opened = Math.floor(Date.now() / minuteMs) * minuteMs;
    door.feed.setCandles(
      'BTCUSDT',
      [3, 2, 1].map((minutes) => ({
        ...{ open_time: new Date(opened - minutes * minuteMs).toISOString(), open: 63_990, high: 64_010 },
        ...{ low: 63_980, close: 64_000 - minutes, volume: 5, quote_volume: 320_000 },
      })),
    );
    const candles = await client.candles(3);
    expect(candles.slice(0, 2).map(([at, close]) => [at, Number(close)])).toEqual([
      [opened - 3 * minuteMs, 63_997],
      [opened - 2 * minuteMs, 63_998],
    ]);
    const { bids, asks } = await client.book();
    expect(Number(bids[0]?.[0])).toBeLessThan(Number(asks[0]?.[0]));
    const size = parseDecimal('3.217');
    let [left, cost] = [size, 0n];
    for (const [price, amount] of asks) {
      const taken = parseDecimal(String(amount)) < left ? parseDecimal(String(amount)) : left;
      cost += parseDecimal(String(price)) * taken;
      left -= taken;
    }
    expect(left).toBe(0n);
    const placed = await client.insert(order({ quantity: 3.217 }));
    expect(placed.cumQuote).toBe(toDecimalString(cost / 100_000_000n));
    expect(placed.avgPrice).toBe(toDecimalString((cost + size / 2n) / size));
  });

  test('the user data stream reports orders, trades, balance and positions', async () => {
    const events: UserEvent[] = [];
    const stop = await client.follow((event) => events.push(event));
    try {
      const waiting = await client.insert(limit(60_000, { newClientOrderId: 'waits' }));
      await client.cancel(idOf(waiting));
      await client.insert(order({ newClientOrderId: 'opens' }));
      const [opened] = await rows.executions();
      await eventually(() => {
        const positions = events.flatMap((event) => (event.kind === 'account' ? event.positions : []));
        expect(positions).toEqual([{ symbol: 'BTCUSDT', amount: '0.5', entry: opened?.price }]);
      }, 20);
      door.feed.setPrice('BTCUSDT', '64500');
      await client.insert(order({ newClientOrderId: 'closes', side: 'SELL' }));
      const ofOrder = (name: string) =>
        events.filter((event) => event.kind === 'order' && event.clientId === name);
      const [, closed] = await rows.executions();
      const { balance } = await rows.wallet();
      await eventually(() => {
        expect(ofOrder('closes')).toMatchObject([
          { execution: 'NEW' },
          { execution: 'TRADE', status: 'FILLED', lastPrice: closed?.price, realized: closed?.pnl },
        ]);
        const states = events.filter((event) => event.kind === 'account');
        expect(states.at(-1)).toMatchObject({ wallet: balance });
        expect(states.flatMap(({ positions }) => positions).at(-1)).toMatchObject({ amount: '0' });
      }, 20);
      expect(ofOrder('waits')).toMatchObject([
        { execution: 'NEW', status: 'NEW' },
        { execution: 'CANCELED', status: 'CANCELED' },
      ]);
      expect(ofOrder('opens').at(-1)).toMatchObject({ execution: 'TRADE', lastPrice: opened?.price });
    } finally {
      await stop();
    }
  });

  return () => ({ door, bot });
}
