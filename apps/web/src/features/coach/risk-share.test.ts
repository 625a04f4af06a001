import { isRiskShareMax } from '@fulcrum/domain';
import { expect, test } from 'vitest';
import { parseRiskShare } from './risk-share.ts';

test('a share is parsed like every other amount', () => {
  expect(['2,5', '2.5 %', ' 10% ', '0.01', '100'].map(parseRiskShare)).toEqual([2.5, 2.5, 10, 0.01, 100]);
  expect(['', '  '].map(parseRiskShare)).toEqual([null, null]);
});

test('what has two meanings or another notation is no share', () => {
  const isShare = (text: string) => isRiskShareMax(parseRiskShare(text) ?? 0);
  expect(['1,000', '0x10', '1e1', '-1', 'x', '%', '0', '0.001', '101', '5k'].filter(isShare)).toEqual([]);
});
