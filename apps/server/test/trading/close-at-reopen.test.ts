/**
 * A trader requests a close at the reopening for a position of a closed market (A98), through the official client.
 * The market follows its hours: AAPL closes for the night and opens in the morning.
 */
import { minuteMs, nextClosing, nextOpening } from '@fulcrum/domain';
import { beforeEach, expect, test } from 'vitest';
import { catalogue } from '../../src/features/market/catalogue/index.ts';
import { refreshed } from '../identity/user-server.ts';
import { floor, refusal, shareTradingServer, type TestUser } from './trading-server.ts';

const symbol = 'AAPL';
const hours = catalogue.find((pair) => pair.symbol === symbol)?.tradingHours ?? '';
let trader: TestUser;
let id: string;

shareTradingServer({ sessions: 'honour', allowReset: true });

/**
 * A trader who bought 1 at 100 and leverage 10 in the evening, with a stop loss at 95; the market has closed since.
 */
beforeEach(async () => {
  await morning('100', true);
  trader = await floor.addUser('trader');
  const protection = { p_stop_loss_price: 95 };
  ({ id } = await floor.open(trader, { p_symbol: symbol, ...protection }));
  await night();
});

const report = (price: string, breaks = false) => floor.feed.setPrice(symbol, price, { breaks });
/** Advances to this instant. An expired session signs in again. */
async function goTo(instant: number | null): Promise<void> {
  if (instant === null) throw new Error('the hours name no such instant');
  floor.clock.advance(instant - floor.clock.now());
  if (trader) await refreshed(trader.client);
  await refreshed(floor.admin.client);
}
/** The opening, and a price that `breaks` with the last one of an earlier test. */
async function morning(price: string, breaks = false): Promise<void> {
  await goTo(nextOpening(hours, floor.clock.now()));
  report(price, breaks);
}
/** A minute after the close, while the feed continues to send prices. */
async function night(): Promise<void> {
  const closing = nextClosing(hours, floor.clock.now());
  await goTo(closing && closing + minuteMs);
  report('101');
}

const close = () => trader.client.rpc('close_position', { p_position_id: id });
const ask = (requested = true, more: Record<string, unknown> = {}, by = trader) =>
  by.client.rpc('close_at_reopen', { p_position_id: id, p_wanted: requested, ...more });
interface Row {
  readonly status: string;
  readonly close_at_reopen: boolean;
  readonly close_price: number | null;
  readonly close_reason: string | null;
  readonly close_price_source: string | null;
  readonly realized_pnl: number | null;
}
const position = async () => {
  const rows = await floor.rowsOf<Row & { id: string }>('positions', trader);
  const row = rows.find((one) => one.id === id);
  if (!row || rows.length !== 1) throw new Error(`${rows.length} positions`);
  const { status, close_at_reopen, close_price, close_reason, close_price_source, realized_pnl } = row;
  return { status, close_at_reopen, close_price, close_reason, close_price_source, realized_pnl };
};
const waiting = { status: 'open', close_at_reopen: true, close_price: null, close_reason: null };
/** Everything that the prices so far cross is in the engine's queue before this command, which changes nothing. */
const settled = async () => {
  const { close_at_reopen } = await position();
  await ask(close_at_reopen);
};
const isStale = () =>
  expect
    .poll(async () => {
      const { data } = await trader.client
        .from('trading_pairs')
        .select('state')
        .eq('symbol', symbol)
        .single();
      return data?.state;
    })
    .toBe('stale');
const comesTo = (row: Partial<Row>) => expect.poll(position).toMatchObject(row);

test('A98: a closed market refuses a close; a requested one happens at the first price after the reopening and no earlier', async () => {
  expect(refusal(await close())).toMatchObject({ status: 409, message: 'Market is closed.' });
  const { data, error } = await ask();
  expect(error).toBeNull();
  expect(data).toMatchObject({ id, status: 'open', close_at_reopen: true, version: 2 });
  report('103');
  await settled();
  expect(await position()).toMatchObject(waiting);

  // Open again by the clock, and still the price of the close.
  await goTo(nextOpening(hours, floor.clock.now()));
  await isStale();
  await settled();
  expect(await position()).toMatchObject(waiting);

  report('98.5');
  await comesTo({ status: 'closed', close_at_reopen: false, close_price: 98.5, realized_pnl: -1.5 });
  expect(await position()).toMatchObject({ close_reason: 'manual', close_price_source: 'live' });
  expect(await floor.notices(trader)).toEqual([
    {
      kind: 'close_at_reopen',
      message: 'Closed at the next price: BUY 1 AAPL was closed at 98.50, PnL -1.50 USDT.',
    },
  ]);
});

test.each([
  ['stop loss', '93', 'stop_loss', -7],
  ['liquidation price', '80', 'liquidation', -10],
])(
  'A98, A05: a gap through the %s closes it as that, once, at the price of the reopening',
  async (_, price, reason, pnl) => {
    expect((await ask()).error).toBeNull();
    await morning(price);
    await comesTo({ status: 'closed', close_price: Number(price), close_reason: reason, realized_pnl: pnl });
    report('99');
    await settled();
    expect(await floor.notices(trader)).toMatchObject([{ kind: reason }]);
    expect(await floor.wallet(trader)).toEqual({ balance: 10_000 + pnl, available: 10_000 + pnl });
  },
);

test('A98: a withdrawn request leaves the position open at the reopening, with its stop loss', async () => {
  await ask();
  const { data } = await ask(false);
  expect(data).toMatchObject({ close_at_reopen: false, stop_loss_price: 95, version: 3 });
  await morning('99');
  await settled();
  expect(await position()).toMatchObject({ ...waiting, close_at_reopen: false });
  expect(refusal(await ask())).toEqual({
    status: 409,
    code: 'market_open',
    message: 'The market is open. Close the position now.',
  });
  expect((await close()).data).toMatchObject({ close_price: 99, close_reason: 'manual' });
});

test('A98: a restart in the night loses no request, and uses no earlier price', async () => {
  await ask();
  await floor.restart();
  await settled();
  expect(await position()).toMatchObject(waiting);
  await goTo(nextOpening(hours, floor.clock.now()));
  // The feed has sent nothing yet when the server is up again.
  floor.feed.changeSource('simulated');
  await floor.restart();
  await settled();
  expect(await position()).toMatchObject(waiting);
  report('102');
  await comesTo({ status: 'closed', close_price: 102, close_reason: 'manual' });
});

test('a double click is one request; the same client id gets the same answer, with another value it is refused', async () => {
  const answers = await Promise.all([ask(), ask(), ask(true, { p_client_id: 'ask' })]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(answers.map(({ data }) => [data.close_at_reopen, data.version])).toEqual(
    Array.from({ length: 3 }, () => [true, 2]),
  );
  expect((await ask(true, { p_client_id: 'ask' })).data).toEqual(answers[2].data);
  expect((await ask(false, { p_client_id: 'ask' })).error?.code).toBe('idempotency_conflict');
  await ask(false);
});

test('X-20: another user’s position does not exist; an invalid request is refused', async () => {
  const stranger = await floor.addUser('trader');
  const foreign = refusal(await ask(true, {}, stranger));
  expect(foreign).toMatchObject({ status: 404, message: 'Position not found' });
  const unknown = { p_position_id: '00000000-0000-4000-8000-000000000000' };
  expect(refusal(await ask(true, unknown))).toEqual(foreign);
  const malformed = [{ p_wanted: 'yes' }, { p_wanted: null }, { p_position_id: 'x' }, { p_size: 0.5 }];
  for (const more of malformed) {
    expect((await ask(true, more)).status).toBe(400);
  }
  expect(await position()).toMatchObject({ ...waiting, close_at_reopen: false });
});

test('A45, A09, A21: requests during impersonation are audited; an edit, a protection and a restriction leave it waiting', async () => {
  const support = await floor.addUser('admin');
  await floor.impersonate(support, trader);
  expect((await ask(true, {}, support)).data).toMatchObject({ close_at_reopen: true });
  expect((await floor.audit(trader.id)).at(-1)).toMatchObject({
    actor_id: support.id,
    action: 'position.close_at_reopen',
    detail: { id, close_at_reopen: true },
  });
  const { error } = await floor.admin.client
    .from('positions')
    .update({ leverage: 5, reason: 'A correction' })
    .eq('id', id);
  expect(error).toBeNull();
  const protect = { p_position_id: id, p_take_profit_price: 130, p_stop_loss_price: null };
  expect((await trader.client.rpc('set_take_profit_stop_loss', protect)).data).toMatchObject({
    ...{ close_at_reopen: true, take_profit_price: 130, leverage: 5 },
  });
  const restrict = { p_user_id: trader.id, p_restricted: true, p_reason: 'A check' };
  expect((await floor.call(floor.admin, 'restrict_user', restrict)).status).toBe(200);
  await morning('97');
  await comesTo({ status: 'closed', close_price: 97, close_reason: 'manual', realized_pnl: -3 });
});

test('A102, A73: a reset and a deletion end it in the night', async () => {
  await ask();
  expect((await trader.client.rpc('reset_account')).error).toBeNull();
  expect(await position()).toMatchObject({ status: 'closed', close_at_reopen: false, close_price: 100 });
  const removal = { p_user_id: trader.id, p_reason: 'Requested it' };
  expect((await floor.call(floor.admin, 'delete_user_with_data', removal)).status).toBe(200);
});
