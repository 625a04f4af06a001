import { describe, expect, test } from 'vitest';
import {
  canApprove,
  canReject,
  type Draft,
  documents,
  emptyDraft,
  reasonsFor,
  reduceDraft,
  toFirstDraft,
  toSentReasons,
} from './draft.ts';

const accepted = documents.reduce(
  (draft: Draft, document) => reduceDraft(draft, { type: 'judged', document, verdict: 'accepted' }),
  emptyDraft,
);

describe('a decision before it is sent', () => {
  test('three accepted documents suggest an approval, two do not', () => {
    expect(accepted.outcome).toBe('approve');
    expect(canApprove(accepted)).toBe(true);
    const doubted = reduceDraft(accepted, { type: 'judged', document: 'selfie', verdict: 'refused' });
    expect(doubted.outcome).toBe('retry');
    expect(canApprove(doubted)).toBe(false);
    expect(canReject(doubted)).toBe(false);
  });

  test('a refused document has reasons, which are removed when it is accepted again', () => {
    let draft = reduceDraft(emptyDraft, { type: 'judged', document: 'document_back', verdict: 'refused' });
    draft = reduceDraft(draft, { type: 'reason', document: 'document_back', code: 'blurry' });
    expect(canReject(draft)).toBe(true);
    expect(toSentReasons(draft)).toMatchObject([{ document: 'document_back', code: 'blurry' }]);
    draft = reduceDraft(draft, { type: 'judged', document: 'document_back', verdict: 'accepted' });
    expect(toSentReasons(draft)).toEqual([]);
    expect(draft.outcome).toBe('retry');
    expect(canReject(draft)).toBe(false);
  });

  test('a reason that no further attempt can fix suggests a final rejection, unless the reviewer chose an outcome', () => {
    const hopeless = { type: 'reason', document: null, code: 'not_accepted' } as const;
    expect(reduceDraft(emptyDraft, hopeless).outcome).toBe('final');
    expect(
      reduceDraft(reduceDraft(emptyDraft, { type: 'outcome', outcome: 'retry' }), hopeless).outcome,
    ).toBe('retry');
  });

  test('a text can be changed, and must not be empty', () => {
    const reason = { document: null, code: 'name_differs' } as const;
    const draft = reduceDraft(emptyDraft, { type: 'reason', ...reason });
    const worded = reduceDraft(draft, { type: 'text', ...reason, text: ' Use the name of your passport. ' });
    expect(toSentReasons(worded)).toEqual([{ ...reason, text: 'Use the name of your passport.' }]);
    expect(canReject(reduceDraft(draft, { type: 'text', ...reason, text: '  ' }))).toBe(false);
  });

  test('a reason for the whole submission blocks an approval', () => {
    const draft = reduceDraft(accepted, { type: 'reason', document: null, code: 'name_differs' });
    expect([canApprove(draft), draft.outcome]).toEqual([false, 'retry']);
  });

  test('reasons are offered only for the parts they apply to', () => {
    expect(reasonsFor('selfie').map(({ code }) => code)).toContain('no_face');
    expect(reasonsFor('document_front').map(({ code }) => code)).not.toContain('no_face');
  });

  test('the draft of a user below the least age has that reason, so it is no approval', () => {
    expect(toFirstDraft(false)).toEqual(emptyDraft);
    const draft = toFirstDraft(true);
    expect(draft).toMatchObject({ picked: [{ document: null, code: 'underage' }], outcome: 'final' });
    expect(canApprove(draft)).toBe(false);
    expect(canReject(draft)).toBe(true);
  });
});
