import { expect, test } from 'vitest';
import { parseReport } from './frame.ts';

const source = 'fulcrum-third-party';

test('A35, ERR-39, ERR-40: a failure of the frame has the stated text', () => {
  expect(parseReport({ source, state: 'ready', reason: null })).toEqual({ state: 'ready' });
  expect(parseReport({ source, state: 'failed', reason: 'script' })).toEqual({
    state: 'failed',
    text: 'Failed to load TradingView widget',
  });
  expect(parseReport({ source, state: 'failed', reason: 'widget' })).toEqual({
    state: 'failed',
    text: 'TradingView not available',
  });
  expect(parseReport({ source, state: 'failed' })).toMatchObject({
    text: 'Failed to load TradingView widget',
  });
});

test.each([
  [null],
  ['ready'],
  [{ state: 'ready' }],
  [{ source: 'tv', state: 'ready' }],
  [{ source, state: 'odd' }],
])('%j is no message of the frame page', (message) => expect(parseReport(message)).toBeNull());
