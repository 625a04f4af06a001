import { expect, test } from 'vitest';
import { formatColleagues, parseColleagues } from './colleagues.ts';

const named = (id: string) => `agent.${id}`;

test('colleagues: the others of a conversation, writing in any of their tabs', () => {
  const state = {
    me: [{ state: 'writing' }],
    b: [{ state: 'here' }, { state: 'writing' }],
    a: [{ state: 'here' }],
  };
  expect(parseColleagues(state, 'me')).toEqual([
    { id: 'a', state: 'here' },
    { id: 'b', state: 'writing' },
  ]);
});

test('colleagues: who writes is named before who is here', () => {
  const here = (id: string) => ({ id, state: 'here' }) as const;
  expect(formatColleagues([], named)).toBeNull();
  expect(formatColleagues([here('1')], named)).toBe('agent.1 is here');
  expect(formatColleagues([here('1'), { id: '2', state: 'writing' }], named)).toBe('agent.2 is writing');
  expect(formatColleagues([here('1'), here('2')], named)).toBe('agent.1 and agent.2 are here');
  expect(formatColleagues(['1', '2', '3'].map(here), named)).toBe('agent.1, agent.2 and agent.3 are here');
  expect(formatColleagues(['1', '2', '3', '4'].map(here), named)).toBe('agent.1 and 3 others are here');
});
