import { describe, expect, test } from 'vitest';
import {
  ageOf,
  changed,
  type Draft,
  documents,
  emptyDraft,
  mayApprove,
  mayReject,
  reasonsFor,
  sentReasons,
} from './draft.ts';

const accepted = documents.reduce(
  (draft: Draft, document) => changed(draft, { type: 'judged', document, verdict: 'accepted' }),
  emptyDraft,
);

describe('a decision before it is sent', () => {
  test('all three accepted speak for an approval, two do not', () => {
    expect(accepted.outcome).toBe('approve');
    expect(mayApprove(accepted)).toBe(true);
    const doubted = changed(accepted, { type: 'judged', document: 'selfie', verdict: 'refused' });
    expect(doubted.outcome).toBe('retry');
    expect(mayApprove(doubted)).toBe(false);
    expect(mayReject(doubted)).toBe(false);
  });

  test('a refused document has reasons; accepted again it has none, and its reasons are gone', () => {
    let draft = changed(emptyDraft, { type: 'judged', document: 'document_back', verdict: 'refused' });
    draft = changed(draft, { type: 'reason', document: 'document_back', code: 'blurry' });
    expect(mayReject(draft)).toBe(true);
    expect(sentReasons(draft)).toMatchObject([{ document: 'document_back', code: 'blurry' }]);
    draft = changed(draft, { type: 'judged', document: 'document_back', verdict: 'accepted' });
    expect(sentReasons(draft)).toEqual([]);
    expect(draft.outcome).toBe('retry');
    expect(mayReject(draft)).toBe(false);
  });

  test('a reason that no other attempt can mend speaks for a final rejection, unless one was chosen', () => {
    const hopeless = { type: 'reason', document: null, code: 'not_accepted' } as const;
    expect(changed(emptyDraft, hopeless).outcome).toBe('final');
    expect(changed(changed(emptyDraft, { type: 'outcome', outcome: 'retry' }), hopeless).outcome).toBe(
      'retry',
    );
  });

  test('a text can be changed, and must not be empty', () => {
    const reason = { document: null, code: 'name_differs' } as const;
    const draft = changed(emptyDraft, { type: 'reason', ...reason });
    const worded = changed(draft, { type: 'text', ...reason, text: ' Use the name of your passport. ' });
    expect(sentReasons(worded)).toEqual([{ ...reason, text: 'Use the name of your passport.' }]);
    expect(mayReject(changed(draft, { type: 'text', ...reason, text: '  ' }))).toBe(false);
  });

  test('a reason of the whole stands in the way of an approval', () => {
    const draft = changed(accepted, { type: 'reason', document: null, code: 'name_differs' });
    expect([mayApprove(draft), draft.outcome]).toEqual([false, 'retry']);
  });

  test('reasons are offered where they can be said', () => {
    expect(reasonsFor('selfie').map(({ code }) => code)).toContain('no_face');
    expect(reasonsFor('document_front').map(({ code }) => code)).not.toContain('no_face');
  });

  test('an age counts full years', () => {
    const now = new Date(2026, 10, 21);
    expect(['1991-04-17', '2000-11-21', '2000-11-22', '?'].map((birth) => ageOf(birth, now))).toEqual([
      35,
      26,
      25,
      null,
    ]);
  });
});
