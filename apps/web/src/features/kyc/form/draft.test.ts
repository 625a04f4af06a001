import { dayMs } from '@fulcrum/domain';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { blankFields, type Draft, deleteDraft, readDraft, storeDraft, toSendAttempt } from './draft.ts';

const now = Date.UTC(2026, 10, 21);
const items = new Map<string, string>();
beforeEach(() => {
  items.clear();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, text: string) => items.set(key, text),
    removeItem: (key: string) => items.delete(key),
  });
});
afterEach(() => vi.unstubAllGlobals());

const fields = { ...blankFields, first_name: 'Ada' };
const draft: Draft = { fields, sent: null };

test('only its own account reads a draft, which survives until it is deleted', () => {
  storeDraft('one', draft, now);
  expect(readDraft('one', now)).toEqual(draft);
  expect(readDraft('two', now)).toBeNull();
  deleteDraft('one');
  expect(readDraft('one', now)).toBeNull();
});

test('after seven days the browser deletes it', () => {
  storeDraft('one', draft, now);
  expect(readDraft('one', now + 7 * dayMs)).toEqual(draft);
  expect(readDraft('one', now + 7 * dayMs + 1)).toBeNull();
  expect(items.size).toBe(0);
});

test.each(['', '{', 'null', '[]', '{"version":1}', '{"version":2,"fields":{},"savedAt":0}'])(
  'an invalid draft counts as none: %s',
  (text) => {
    items.set('fulcrum-kyc-draft.one', text);
    expect(readDraft('one', now)).toBeNull();
  },
);

test('the same fields are the same attempt, also after a reload', () => {
  const sent = toSendAttempt(draft, 0);
  storeDraft('one', { fields, sent }, now);
  const again = readDraft('one', now);
  expect(toSendAttempt(again ?? draft, 0)).toEqual(sent);
});

test('changed fields, or an attempt made meanwhile, make another attempt', () => {
  const sent = toSendAttempt(draft, 0);
  expect(toSendAttempt({ fields: { ...fields, city: 'London' }, sent }, 0).clientId).not.toBe(sent.clientId);
  expect(toSendAttempt({ fields, sent }, 1).clientId).not.toBe(sent.clientId);
});
