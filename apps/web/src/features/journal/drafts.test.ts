import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  type Draft,
  draftKey,
  forked,
  keepDraft,
  otherDrafts,
  readDraft,
  strayDrafts,
  tidyDrafts,
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
const day = 86_400_000;

test('what is kept is found again, in this tab as its own and in another one as an offer', () => {
  const [mine, theirs] = [draftKey('u', 'new', 'a'), draftKey('u', 'new', 'b')];
  expect(keepDraft(mine, draft, 1)).toBe(true);
  keepDraft(theirs, { ...draft, title: 'Other' }, 2);
  keepDraft(draftKey('u', 'entry', 'b'), draft, 3);
  keepDraft(draftKey('somebody', 'new', 'b'), draft, 4);
  expect(readDraft(mine)?.draft).toEqual(draft);
  expect(otherDrafts('u', 'new', mine).map(({ draft: { title } }) => title)).toEqual(['Other']);
});

test.each(['', '{', 'null', '[]', '{"version":2}', '{"version":1,"savedAt":1,"draft":{"title":1}}'])(
  'a damaged one, %j, is none',
  (text) => {
    localStorage.setItem('k', text);
    expect(readDraft('k')).toBeNull();
  },
);

test('a change of an entry that is gone is found, and no other', () => {
  keepDraft(draftKey('u', 'gone', 'a'), { ...draft, title: 'Lost' }, 1);
  keepDraft(draftKey('u', 'there', 'a'), draft, 2);
  keepDraft(draftKey('u', 'new', 'a'), draft, 3);
  keepDraft(draftKey('somebody', 'gone', 'a'), draft, 4);
  expect(strayDrafts('u', new Set(['there'])).map(({ draft: { title } }) => title)).toEqual(['Lost']);
});

test('a storage that is full is said to have kept nothing', () => {
  vi.stubGlobal('localStorage', {
    getItem: () => null,
    setItem: () => {
      throw new DOMException('full', 'QuotaExceededError');
    },
  });
  expect(keepDraft('k', draft, 1)).toBe(false);
});

test('the oldest go: beyond twenty, and after thirty days', () => {
  for (let n = 0; n < 25; n += 1) keepDraft(draftKey('u', 'new', `t${n}`), draft, 100 * day + n);
  keepDraft(draftKey('u', 'new', 'old'), draft, 60 * day);
  tidyDrafts('u', 100 * day);
  const left = otherDrafts('u', 'new', '');
  expect(left).toHaveLength(20);
  expect(left.at(-1)?.key).toBe(draftKey('u', 'new', 't5'));
});

test('a draft of a new entry that another tab may hold becomes an entry of its own; an edit stays one of its entry', () => {
  const copy = forked(draft);
  expect(copy).toEqual({ ...draft, id: expect.stringMatching(/^[0-9a-f-]{36}$/) });
  expect(forked(draft).id).not.toBe(copy.id);
  const edit = { ...draft, seen: '2026-11-21T10:00:00+00:00' };
  expect(forked(edit)).toEqual(edit);
});
