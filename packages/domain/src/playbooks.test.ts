import { describe, expect, test } from 'vitest';
import { asMoney, parseDecimal } from './money.ts';
import {
  type PlaybookTrade,
  parsePlaybook,
  playbookFaults,
  playbookLimits,
  playbookResultOf,
} from './playbooks.ts';

const money = (text: string) => asMoney(parseDecimal(text));
const units = (text: string) => parseDecimal(text);

/** `net` before 1 USDT of fees. */
const trade = (
  net: string,
  risk: string | null,
  { met = [], unmet = [] }: Partial<Pick<PlaybookTrade, 'met' | 'unmet'>> = {},
): PlaybookTrade => ({
  trade: {
    id: net,
    symbol: 'BTCUSDT',
    side: 'BUY',
    realizedPnl: money(net),
    fees: money('1'),
    funding: money('0'),
    risk: risk === null ? null : money(risk),
    openedAt: 0,
    closedAt: 1,
  },
  met,
  unmet,
});
const trend = 'With the trend';
const volume = 'Volume above average';

describe('the results of a playbook, reckoned by hand', () => {
  // Nets: 99, -51, 29, -1. Sum 76, mean 19. R: 99/50 = 1.98, -51/50 = -1.02; mean 0.48.
  const trades = [
    trade('100', '50', { met: [trend, volume] }),
    trade('-50', '50', { met: [volume], unmet: [trend] }),
    trade('30', null, { met: [trend] }),
    trade('0', null),
  ];
  const { all, criteria } = playbookResultOf([trend, volume], trades);

  test('A115: the average of all, in USDT and in R of those with a stop loss', () => {
    expect(all).toEqual({ trades: 4, net: units('19'), r: units('0.48'), rTrades: 2 });
  });

  test('A115: by criterion, a trade counts where it was answered', () => {
    expect(criteria).toEqual([
      {
        criterion: trend,
        // (99 + 29) / 2
        met: { trades: 2, net: units('64'), r: units('1.98'), rTrades: 1 },
        unmet: { trades: 1, net: units('-51'), r: units('-1.02'), rTrades: 1 },
      },
      {
        criterion: volume,
        // (99 - 51) / 2
        met: { trades: 2, net: units('24'), r: units('0.48'), rTrades: 2 },
        unmet: { trades: 0, net: null, r: null, rTrades: 0 },
      },
    ]);
  });

  test('A115: without a trade there is no figure', () => {
    expect(playbookResultOf([], [])).toEqual({
      all: { trades: 0, net: null, r: null, rTrades: 0 },
      criteria: [],
    });
  });
});

describe('a typed playbook', () => {
  test('A115: one criterion on each line, without repeats and blank lines', () => {
    expect(
      parsePlaybook({ name: '  Retest  of a\tbreakout ', criteria: `${trend}\n\n  ${trend} \n${volume}` }),
    ).toEqual({
      name: 'Retest of a breakout',
      criteria: [trend, volume],
      faults: { name: null, criteria: null },
    });
  });

  test('A115: what is too long or too much is refused', () => {
    const faultsOf = (name: string, criteria: string) => parsePlaybook({ name, criteria }).faults;
    const { nameChars, criteria, criterionChars } = playbookLimits;
    expect(faultsOf(' ', '').name).toBe(playbookFaults.name);
    expect(faultsOf('a'.repeat(nameChars + 1), '').name).toBe(playbookFaults.name);
    expect(faultsOf('a', 'a'.repeat(criterionChars + 1)).criteria).toBe(playbookFaults.criteria);
    const lines = Array.from({ length: criteria + 1 }, (_, n) => `${n}`);
    expect(faultsOf('a', lines.join('\n')).criteria).toBe(playbookFaults.criteria);
    expect(faultsOf('a', lines.slice(1).join('\n')).criteria).toBeNull();
  });
});
