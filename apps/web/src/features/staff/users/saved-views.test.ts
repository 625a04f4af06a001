import { beforeEach, expect, test } from 'vitest';
import {
  createView,
  deleteView,
  isChanged,
  parseViews,
  queryOfView,
  renameView,
  replaceView,
  type SavedView,
  savedViewsSetting,
  validateName,
  validateQuery,
  viewsMax,
} from './saved-views.ts';
import { noFilter, type UsersQuery } from './users-query.ts';

const list: UsersQuery = {
  ...noFilter,
  search: 'zoe',
  roles: ['trader'],
  sort: 'username',
  order: 'ascending',
  page: 3,
  size: 50,
  view: null,
};
const stored = () => parseViews(savedViewsSetting.read()).views;
const first = (): SavedView => {
  const [view] = stored();
  if (!view) throw new Error('no view');
  return view;
};
beforeEach(() => savedViewsSetting.apply(null));

test('a view is the list from its first page and the columns; it is renamed, replaced and deleted', () => {
  const id = createView(' Zoe ', list, { KYC: true });
  expect(first()).toMatchObject({ id, name: 'Zoe', columns: { KYC: true } });
  expect(queryOfView(first())).toEqual({ ...list, page: 1, view: id });
  renameView(id, ' Zoes ');
  replaceView(id, { ...list, search: 'z' }, {});
  expect(first()).toMatchObject({ id, name: 'Zoes', columns: {} });
  expect(queryOfView(first()).search).toBe('z');
  deleteView(id);
  expect(stored()).toEqual([]);
});

test('a view is changed by another filter, order or column, and not by another page', () => {
  createView('Zoe', list, { KYC: true, Email: false });
  const columns = { Email: false, KYC: true };
  expect(isChanged(first(), { ...list, page: 2, view: first().id }, columns)).toBe(false);
  expect(isChanged(first(), { ...list, restricted: true }, columns)).toBe(true);
  expect(isChanged(first(), { ...list, order: 'descending' }, columns)).toBe(true);
  expect(isChanged(first(), list, { KYC: true })).toBe(true);
});

test('a name is required, bounded, and taken once, those of the fixed views included', () => {
  const id = createView('Zoe', list, {});
  expect(validateName('zoe ', null, [])).toMatch(/exists/);
  expect(validateName('zoe', id, [])).toBeNull();
  expect(validateName('Restricted', null, ['Restricted'])).toMatch(/exists/);
  expect(validateName('  ', null, [])).toMatch(/Enter a name/);
  expect(validateName('x'.repeat(33), null, [])).toMatch(/at most 32/);
});

test('the stored value stays below the bound of the server, and what is no view is left out', () => {
  const managers = (count: number) =>
    Array.from({ length: count }, (_, at) => `3f2b8c1e-0000-4000-8000-${`${at}`.padStart(12, '0')}`);
  expect(validateQuery({ ...list, managers: managers(50) })).toMatch(/too many managers/);
  const large = { ...list, search: '', managers: managers(28) };
  expect(validateQuery(large)).toBeNull();
  const columns = { Email: false, Role: false, Manager: false, KYC: true, Phone: true, Balance: true };
  for (let at = 0; at < 25; at += 1) createView(`${at}`.padStart(32, '€'), large, columns);
  expect(stored()).toHaveLength(viewsMax);
  expect(new TextEncoder().encode(JSON.stringify(savedViewsSetting.read())).length).toBeLessThan(32_768);
  const [view] = stored();
  savedViewsSetting.apply({ views: [view, view, null, { id: '', name: 'x', query: '' }, { id: 1 }] });
  expect(stored()).toEqual([view]);
});
