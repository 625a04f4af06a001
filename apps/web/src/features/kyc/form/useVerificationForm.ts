/**
 * The form's state and its submission: validated first, one at a time, under the id of the last attempt if nothing
 * changed since. Every keystroke is stored in the draft.
 */
import { texts } from '@fulcrum/contract/texts';
import { checkKyc, type KycField, type KycFields, kycFields, kycPictures } from '@fulcrum/domain';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import { focusField } from '../../../shared/form/index.ts';
import { log } from '../../../shared/log/log.ts';
import { queryKeys } from '../../../shared/query/index.ts';
import { reloadProfile, useSignedIn } from '../../../shared/session/index.ts';
import { showToast } from '../../../shared/ui/index.ts';
import { blankFields, type Draft, deleteDraft, readDraft, storeDraft, toSendAttempt } from './draft.ts';
import { setObjection, startFor, submitVerification, useSubmissionState } from './submission.ts';
import { type Attempt, toAttempt } from './verification.ts';

type Errors = Readonly<Partial<Record<KycField, string>>>;

/** The UTC day that a date of birth is checked against. */
export const toUtcDay = (now: number): string => new Date(now).toISOString().slice(0, 10);

const getErrors = (fields: KycFields): Errors => {
  const objections = checkKyc(fields, toUtcDay(Date.now()));
  return Object.fromEntries(
    kycFields.flatMap((field) => (objections[field] === null ? [] : [[field, objections[field]]])),
  );
};

/** `latest` is the rejected attempt, if any: a new one starts with its fields. */
export function useVerificationForm(latest: Attempt | null) {
  const { user, supabase } = useSignedIn();
  const cache = useQueryClient();
  const untouched = latest?.fields ?? blankFields;
  const [draft, setDraft] = useState<Draft>(
    () => readDraft(user.id, Date.now()) ?? { fields: untouched, sent: null },
  );
  const [isRestored, setRestored] = useState(() => readDraft(user.id, Date.now()) !== null);
  const [errors, setErrors] = useState<Errors>({});
  const pictures = useSubmissionState((state) => state.pictures);
  const phase = useSubmissionState((state) => state.phase);
  const failure = useSubmissionState((state) => state.failure);
  const [isTried, setTried] = useState(false);
  useEffect(() => startFor(user.id), [user.id]);

  const updateDraft = (next: Draft) => {
    setDraft(next);
    storeDraft(user.id, next, Date.now());
  };
  const readAgain = () => void cache.invalidateQueries({ queryKey: queryKeys.kyc(user.id) });

  /** Names of the missing or invalid fields, in the order of the form. */
  const check = (): readonly string[] => {
    const found = getErrors(draft.fields);
    setErrors(found);
    setTried(true);
    const missing = kycPictures.filter((picture) => pictures[picture] === null);
    for (const picture of missing) setObjection(picture, 'Please choose a picture.');
    return [...kycFields.filter((field) => found[field] !== undefined), ...missing];
  };

  const send = async () => {
    const sent = toSendAttempt(draft, latest?.attempt ?? 0);
    updateDraft({ ...draft, sent });
    const outcome = await submitVerification(supabase, user.id, sent);
    if (outcome.kind === 'refused') readAgain();
    if (outcome.kind !== 'submitted') return;
    deleteDraft(user.id);
    showToast('success', 'Verification submitted');
    cache.setQueryData(queryKeys.kyc(user.id), toAttempt(outcome.row));
    await reloadProfile().catch((cause: unknown) => log.warn('The profile could not be read again', cause));
  };

  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (phase !== 'resting') return;
    const [first] = check();
    if (first !== undefined) return focusField(event.currentTarget, first);
    send().catch((cause: unknown) => log.error('Submitting the identity check failed', cause));
  };

  return {
    fields: draft.fields,
    pictures,
    phase,
    failure,
    isRestored,
    errorOf: (field: KycField): string | undefined => errors[field],
    /** Shown after the form was sent without pictures (KYC-09). */
    picturesMissing:
      isTried && kycPictures.some((picture) => pictures[picture] === null) ? texts.kycDocumentsMissing : null,
    type: (field: KycField, value: string) => {
      updateDraft({ ...draft, fields: { ...draft.fields, [field]: value } });
      setErrors((held) => {
        const { [field]: _, ...rest } = held;
        return rest;
      });
    },
    /** Keeps what the user typed. */
    fillBlank: (sample: KycFields) => {
      const typed = Object.entries(draft.fields).filter(([, value]) => value !== '');
      updateDraft({ ...draft, fields: { ...sample, ...Object.fromEntries(typed) } });
      setErrors({});
    },
    discard: () => {
      deleteDraft(user.id);
      setDraft({ fields: untouched, sent: null });
      setErrors({});
      setRestored(false);
    },
    onSubmit,
  } as const;
}
