/** Where the identity check stands, and the form while one is awaited: not yet verified, or rejected and welcome again (A56). */
import { checkKycField, kycFields, kycPictures } from '@fulcrum/domain';
import { useEffect, useRef } from 'react';
import { useSignedIn } from '../../../shared/session/index.ts';
import { ErrorState } from '../../../shared/ui/index.ts';
import { Banner } from './Banner.tsx';
import { type Step, Steps } from './Steps.tsx';
import { todayOf, useVerificationForm } from './useVerificationForm.ts';
import { VerificationForm } from './VerificationForm.tsx';
import { VerificationSkeleton } from './VerificationSkeleton.tsx';
import { type Attempt, type Standing, standingOf, useLatestAttempt } from './verification.ts';

const steps = (details: Omit<Step, 'label'>, pictures: Omit<Step, 'label'>, review: Omit<Step, 'label'>) => [
  { label: 'Details', ...details },
  { label: 'Pictures', ...pictures },
  { label: 'Review', ...review },
];

/** Those of somebody who has nothing to fill in. */
const settled: Readonly<Partial<Record<Standing, readonly Step[]>>> = {
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

interface AwaitedProps {
  readonly standing: Standing;
  readonly latest: Attempt | null;
}

/** The form with the steps that follow it. */
function Awaited({ standing, latest }: AwaitedProps) {
  const { user } = useSignedIn();
  const form = useVerificationForm(latest);
  const today = todayOf(Date.now());
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
      <Banner standing={standing} user={user} latest={latest} />
      <VerificationForm form={form} />
    </>
  );
}

function Settled({ standing, latest }: AwaitedProps) {
  const { user } = useSignedIn();
  const known = settled[standing];
  return (
    <>
      {known === undefined ? null : <Steps steps={known} />}
      <Banner standing={standing} user={user} latest={latest} />
    </>
  );
}

export default function Verification() {
  const { user } = useSignedIn();
  const { data: latest, isPending, isError, isFetching, refetch } = useLatestAttempt();
  const place = useRef<HTMLDivElement>(null);
  const standing = standingOf(user.kycStatus, latest ?? null);
  const isAwaited = standing === 'unverified' || standing === 'rejected';
  const hadFocus = useRef(false);

  // The form goes with what had the focus: it goes to the banner then.
  const before = useRef(isAwaited);
  useEffect(() => {
    if (before.current && !isAwaited && hadFocus.current) place.current?.focus();
    before.current = isAwaited;
  }, [isAwaited]);

  if (isPending && !isError) return <VerificationSkeleton />;
  if (latest === undefined) {
    return (
      <ErrorState
        title="Your verification could not be loaded"
        onRetry={() => refetch()}
        retrying={isFetching}
      />
    );
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: notes only whether the focus is within
    <div
      ref={place}
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
        <Awaited key={latest?.attempt ?? 0} standing={standing} latest={latest} />
      ) : (
        <Settled standing={standing} latest={latest} />
      )}
    </div>
  );
}
