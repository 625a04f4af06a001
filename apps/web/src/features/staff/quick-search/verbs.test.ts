import { expect, test } from 'vitest';
import { groupEntries } from './entries.ts';
import { parseVerb } from './verbs.ts';

const kira = {
  id: '00000000-0000-4000-8000-000000000001',
  username: 'kira',
  email: 'kira@example.test',
  role: 'trader',
  kyc_status: 'verified',
  restricted_at: null,
  manager: null,
  chat_session_id: null,
} as const;
const found = { users: [kira], positions: [], chats: [], messages: [] };

test('quick search: a verb before a name, for roles that may act on users', () => {
  expect(parseVerb('admin', 'funds kira')).toEqual({ verb: 'funds', rest: 'kira' });
  expect(parseVerb('admin', ' View  AS Kira M')).toEqual({ verb: 'impersonate', rest: 'kira m' });
  expect(parseVerb('manager', 'funds')).toEqual({ verb: 'funds', rest: '' });
  expect(parseVerb('admin', 'fundskira')).toBeNull();
  expect(parseVerb('admin', 'kira funds')).toBeNull();
  expect(parseVerb('support', 'funds kira')).toBeNull();
});

test('quick search: a verb leads to the dialog on the user’s page, and only where it is offered', () => {
  const linksOf = (role: 'admin' | 'manager', text: string, user: object = kira) =>
    groupEntries(role, text, { ...found, users: [{ ...kira, ...user }] })
      .flatMap(({ entries }) => entries)
      .filter(({ kind }) => kind === 'user')
      .map(({ to }) => to);
  expect(linksOf('admin', 'funds kira')).toEqual([`/admin/users/${kira.id}?do=funds`]);
  expect(linksOf('manager', 'view as kira')).toEqual([`/manager?user=${kira.id}&do=impersonate`]);
  expect(linksOf('manager', 'delete kira')).toEqual([]);
  expect(linksOf('admin', 'funds kira', { role: 'manager' })).toEqual([]);
  expect(linksOf('admin', 'kira')).toEqual([`/admin/users/${kira.id}`]);
});
