/** Tests the reasons that prevent closing a position now, and the panel's texts about them (A98, A110). */
import { expect, test } from 'vitest';
import type { LastPrice, PriceStream } from '../../market/index.ts';
import { formatStayOpen } from './closing-all.ts';
import { getLaterClose } from './reopening.ts';

const streamOf = (last: Partial<LastPrice> | undefined) =>
  ({ latest: () => last as LastPrice | undefined }) as unknown as PriceStream;

test.each([
  ['a market that trades', { market_open: true, state: 'live' }, null],
  ['a stale price, which closes at the mark', { market_open: true, state: 'stale' }, null],
  ['a shut market', { market_open: false, state: 'closed' }, 'reopening'],
  ['a price that is held back', { market_open: true, state: 'stale', held: true }, 'next price'],
  ['no price, which closes at the entry', undefined, null],
] as const)('A98, A110: %s', (_, last, later) => {
  expect(getLaterClose(streamOf(last), 'BTCUSDT')).toBe(later);
});

test('A110: positions that stay open are listed with the reason', () => {
  expect(formatStayOpen(['reopening'])).toBe('1 stay open: their market is closed.');
  expect(formatStayOpen(['next price', 'next price'])).toBe('2 stay open: their price is held back.');
  expect(formatStayOpen(['next price', 'reopening'])).toBe(
    '2 stay open: their market is closed, or their price is held back.',
  );
});
