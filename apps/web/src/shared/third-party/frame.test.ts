import { expect, test } from 'vitest';
import { readReport } from './frame.ts';

const source = 'fulcrum-third-party';

test('A35, ERR-39, ERR-40: the frame’s reason is told in the stated words', () => {
  expect(readReport({ source, state: 'ready', reason: null })).toEqual({ state: 'ready' });
  expect(readReport({ source, state: 'failed', reason: 'script' })).toEqual({
    state: 'failed',
    text: 'Failed to load TradingView widget',
  });
  expect(readReport({ source, state: 'failed', reason: 'widget' })).toEqual({
    state: 'failed',
    text: 'TradingView not available',
  });
  expect(readReport({ source, state: 'failed' })).toMatchObject({
    text: 'Failed to load TradingView widget',
  });
});

test.each([
  [null],
  ['ready'],
  [{ state: 'ready' }],
  [{ source: 'tv', state: 'ready' }],
  [{ source, state: 'odd' }],
])('%j is no word of the frame page', (message) => expect(readReport(message)).toBeNull());
