import { expect, test } from 'vitest';
import { isFiltered, parseUrlState, withCursor, withFilter, withOpen } from './url-state.ts';

const id = '00000000-0000-4000-8000-000000000001';
const nothing = {
  actor: null,
  subject: null,
  object: null,
  request: null,
  action: null,
  from: null,
  to: null,
};

test('the state is written to the URL and read back', () => {
  const cursor = { side: 'before', at: '2026-11-22T03:00:00.123456Z', id: 12 } as const;
  const filter = { ...nothing, actor: id, action: 'funds.adjust', from: '2026-11-01' };
  const params = withOpen(withCursor(withFilter(new URLSearchParams(), filter), cursor), 7);
  expect(parseUrlState(new URLSearchParams(params.toString()))).toEqual({ filter, cursor, openId: 7 });
  expect(isFiltered(filter)).toBe(true);
});

test('another filter starts at the newest entry, with none expanded', () => {
  const params = new URLSearchParams(`actor=${id}&before=2026-11-22T03:00:00Z~3&row=9`);
  expect(parseUrlState(withFilter(params, { actor: null, from: '' }))).toEqual({
    filter: nothing,
    cursor: null,
    openId: null,
  });
});

test('invalid filters are ignored', () => {
  const params = new URLSearchParams(
    'actor=me&object=1&request=a"b&action=a)b&from=2026-02-31&to=yesterday&before=now~1&after=2026-11-22T03:00:00Z&row=-1',
  );
  expect(parseUrlState(params)).toEqual({ filter: nothing, cursor: null, openId: null });
  expect(isFiltered(nothing)).toBe(false);
});
