import { describe, expect, test } from 'vitest';
import { checkForm, differingFields, emptyForm, rebaseForm, toForm, toTerms } from './class-form.ts';
import type { Class } from './queries.ts';

const seen: Class = {
  id: 'c',
  name: '9b Economics',
  begins_at: '2026-11-01T08:00:12.345Z',
  ends_at: '2026-12-01T08:00:30.500Z',
  start_balance: 5000,
  rules: 'standard',
  leverage_max: 10,
  symbols: ['BTCUSDT'],
  positions_max: 1,
  tutors: [{ id: 't1', username: 'tom' }],
  members_see_each_other: true,
  members: 0,
  version: 1,
};
const form = toForm(seen);

describe('A112: the form of a class', () => {
  test('sends a class back as it is stored', () => {
    expect(toTerms(form, seen)).toEqual({
      p_name: '9b Economics',
      p_begins_at: seen.begins_at,
      p_ends_at: seen.ends_at,
      p_start_balance: '5000',
      p_rules: 'standard',
      p_leverage_max: 10,
      p_symbols: ['BTCUSDT'],
      p_positions_max: 1,
      p_tutor_ids: ['t1'],
      p_members_see_each_other: true,
    });
  });

  test('sends a time that was changed to the minute, and the other one as it is stored', () => {
    const begins = '2026-11-02T08:00';
    expect(toTerms({ ...form, begins }, seen)).toMatchObject({
      ...{ p_begins_at: new Date(begins).toISOString(), p_ends_at: seen.ends_at },
    });
  });

  test('reads symbols in any case and separation, each once, and an empty field as every market', () => {
    expect(toTerms({ ...form, symbols: 'btcusdt, ethusdt;BTCUSDT' }, seen).p_symbols).toEqual([
      'BTCUSDT',
      'ETHUSDT',
    ]);
    expect(toTerms({ ...form, symbols: ' ' }, seen).p_symbols).toBeNull();
  });

  test.each([
    ['name', '  ', 'Give the class a name.'],
    ['name', 'n'.repeat(41), 'A name has at most 40 characters.'],
    ['ends', '2026-10-01T08:00', 'Choose a time after the class begins.'],
    ['ends', '12026-10-01T08:00', 'Choose a date and a time.'],
    ['balance', '0', 'Type an amount from 1 to 10000000, such as 10000.'],
    ['balance', '10000001', 'Type an amount from 1 to 10000000, such as 10000.'],
    ['leverage', '126', 'Type a whole number from 1 to 125.'],
    ['positions', '9999', 'Type a whole number from 1 to 2000, or leave it empty.'],
    [
      'symbols',
      Array.from({ length: 101 }, (_, index) => `S${index}`).join(),
      'Name at most 100 symbols, or leave it empty for every market.',
    ],
    ['symbols', 'X'.repeat(33), `There is no market ${'X'.repeat(32)}… Check the symbols.`],
  ])('refuses %s %j in own words', (field, text, objection) => {
    expect(checkForm({ ...form, [field]: text })).toMatchObject({ [field]: objection });
  });

  test('has no objection to what it offers, but for the name', () => {
    const { name, ...others } = checkForm(emptyForm(Date.UTC(2026, 10, 28)));
    expect(name).toBe('Give the class a name.');
    expect(Object.values(others).filter((objection) => objection !== null)).toEqual([]);
  });

  test('keeps what the user changed, and takes the newer value of what they did not', () => {
    const now = { ...seen, name: '9b first', positions_max: 5, tutors: [], version: 2 };
    const mine = { ...form, positions: '3', symbols: 'ETHUSDT' };
    const rebased = rebaseForm(seen, now, mine);
    expect(rebased).toEqual({ ...toForm(now), positions: '3', symbols: 'ETHUSDT' });
    expect(differingFields(toForm(now), rebased)).toEqual(['symbols', 'positions']);
  });

  test('gives up a changed balance when the class has a member by now', () => {
    const now = { ...seen, members: 1, version: 2 };
    expect(rebaseForm(seen, now, { ...form, balance: '7000', name: 'Mine' })).toEqual({
      ...form,
      name: 'Mine',
    });
  });

  test('the order of tutors is no change', () => {
    expect(differingFields({ ...form, tutors: ['a', 'b'] }, { ...form, tutors: ['b', 'a'] })).toEqual([]);
  });
});
