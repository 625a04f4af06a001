import { expect, test } from 'vitest';
import { type Calculators, initialCalculators } from './input-texts.ts';
import { parseInputs, serializeInputs } from './stored-inputs.ts';

const typed: Calculators = {
  pnl: {
    symbol: 'BTCUSDT',
    still: { state: 'stale', since: 1_763_647_402_000 },
    side: 'SELL',
    entryPrice: '64000.00',
    exitPrice: '1.5k',
    size: 'twelve',
    leverage: '126',
  },
  risk: { ...initialCalculators.risk, account: '10000', riskPercent: 0.3 },
  position: { ...initialCalculators.position, still: { state: 'closed', since: null }, leverage: 125 },
};

test('Inputs are restored as they were typed, also invalid ones', () => {
  expect(parseInputs(serializeInputs(typed))).toEqual(typed);
});

test.each([null, '', '{', 'null', '[]', '7', '{"version":2}'])('%j is none', (text) => {
  expect(parseInputs(text)).toEqual(initialCalculators);
});

const damaged = (of: Partial<Record<keyof Calculators, object>>) =>
  JSON.stringify({ version: 1, ...typed, ...of });

test.each([
  ['a number for a text', { pnl: { ...typed.pnl, size: 1 } }, 'pnl'],
  ['a side that there is not', { pnl: { ...typed.pnl, side: 'LONG' } }, 'pnl'],
  ['a missing field', { risk: { ...typed.risk, stopPrice: undefined } }, 'risk'],
  ['a share beyond the slider', { risk: { ...typed.risk, riskPercent: 5.1 } }, 'risk'],
  ['a share between its steps', { risk: { ...typed.risk, riskPercent: 1.000_000_000_01 } }, 'risk'],
  ['a leverage beyond its bounds', { position: { ...typed.position, leverage: 126 } }, 'position'],
  ['an unknown state', { position: { ...typed.position, still: { state: 'old', since: 1 } } }, 'position'],
] as const)('%s: that calculator is untouched, the others are restored', (_what, change, name) => {
  expect(parseInputs(damaged(change))).toEqual({ ...typed, [name]: initialCalculators[name] });
});
