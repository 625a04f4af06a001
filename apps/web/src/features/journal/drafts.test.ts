import { dayMs } from '@fulcrum/domain';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  type Draft,
  deleteOldDrafts,
  findOrphanedDrafts,
  findOtherDrafts,
  readDraft,
  storeDraft,
  toDraftKey,
  withOwnId,
} from './drafts.ts';

class Items {
  getItem(key: string): string | null {
    return Object.hasOwn(this, key) ? String(Reflect.get(this, key)) : null;
  }
  setItem(key: string, text: string) {
    Reflect.set(this, key, text);
  }
  removeItem(key: string) {
    Reflect.deleteProperty(this, key);
  }
}
beforeEach(() => vi.stubGlobal('localStorage', new Items()));
afterEach(() => vi.unstubAllGlobals());

const draft: Draft = { id: 'e', title: 'Half', content: 'a thou', tags: '', positionId: null, seen: null };

test('a stored draft is found by this tab as its own and by another one as an offer', () => {
  const [mine, theirs] = [toDraftKey('u', 'new', 'a'), toDraftKey('u', 'new', 'b')];
  expect(storeDraft(mine, draft, 1)).toBe(true);
  storeDraft(theirs, { ...draft, title: 'Other' }, 2);
  storeDraft(toDraftKey('u', 'entry', 'b'), draft, 3);
  storeDraft(toDraftKey('somebody', 'new', 'b'), draft, 4);
  expect(readDraft(mine)?.draft).toEqual(draft);
  expect(findOtherDrafts('u', 'new', mine).map(({ draft: { title } }) => title)).toEqual(['Other']);
});

test.each(['', '{', 'null', '[]', '{"version":2}', '{"version":1,"savedAt":1,"draft":{"title":1}}'])(
  'a damaged draft, %j, counts as none',
  (text) => {
    localStorage.setItem('k', text);
    expect(readDraft('k')).toBeNull();
  },
);

test('only the draft of a deleted entry is found as orphaned', () => {
  storeDraft(toDraftKey('u', 'gone', 'a'), { ...draft, title: 'Lost' }, 1);
  storeDraft(toDraftKey('u', 'there', 'a'), draft, 2);
  storeDraft(toDraftKey('u', 'new', 'a'), draft, 3);
  storeDraft(toDraftKey('somebody', 'gone', 'a'), draft, 4);
  expect(findOrphanedDrafts('u', new Set(['there'])).map(({ draft: { title } }) => title)).toEqual(['Lost']);
});

test('a full storage reports that nothing was stored', () => {
  vi.stubGlobal('localStorage', {
    getItem: () => null,
    setItem: () => {
      throw new DOMException('full', 'QuotaExceededError');
    },
  });
  expect(storeDraft('k', draft, 1)).toBe(false);
});

test('the oldest drafts are deleted: beyond twenty, and after thirty days', () => {
  for (let n = 0; n < 25; n += 1) storeDraft(toDraftKey('u', 'new', `t${n}`), draft, 100 * dayMs + n);
  storeDraft(toDraftKey('u', 'new', 'old'), draft, 60 * dayMs);
  deleteOldDrafts('u', 100 * dayMs);
  const left = findOtherDrafts('u', 'new', '');
  expect(left).toHaveLength(20);
  expect(left.at(-1)?.key).toBe(toDraftKey('u', 'new', 't5'));
});

test('a new entry that two tabs may hold gets a new id; an edit keeps the id of its entry', () => {
  const copy = withOwnId(draft);
  expect(copy).toEqual({ ...draft, id: expect.stringMatching(/^[0-9a-f-]{36}$/) });
  expect(withOwnId(draft).id).not.toBe(copy.id);
  const edit = { ...draft, seen: '2026-11-21T10:00:00+00:00' };
  expect(withOwnId(edit)).toEqual(edit);
});
