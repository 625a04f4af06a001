import { describe, expect, test } from 'vitest';
import { dayMs } from '../time.ts';
import { zoneOf } from '../zones.ts';
import { followUpOf, intentOf, startOfPeriod } from './intents.ts';
import { findNamedPair, readOrderRequest } from './order-request.ts';
import { createSearch } from './search.ts';

const topicsOf = (question: string): string => {
  const intent = intentOf(question);
  return intent.kind === 'search' ? 'search' : intent.topics.join(' ');
};

test.each([
  ['What is my balance?', 'account'],
  ['balance', 'account'],
  ['How much money do I have?', 'account'],
  ['equity?', 'account'],
  ['How much margin am I using?', 'margin'],
  ['What is my open risk?', 'risk'],
  ['How much could I lose?', 'risk'],
  ['Show my positions', 'positions'],
  ['Am I long BTC?', 'positions'],
  ['How far am I from liquidation?', 'liquidation'],
  ['How close are my positions to liquidation?', 'liquidation positions'],
  ['How did I do this week?', 'result'],
  ['What’s my win rate?', 'result'],
  ['How am I doing?', 'result'],
  ['How much did I lose today?', 'result'],
  ['My profit today', 'result'],
  ['Which habit costs me the most?', 'habits'],
  ['What are my mistakes?', 'habits'],
  ['What did I pay in fees?', 'fees'],
  ['How much funding did I receive?', 'funding'],
  ['How does funding work?', 'search'],
  ['What is a liquidation?', 'search'],
  ['What is margin', 'search'],
  ['How do I close a position?', 'search'],
  ['Can I reset my account?', 'search'],
  ['Why was my position liquidated?', 'liquidation positions'],
  ['Who wins the cup?', 'search'],
  ['', 'search'],
])('%s: %s', (question, topics) => expect(topicsOf(question)).toBe(topics));

test('a period is that of the question, 30 days where it names none', () => {
  const period = (question: string) => {
    const intent = intentOf(question);
    return intent.kind === 'account' ? intent.period : null;
  };
  expect(period('My result today')).toBe('today');
  expect(period('How did I do this week?')).toBe('7 days');
  expect(period('My result')).toBe('30 days');
  expect(period('What did I pay in fees ever?')).toBe('all time');
  const now = Date.parse('2026-11-28T00:30:00Z');
  const berlin = zoneOf('Europe/Berlin');
  expect(startOfPeriod('today', now, berlin)).toBe(Date.parse('2026-11-27T23:00:00Z'));
  expect(startOfPeriod('7 days', now, berlin)).toBe(now - 7 * dayMs);
  expect(startOfPeriod('all time', now, berlin)).toBeNull();
});

const pairs = [
  { symbol: 'BTCUSDT', name: 'Bitcoin', nickname: null, baseAsset: 'BTC', quoteAsset: 'USDT' },
  { symbol: 'ETHUSDT', name: 'Ethereum', nickname: null, baseAsset: 'ETH', quoteAsset: 'USDT' },
  { symbol: 'EUR/USD', name: 'Euro / US Dollar', nickname: 'Fiber', baseAsset: 'EUR', quoteAsset: 'USD' },
  { symbol: 'EUR/GBP', name: 'Euro / Pound', nickname: null, baseAsset: 'EUR', quoteAsset: 'GBP' },
  { symbol: 'SPX', name: 'S&P 500', nickname: 'Spooz', baseAsset: 'SPX', quoteAsset: 'USD' },
];

describe('an order', () => {
  const order = (more: Record<string, unknown>) => ({
    kind: 'order',
    order: {
      ...{ symbol: 'BTCUSDT', side: 'BUY', amount: null, leverage: null, stopLoss: null, takeProfit: null },
      ...more,
    },
  });
  test.each([
    ['buy 0.1 BTC at 10x', { amount: '0.1', leverage: 10 }],
    ['Please buy 0.1 bitcoin with leverage 10', { amount: '0.1', leverage: 10 }],
    ['I want to short 2 ETH 5x', { symbol: 'ETHUSDT', side: 'SELL', amount: '2', leverage: 5 }],
    ['long BTCUSDT', {}],
    ['go long 1,000 EUR/USD', { symbol: 'EUR/USD', amount: '1000' }],
    [
      'buy 0.1 BTC at 10x with stop loss at 60000 and take profit 70000',
      { amount: '0.1', leverage: 10, stopLoss: '60000', takeProfit: '70000' },
    ],
    ['sell 1 S&P 500', { symbol: 'SPX', side: 'SELL', amount: '1' }],
    ['sell 2 spooz.', { symbol: 'SPX', side: 'SELL', amount: '2' }],
  ])('%s', (text, more) => expect(readOrderRequest(text, pairs)).toEqual(order(more)));

  test.each([
    ['buy 0.1 DOGE', 'names no symbol'],
    ['buy 100 euro', 'names no symbol'],
    ['buy 500 USDT of BTC', 'has to be in BTC'],
    ['buy $500 BTC', 'has to be in BTC'],
    ['buy 100$ of BTC', 'has to be in BTC'],
    ['buy 100 euros of BTC', 'has to be in BTC'],
    ['buy BTC for 500', 'has to be in BTC'],
    ['buy 50% BTC', 'has to be in BTC'],
    ['buy 0.1 BTC sl 5%', 'amount'],
    ['buy 0.1 BTC sl 60k', 'amount'],
    ['buy 0.1 BTC when it falls', '"when" is not understood'],
    ['buy 1 2 BTC', 'more than one amount'],
    ['buy 0,1 BTC', 'two ways'],
    ['buy 0.1 BTC at 500x', 'leverage'],
  ])('%s is incomplete: %s', (text, reason) =>
    expect(readOrderRequest(text, pairs)).toEqual({
      kind: 'incomplete',
      reason: expect.stringContaining(reason),
    }),
  );

  test.each([
    'close my position',
    'sell my BTC position',
    'Cancel all orders',
    'please move my stop to 60000',
    'withdraw 100',
  ])('%s is an action', (text) => expect(readOrderRequest(text, pairs)).toEqual({ kind: 'action' }));
  test.each([
    'What is my balance?',
    'How do I buy BTC?',
    'Should I buy BTC?',
    'long or short?',
    'open positions?',
    'open positions',
  ])('%s is no order', (text) => expect(readOrderRequest(text, pairs)).toBeNull());
});

test('a name that could mean several pairs means none', () => {
  const find = (text: string, more: readonly (typeof pairs)[number][] = []) => {
    const found = findNamedPair(text, [...pairs, ...more], 'cased');
    return found === null || found === 'several' ? found : found.symbol;
  };
  const now = { ...pairs[4]!, symbol: 'NOW', baseAsset: 'NOW', name: 'ServiceNow', nickname: null };
  const cash = { ...pairs[0]!, symbol: 'BCHUSDT', baseAsset: 'BCH', name: 'Bitcoin Cash' };
  expect(find('my BTC position')).toBe('BTCUSDT');
  expect(find('my bitcoin position')).toBe('BTCUSDT');
  expect(find('my EURUSD position')).toBe('EUR/USD');
  expect(find('my position')).toBeNull();
  expect(find('my risk now', [now])).toBeNull();
  expect(find('my NOW and BTC positions', [now])).toBe('several');
  expect(find('my Bitcoin Cash position', [cash])).toBe('BCHUSDT');
  expect(find('my bitcoin', [{ ...pairs[0]!, symbol: 'BTCUSDC', baseAsset: 'XBT' }])).toBe('several');
  expect(readOrderRequest('buy 0.1 btc now', [...pairs, now])).toMatchObject({ kind: 'incomplete' });
});

test('a search finds by stems, and nothing for terms that no passage has', () => {
  const search = createSearch([
    { id: 'a', title: 'How funding works', text: 'It is due every 8 hours.' },
    { id: 'b', title: 'Set a stop loss', text: 'It closes the position by itself.', terms: 'protection' },
    { id: 'c', title: 'Change a password', text: 'Choose a new one in your profile.' },
  ]);
  const ids = (query: string) => search(query, 3).map(({ passage }) => passage.id);
  expect(ids('how do I set stop losses?')).toEqual(['b']);
  expect(ids('changing passwords')).toEqual(['c']);
  expect(ids('sl')).toEqual(['b']);
  expect(ids('funding')).toEqual(['a']);
  expect(ids('weather in Paris')).toEqual([]);
  expect(ids('the of and')).toEqual([]);
});

describe('a question that follows another one', () => {
  const before = { topics: ['fees'], period: '7 days', symbol: 'BTCUSDT' } as const;
  test.each([
    ['And ETH?', 'ETHUSDT', { ...before, symbol: 'ETHUSDT' }],
    ['and for eth', 'ETHUSDT', { ...before, symbol: 'ETHUSDT' }],
    ['What about today?', null, { ...before, period: 'today' }],
    ['and my result?', null, { ...before, topics: ['result'] }],
    [
      'How about funding for ETH today',
      'ETHUSDT',
      { topics: ['funding'], period: 'today', symbol: 'ETHUSDT' },
    ],
    ['the same for ETH', 'ETHUSDT', { ...before, symbol: 'ETHUSDT' }],
  ] as const)('%s', (question, named, subject) => {
    expect(followUpOf(question, named, before)).toEqual(subject);
  });
  test.each([
    ['And how does funding work?', null],
    ['and what is a liquidation', null],
    ['and the weather?', null],
    ['What about it?', null],
    ['What is my balance?', null],
    ['ETH', 'ETHUSDT'],
  ] as const)('%s is a question of its own', (question, named) => {
    expect(followUpOf(question, named, before)).toBeNull();
  });
});
