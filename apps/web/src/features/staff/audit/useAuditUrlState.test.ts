import { expect, test } from 'vitest';
import { auditUrlState, isFiltered, toFilterSearch, withFilter } from './useAuditUrlState.ts';

const id = '00000000-0000-4000-8000-000000000001';
const { initial: nothing, parse, write } = auditUrlState;

test('the state is written to the URL and read back', () => {
  const before = { side: 'before', at: '2026-11-22T03:00:00.123456Z', id: 12 } as const;
  const state = { ...nothing, actor: id, action: 'funds.adjust', from: '2026-11-01', before, row: 7 };
  expect(parse(new URLSearchParams(`${write(new URLSearchParams(), state)}`))).toEqual(state);
  expect(toFilterSearch({ actor: id })).toBe(`?actor=${id}`);
});

test('another filter starts at the newest entry, with none expanded', () => {
  const params = new URLSearchParams(`actor=${id}&before=2026-11-22T03:00:00Z~3&row=9`);
  expect(parse(write(params, withFilter({ actor: null, from: '' })))).toEqual(nothing);
});

test('invalid filters are ignored', () => {
  const params = new URLSearchParams(
    'actor=me&object=1&request=a"b&action=a)b&from=2026-02-31&to=yesterday&before=now~1&after=2026-11-22T03:00:00Z&row=-1',
  );
  expect(parse(params)).toEqual(nothing);
  const { before, after, row, ...filter } = nothing;
  expect(isFiltered(filter)).toBe(false);
  expect(isFiltered({ ...filter, actor: id })).toBe(true);
});
