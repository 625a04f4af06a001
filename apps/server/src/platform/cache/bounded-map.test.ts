import { expect, test } from 'vitest';
import { BoundedMap } from './bounded-map.ts';

test('a further key evicts the entry that came first', () => {
  const evicted: string[] = [];
  const map = new BoundedMap<string, number>(2, (key) => evicted.push(key));
  map.set('a', 1).set('b', 2).set('a', 3);
  expect([...map]).toEqual([
    ['a', 3],
    ['b', 2],
  ]);
  map.set('c', 4);
  expect([...map.keys()]).toEqual(['b', 'c']);
  expect(evicted).toEqual(['a']);
});

test('a key that was set as the newest outlives the others, and evicts none', () => {
  const map = new BoundedMap<string, number>(2);
  map.set('a', 1).set('b', 2).setNewest('a', 1);
  expect([...map.keys()]).toEqual(['b', 'a']);
  expect([...map.set('c', 3).keys()]).toEqual(['a', 'c']);
});
