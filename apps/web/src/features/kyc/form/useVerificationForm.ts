/**
 * What stands in the form and how it is sent: checked here first, once at a time, under the id of the last try when nothing
 * changed since. Every keystroke is kept as the draft.
 */
import { texts } from '@fulcrum/contract/texts';
import { checkKyc, type KycField, type KycFields, kycFields, kycPictures } from '@fulcrum/domain';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import { log } from '../../../shared/log/log.ts';
import { queryKeys } from '../../../shared/query/index.ts';
import { reloadProfile, useSignedIn } from '../../../shared/session/index.ts';
import { announce } from '../../../shared/ui/index.ts';
import { blankFields, type Draft, forgetDraft, keepDraft, readDraft, sendingOf } from './draft.ts';
import { beginFor, setObjection, submit, useSubmissionState } from './submission.ts';
import { type Attempt, attemptOf } from './verification.ts';

type Errors = Readonly<Partial<Record<KycField, string>>>;

/** The day of UTC, by which a date of birth is judged. */
export const todayOf = (now: number): string => new Date(now).toISOString().slice(0, 10);

function focusOn(form: HTMLFormElement, name: string): void {
  const control = form.elements.namedItem(name);
  if (control instanceof HTMLElement) control.focus();
}

const errorsOf = (fields: KycFields): Errors => {
  const objections = checkKyc(fields, todayOf(Date.now()));
  return Object.fromEntries(
    kycFields.flatMap((field) => (objections[field] === null ? [] : [[field, objections[field]]])),
  );
};

/** `latest` is the attempt that was rejected, if there was one: its fields are where a new one begins. */
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
  useEffect(() => beginFor(user.id), [user.id]);

  const put = (next: Draft) => {
    setDraft(next);
    keepDraft(user.id, next, Date.now());
  };
  const readAgain = () => {
    cache
      .invalidateQueries({ queryKey: queryKeys.kyc(user.id) })
      .catch((cause: unknown) => log.warn('Reading the identity check again failed', cause));
  };

  /** Names of what is missing or wrong, in the order of the form. */
  const check = (): readonly string[] => {
    const found = errorsOf(draft.fields);
    setErrors(found);
    setTried(true);
    const missing = kycPictures.filter((picture) => pictures[picture] === null);
    for (const picture of missing) setObjection(picture, 'Please choose a picture.');
    return [...kycFields.filter((field) => found[field] !== undefined), ...missing];
  };

  const send = async () => {
    const sent = sendingOf(draft, latest?.attempt ?? 0);
    put({ ...draft, sent });
    const outcome = await submit(supabase, user.id, sent);
    if (outcome.kind === 'refused') readAgain();
    if (outcome.kind !== 'submitted') return;
    forgetDraft(user.id);
    announce('success', 'Verification submitted');
    cache.setQueryData(queryKeys.kyc(user.id), attemptOf(outcome.row));
    await reloadProfile().catch((cause: unknown) => log.warn('The profile could not be read again', cause));
  };

  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (phase !== 'resting') return;
    const [first] = check();
    if (first !== undefined) return focusOn(event.currentTarget, first);
    send().catch((cause: unknown) => log.error('Submitting the identity check broke', cause));
  };

  return {
    fields: draft.fields,
    pictures,
    phase,
    failure,
    isRestored,
    errorOf: (field: KycField): string | undefined => errors[field],
    /** KYC-09, once the form was sent without them. */
    picturesMissing:
      isTried && kycPictures.some((picture) => pictures[picture] === null) ? texts.kycDocumentsMissing : null,
    type: (field: KycField, value: string) => {
      put({ ...draft, fields: { ...draft.fields, [field]: value } });
      setErrors((held) => {
        const { [field]: _, ...rest } = held;
        return rest;
      });
    },
    discard: () => {
      forgetDraft(user.id);
      setDraft({ fields: untouched, sent: null });
      setErrors({});
      setRestored(false);
    },
    onSubmit,
  } as const;
}
