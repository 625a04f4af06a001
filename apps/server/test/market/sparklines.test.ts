/** The curves of the market list, over the bars of a scripted provider. */
import { randomUUID } from 'node:crypto';
import { hourMs } from '@fulcrum/domain';
import { expect, test } from 'vitest';
import { createSparklines } from '../../src/features/market/sparklines.ts';
import { testLog } from '../harness/index.ts';
import { chart, failing, open, start } from './candles-server.ts';

const caller = {
  role: 'trader',
  userId: randomUUID(),
  accountId: randomUUID(),
  actorId: randomUUID(),
  sessionId: randomUUID(),
  impersonationId: null,
} as const;

async function setUp() {
  const setting = await open(start);
  const read = createSparklines({
    log: testLog,
    timers: setting.timers,
    isListed: (symbol) => symbol !== 'UNLISTED',
    candles: setting.candles.candles,
  });
  return { setting, ask: (...symbols: string[]) => read(caller, { p_symbols: symbols }) };
}

test('market list: one request answers the last 24 hours of several markets, each read once', async () => {
  const { setting, ask } = await setUp();
  const answer = await ask('BTCUSDT', 'ETHUSDT', 'UNLISTED', 'BTCUSDT');
  expect(answer.map(({ symbol }) => symbol).sort()).toEqual(['BTCUSDT', 'ETHUSDT']);
  const { requests } = setting.provider;
  expect(new Set(requests.map(({ symbol, timeframe }) => `${symbol} ${timeframe}`))).toEqual(
    new Set(['BTCUSDT 1h', 'ETHUSDT 1h']),
  );
  expect(requests).toHaveLength(2);
  const bars = await chart(setting, '1h', 24);
  expect(answer.find(({ symbol }) => symbol === 'BTCUSDT')?.closes).toEqual([
    bars[0]?.open,
    ...bars.map(({ close }) => close),
  ]);

  const statements = setting.statements();
  expect(await ask('ETHUSDT', 'BTCUSDT')).toHaveLength(2);
  expect(setting.statements()).toBe(statements);
  await setting.timers.advance(hourMs);
  await ask('BTCUSDT');
  expect(setting.statements()).toBeGreaterThan(statements);
});

test('market list: a market whose provider fails is left out, and the others have their curves', async () => {
  const { setting, ask } = await setUp();
  await ask('ETHUSDT');
  setting.provider.before = failing;
  expect((await ask('BTCUSDT', 'ETHUSDT')).map(({ symbol }) => symbol)).toEqual(['ETHUSDT']);
});

test('market list: the answer does not wait for a slow provider', async () => {
  const { setting, ask } = await setUp();
  await ask('ETHUSDT');
  setting.provider.before = () => new Promise(() => undefined);
  const waiting = ask('BTCUSDT', 'ETHUSDT');
  await setting.timers.advance(2_000);
  expect((await waiting).map(({ symbol }) => symbol)).toEqual(['ETHUSDT']);
});
