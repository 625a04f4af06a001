/**
 * The state of the identity check, with the form while an attempt is possible: not yet verified, or rejected with
 * another attempt allowed (A56).
 */
import { checkKycField, kycFields, kycPictures } from '@fulcrum/domain';
import { useEffect, useRef } from 'react';
import { useSignedIn } from '../../../shared/session/index.ts';
import { ReadError } from '../../../shared/ui/index.ts';
import { type Step, Steps } from './Steps.tsx';
import { toUtcDay, useVerificationForm } from './useVerificationForm.ts';
import { VerificationBanner } from './VerificationBanner.tsx';
import { VerificationForm } from './VerificationForm.tsx';
import { VerificationSkeleton } from './VerificationSkeleton.tsx';
import {
  type Attempt,
  getVerificationStatus,
  useLatestAttempt,
  type VerificationStatus,
} from './verification.ts';

const steps = (details: Omit<Step, 'label'>, pictures: Omit<Step, 'label'>, review: Omit<Step, 'label'>) => [
  { label: 'Details', ...details },
  { label: 'Pictures', ...pictures },
  { label: 'Review', ...review },
];

/** The texts of a user without a form to fill in. */
const settled: Readonly<Partial<Record<VerificationStatus, readonly Step[]>>> = {
  pending: steps(
    { detail: 'Received', isDone: true },
    { detail: 'Received', isDone: true },
    { detail: 'By our team', isDone: false },
  ),
  verified: steps(
    { detail: 'Received', isDone: true },
    { detail: 'Received', isDone: true },
    { detail: 'Passed', isDone: true },
  ),
};

interface PendingReviewProps {
  readonly verificationStatus: VerificationStatus;
  readonly latest: Attempt | null;
}

/** The form with the steps that follow it. */
function PendingReview({ verificationStatus, latest }: PendingReviewProps) {
  const form = useVerificationForm(latest);
  const today = toUtcDay(Date.now());
  const filled = kycFields.filter((field) => checkKycField(field, form.fields[field], today) === null).length;
  const chosen = kycPictures.filter((picture) => form.pictures[picture] !== null).length;
  const counted = (count: number, of: number) => ({ detail: `${count} of ${of}`, isDone: count === of });
  return (
    <>
      <Steps
        steps={steps(counted(filled, kycFields.length), counted(chosen, kycPictures.length), {
          detail: 'By our team',
          isDone: false,
        })}
      />
      <VerificationBanner verificationStatus={verificationStatus} latest={latest} />
      <VerificationForm form={form} />
    </>
  );
}

export default function Verification() {
  const { user } = useSignedIn();
  const reading = useLatestAttempt();
  const { data: latest, isPending, isError } = reading;
  const container = useRef<HTMLDivElement>(null);
  const verificationStatus = getVerificationStatus(user.kycStatus, latest ?? null);
  const known = settled[verificationStatus];
  const isAwaited = verificationStatus === 'unverified' || verificationStatus === 'rejected';
  const hadFocus = useRef(false);

  // When the form closes, the focus moves from it to the banner.
  const before = useRef(isAwaited);
  useEffect(() => {
    if (before.current && !isAwaited && hadFocus.current) container.current?.focus();
    before.current = isAwaited;
  }, [isAwaited]);

  if (isPending && !isError) return <VerificationSkeleton />;
  if (latest === undefined) {
    return <ReadError title="Your verification could not be loaded" reading={reading} />;
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only observes the focus
    <div
      ref={container}
      tabIndex={-1}
      onFocus={() => {
        hadFocus.current = true;
      }}
      onBlur={({ relatedTarget }) => {
        if (relatedTarget !== null) hadFocus.current = false;
      }}
      className="flex flex-col gap-5 outline-none"
    >
      {isAwaited ? (
        <PendingReview key={latest?.attempt ?? 0} verificationStatus={verificationStatus} latest={latest} />
      ) : (
        <>
          {known === undefined ? null : <Steps steps={known} />}
          <VerificationBanner verificationStatus={verificationStatus} latest={latest} />
        </>
      )}
    </div>
  );
}
