import { expect, test } from 'vitest';
import { UseCounter } from './use-counter.ts';

test('counts uses by key and in all; a use ends once, and a key without one is forgotten', () => {
  const counter = new UseCounter();
  const ended: string[] = [];
  const endFirst = counter.begin('a');
  const endSecond = counter.begin('a', () => ended.push('a'));
  counter.begin('b');
  expect([counter.of('a'), counter.of('b'), counter.of('c'), counter.total]).toEqual([2, 1, 0, 3]);
  endFirst();
  endFirst();
  expect([counter.of('a'), counter.total, ended]).toEqual([1, 2, []]);
  endSecond();
  endSecond();
  expect([[...counter.keys()], counter.total, ended]).toEqual([['b'], 1, ['a']]);
});
