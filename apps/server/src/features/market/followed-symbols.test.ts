import { expect, test } from 'vitest';
import { createManualClock } from '../../platform/clock/index.ts';
import { createFollowedSymbols } from './followed-symbols.ts';

function open() {
  const clock = createManualClock(Date.UTC(2026, 10, 20, 15));
  const inUse = new Set<string>();
  return { clock, inUse, attention: createFollowedSymbols({ clock, inUse: () => inUse }) };
}

test('a symbol in use, displayed or requested is followed at once, and no longer than that', () => {
  const { clock, inUse, attention } = open();
  const isFollowed = (symbol: string) => attention.followed()(symbol);
  expect([isFollowed('BTCUSDT'), attention.hasViewers()]).toEqual([false, false]);

  inUse.add('BTCUSDT');
  expect([isFollowed('BTCUSDT'), isFollowed('ETHUSDT'), attention.hasViewers()]).toEqual([
    true,
    false,
    false,
  ]);

  const unwatch = [attention.follow('ETHUSDT'), attention.follow('ETHUSDT')];
  unwatch[0]!();
  unwatch[0]!();
  expect([isFollowed('ETHUSDT'), attention.hasViewers()]).toEqual([true, true]);
  expect(attention.shown()).toEqual(new Set(['ETHUSDT']));
  unwatch[1]!();
  expect([isFollowed('ETHUSDT'), attention.hasViewers()]).toEqual([false, false]);

  attention.markRequested('AAPL');
  clock.advance(9_999);
  attention.markRequested('MSFT');
  expect([isFollowed('AAPL'), attention.hasViewers()]).toEqual([true, true]);
  clock.advance(1);
  expect([isFollowed('AAPL'), isFollowed('MSFT')]).toEqual([false, true]);
});

test('a client that displays all symbols has all of them followed until it leaves', () => {
  const { attention } = open();
  const leave = [attention.followAll(), attention.followAll()];
  leave[0]!();
  leave[0]!();
  expect([attention.followed()('AAPL'), attention.hasViewers()]).toEqual([true, true]);
  expect(attention.shown()).toEqual(new Set());
  leave[1]!();
  expect([attention.followed()('AAPL'), attention.hasViewers()]).toEqual([false, false]);
});
