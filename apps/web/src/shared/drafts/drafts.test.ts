import { afterEach, expect, test } from 'vitest';
import { type SessionState, useSession } from '../session/index.ts';
import { createDrafts, mostDrafts } from './index.ts';

// What a draft asks of a session is who it belongs to.
const sessionOf = (id: string) => ({ status: 'signed-in', user: { id } }) as SessionState;
const become = (state: SessionState) => useSession.setState(state, true);
afterEach(() => become({ status: 'signed-out' }));

test('AUTH-42: what one person began is not there for the next one on the same page', () => {
  const drafts = createDrafts<string>();
  become(sessionOf('a'));
  drafts.keep('session', 'a note about a trader');
  become(sessionOf('a'));
  expect(drafts.get('session')).toBe('a note about a trader');
  become({ status: 'signed-out' });
  become(sessionOf('b'));
  expect(drafts.get('session')).toBeUndefined();
});

test('the latest are kept', () => {
  const drafts = createDrafts<number>();
  for (let at = 0; at <= mostDrafts; at += 1) drafts.keep(`${at}`, at);
  expect([drafts.get('0'), drafts.get('1'), drafts.get(`${mostDrafts}`)]).toEqual([undefined, 1, mostDrafts]);
  drafts.drop('1');
  expect(drafts.get('1')).toBeUndefined();
});
