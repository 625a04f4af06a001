/** A115: the assistant without a model, through the real server: facts of the own account, help, orders for the form. */
import type { AssistantAnswer } from '@fulcrum/contract';
import { minuteMs } from '@fulcrum/domain';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createManualClock, type ManualClock } from '../../src/platform/clock/index.ts';
import { startTestServer, type TestServer, type Trader } from '../harness/index.ts';

let server: TestServer;
let clock: ManualClock;

beforeAll(async () => {
  clock = createManualClock(Date.parse('2026-11-23T10:00:00Z'));
  server = await startTestServer({ clock });
});
afterAll(() => server.close());

const ask = async (
  { client }: Trader,
  question: string,
  more: Record<string, unknown> = {},
): Promise<AssistantAnswer> =>
  (await client.rpc('ask_assistant', { p_question: question, ...more }).throwOnError()).data;
const shownValue = ({ sections }: AssistantAnswer, label: string) =>
  sections.flatMap(({ facts }) => facts).find((fact) => fact.label === label)?.value;

async function open({ client }: Trader, more: Record<string, unknown> = {}): Promise<string> {
  server.feed.setPrice('BTCUSDT', '60000');
  const { data } = await client
    .rpc('open_position', { p_symbol: 'BTCUSDT', p_side: 'BUY', p_size: 0.01, p_leverage: 10, ...more })
    .throwOnError();
  return data.id;
}

test('the account’s figures are those of its rows, with the page that shows them', async () => {
  const trader = await server.signUpTrader({ balance: '1234.56' });
  const found = await ask(trader, 'What is my balance?');
  expect(found).toMatchObject({ kind: 'facts', order: null, examples: [] });
  expect(found.sections[0]).toMatchObject({ title: 'Account, now', path: '/wallet' });
  expect(shownValue(found, 'Balance')).toBe('1234.56 USDT');
  expect(shownValue(found, 'Equity')).toBe('1234.56 USDT');
  expect(shownValue(found, 'Open positions')).toBe('0');
});

test('positions, risk, margin and liquidation are the engine’s', async () => {
  const trader = await server.signUpTrader();
  const id = await open(trader, { p_stop_loss_price: 59_000 });
  server.feed.setPrice('BTCUSDT', '59500');
  const { data: row } = await trader.client
    .from('positions')
    .select('*')
    .eq('id', id)
    .single()
    .throwOnError();
  const positions = await ask(trader, 'Show my positions');
  expect(positions.sections.map(({ title, path }) => [title, path])).toEqual([
    ['Open positions, now', '/trading'],
    ['BTCUSDT long', '/trading?symbol=BTCUSDT'],
  ]);
  expect(shownValue(positions, 'Amount')).toBe('0.01 BTC');
  expect(shownValue(positions, 'Leverage')).toBe('10x');
  expect(shownValue(positions, 'Unrealized result')).toBe('-5.00 USDT');
  expect(shownValue(positions, 'Liquidation price')).toBe(`${row.liquidation_price} USDT`);
  expect(shownValue(positions, 'Stop loss')).toBe('59000 USDT');
  const liquidation = await ask(trader, 'How far is my BTC position from liquidation?');
  const way = (100 * (60_000 - 59_500)) / (60_000 - row.liquidation_price);
  expect(Number.parseFloat(shownValue(liquidation, 'Way from entry to liquidation') ?? '')).toBeCloseTo(
    way,
    1,
  );
  const none = await ask(trader, 'How far is my ETH position from liquidation?');
  expect(none.sections[0]?.note).toBe('No position of ETHUSDT is open.');
  // (60000 - 59000) × 0.01
  expect(shownValue(await ask(trader, 'What is my open risk?'), 'Open risk')).toBe('10.00 USDT');
  expect(shownValue(await ask(trader, 'How much margin am I using?'), 'Margin of open positions')).toBe(
    '60.00 USDT',
  );
});

test('a net position with a stop order is not without a stop loss, and risks what it loses there', async () => {
  const { client: main, ...user } = await server.signUpTrader();
  const terms = { p_rules: 'perpetual', p_fill_profile: 'ideal', p_start_balance: 100_000 };
  const { data: account } = await main.rpc('create_account', { p_name: 'Net', ...terms }).throwOnError();
  const trader = { ...user, client: await server.clientIn(main, account.id) };
  const id = await open(trader);
  const risk = async () => {
    const found = await ask(trader, 'What is my open risk?');
    return [shownValue(found, 'Open risk'), shownValue(found, 'Positions without a stop loss')];
  };
  const rowOf = async () =>
    (await trader.client.from('positions').select('*').eq('id', id).single().throwOnError()).data;
  const { margin, entry_value: entryValue } = await rowOf();
  expect(await risk()).toEqual([`${margin.toFixed(2)} USDT`, '1']);
  await trader.client
    .from('orders')
    .insert({
      ...{ symbol: 'BTCUSDT', side: 'SELL', leverage: 10 },
      ...{ type: 'STOP_MARKET', trigger_price: 59_000, close_position: true },
    })
    .throwOnError();
  expect(await risk()).toEqual([`${(entryValue - 590).toFixed(2)} USDT`, '0']);
  expect(shownValue(await ask(trader, 'Show my positions'), 'Stop loss')).toBe('59000 USDT');
});

test('results of a period and habits name their trades', async () => {
  const trader = await server.signUpTrader();
  const ids: string[] = [];
  for (let n = 0; n < 3; n += 1) {
    const id = await open(trader);
    clock.advance(minuteMs);
    server.feed.setPrice('BTCUSDT', '59900');
    await trader.client.rpc('close_position', { p_position_id: id }).throwOnError();
    ids.push(id);
    clock.advance(20 * minuteMs);
  }
  const result = await ask(trader, 'How did I do this week?');
  expect(result.sections[0]?.title).toBe('Result, the last 7 days');
  expect(shownValue(result, 'Net result')).toBe('-3.00 USDT');
  expect(shownValue(result, 'Closed trades')).toBe('3');
  expect(shownValue(result, 'Win rate')).toBe('0.00 %');
  expect(shownValue(result, 'Worst trade')).toBe('-1.00 USDT, BTCUSDT, closed 2026-11-23');
  expect(shownValue(await ask(trader, 'My BTC result today'), 'Net result')).toBe('-3.00 USDT');
  expect(shownValue(await ask(trader, 'What did I pay in fees?'), 'Fees')).toBe('0.00 USDT');
  expect(shownValue(await ask(trader, 'How much funding did I pay?'), 'Funding')).toBe('0.00 USDT');
  const habits = await ask(trader, 'Which habit costs me the most?');
  const costliest = habits.sections.find(({ title }) => title.startsWith('Costliest habit: '));
  const trades = costliest?.facts.flatMap(({ trade }) => (trade === null ? [] : [trade.id])) ?? [];
  expect(new Set(trades)).toEqual(new Set(ids));
});

test('an answer is about the account of the token and of no other user', async () => {
  const [one, other] = [
    await server.signUpTrader({ balance: '111.11' }),
    await server.signUpTrader({ balance: '999.99' }),
  ];
  await open(other, { p_size: 0.001 });
  for (const question of [
    'What is my balance?',
    `What is my balance? I am ${other.userId}`,
    'Show my positions',
  ]) {
    expect(JSON.stringify(await ask(one, question))).not.toMatch(/999|BTCUSDT/);
  }
  const { data: practice } = await one.client
    .rpc('create_account', { p_name: 'Practice', p_start_balance: '5000' })
    .throwOnError();
  const { data: token } = await one.client.rpc('account_token', { p_account_id: practice.id }).throwOnError();
  const answer = await fetch(`${server.url}/rest/v1/rpc/ask_assistant`, {
    method: 'POST',
    headers: {
      apikey: server.anonKey,
      authorization: `Bearer ${token.access_token}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ p_question: 'What is my balance?' }),
  });
  expect(shownValue((await answer.json()) as AssistantAnswer, 'Balance')).toBe('5000.00 USDT');
});

test.each([
  ['How does funding work?', 'How funding works'],
  ['what is a liquidation', 'What a liquidation is'],
  ['how do i set a stop loss?', 'Set a take profit or a stop loss'],
  ['How do I change my password?', 'Change or reset a password'],
  ['Is this real money?', 'Is this real money?'],
  ['keyboard shortcuts', 'Keyboard shortcuts'],
  ['How do I get a second account?', 'Practice accounts'],
  ['can I trade from tradingview', 'Trade by signals of TradingView'],
  ['What does drawdown mean?', 'What drawdown means'],
])('%s finds "%s"', async (question, title) => {
  const found = await ask(await server.signUpTrader(), question);
  expect(found.kind).toBe('help');
  expect(found.passages[0]?.title).toBe(title);
});

test('a question that follows another one is about the same, but for what it states itself', async () => {
  const trader = await server.signUpTrader();
  await open(trader);
  const first = await ask(trader, 'Show my BTC positions');
  expect(first.about).toEqual({ topics: ['positions'], period: '30 days', symbol: 'BTCUSDT' });
  const next = await ask(trader, 'And eth?', { p_about: first.about });
  expect(next).toMatchObject({
    text: 'From your account, as in the answer before:',
    about: { topics: ['positions'], symbol: 'ETHUSDT' },
  });
  expect(next.sections.flatMap(({ note }) => note ?? []).join()).toContain('No position of ETHUSDT is open.');
  const third = await ask(trader, 'and fees today?', { p_about: next.about });
  expect(third.about).toEqual({ topics: ['fees'], period: 'today', symbol: 'ETHUSDT' });
  // Without the answer before, and with a pair that is none, nothing is guessed.
  expect((await ask(trader, 'And eth?')).kind).not.toBe('facts');
  const odd = await ask(trader, 'What about today?', { p_about: { ...third.about, symbol: 'NOPE' } });
  expect(odd.about).toEqual({ topics: ['fees'], period: 'today', symbol: null });
  const { error } = await trader.client.rpc('ask_assistant', { p_question: 'x', p_about: { topics: ['x'] } });
  expect(error?.code).toBe('invalid_argument');
});

test('what is not understood is stated, with examples that are understood', async () => {
  const trader = await server.signUpTrader();
  for (const question of ['Who wins the world cup?', '', 'asdf qwer']) {
    const found = await ask(trader, question);
    expect(found).toMatchObject({ kind: 'none', sections: [], passages: [], order: null });
    for (const example of found.examples) expect((await ask(trader, example)).kind).not.toBe('none');
  }
});

test('an order fills the form and trades nothing', async () => {
  const trader = await server.signUpTrader();
  const found = await ask(trader, 'buy 0.1 BTC at 10x with stop loss at 59000');
  expect(found).toMatchObject({
    kind: 'order',
    order: {
      symbol: 'BTCUSDT',
      side: 'BUY',
      amount: '0.1',
      leverage: 10,
      stop_loss: '59000',
      take_profit: null,
    },
  });
  expect((await ask(trader, 'buy $500 of BTC')).text).toContain('has to be in BTC');
  expect((await ask(trader, 'close my position')).text).toContain('changes nothing');
  const { rows } = await server.db.query(
    'select (select count(*) from app.orders where user_id = $1)::int as orders, (select count(*) from app.positions where user_id = $1)::int as positions',
    [trader.userId],
  );
  expect(rows).toEqual([{ orders: 0, positions: 0 }]);
});

test('a suggestion for support is a passage of the help, or nothing', async () => {
  const { client } = await server.signUpTrader();
  const suggest = async (text: string) =>
    (await client.rpc('suggest_answer', { p_text: text }).throwOnError()).data;
  expect(await suggest('hello, why was my position liquidated??')).toMatchObject({
    title: 'Why was my position liquidated?',
  });
  expect(await suggest('hello')).toBeNull();
});

test('without a model the assistant states none, and the stream has the answer alone', async () => {
  const trader = await server.signUpTrader();
  const { data: terms } = await trader.client.rpc('get_assistant').throwOnError();
  expect(terms.model).toBeNull();
  const { data } = await trader.client.auth.getSession();
  const answer = await fetch(`${server.url}/assistant/v1/answer`, {
    method: 'POST',
    headers: { authorization: `Bearer ${data.session?.access_token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ p_question: 'What is my balance?' }),
  });
  const lines = (await answer.text())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines).toMatchObject([
    { type: 'answer', sent: null, refusal: null, answer: { kind: 'facts' } },
    { type: 'end', reason: 'no_model' },
  ]);
});

test('a question has a bound, and an unknown time zone is refused', async () => {
  const { client } = await server.signUpTrader();
  const long = await client.rpc('ask_assistant', { p_question: 'x'.repeat(501) });
  expect([long.status, long.error?.code]).toEqual([400, 'invalid_argument']);
  const zone = await client.rpc('ask_assistant', { p_question: 'My result', p_time_zone: 'Mars/Base' });
  expect([zone.status, zone.error?.code]).toEqual([400, 'invalid_argument']);
});
