import { afterEach, expect, test } from 'vitest';
import { type SessionState, useSession } from '../session/index.ts';
import { createDrafts, draftsMax } from './index.ts';

// Drafts use only the user of a session.
const sessionOf = (id: string) => ({ status: 'signed-in', user: { id } }) as SessionState;
const become = (state: SessionState) => useSession.setState(state, true);
afterEach(() => become({ status: 'signed-out', hasEnded: false }));

test('AUTH-42: a user’s drafts are gone for the next user on the same page', () => {
  const drafts = createDrafts<string>();
  become(sessionOf('a'));
  drafts.set('session', 'a note about a trader');
  become(sessionOf('a'));
  expect(drafts.get('session')).toBe('a note about a trader');
  become({ status: 'signed-out', hasEnded: false });
  become(sessionOf('b'));
  expect(drafts.get('session')).toBeUndefined();
});

test('the latest are kept', () => {
  const drafts = createDrafts<number>();
  for (let at = 0; at <= draftsMax; at += 1) drafts.set(`${at}`, at);
  expect([drafts.get('0'), drafts.get('1'), drafts.get(`${draftsMax}`)]).toEqual([undefined, 1, draftsMax]);
  drafts.delete('1');
  expect(drafts.get('1')).toBeUndefined();
});
