/** Who works on a check and how long the claim lasts: `demo_admin, 9:40`. Empty once the time is over. */
import { useCallback } from 'react';
import { LiveText } from '../../../shared/time/LiveText.tsx';
import { formatTimeLeft } from '../../../shared/time/time-left.ts';
import { Button } from '../../../shared/ui/index.ts';
import type { Claim } from './cases.ts';

export function ClaimText({
  claim: { username, until },
  isOwn,
}: {
  readonly claim: Claim;
  readonly isOwn: boolean;
}) {
  const read = useCallback(() => {
    const seconds = Math.ceil((until - Date.now()) / 1000);
    return seconds > 0 ? `${isOwn ? 'You' : username}, ${formatTimeLeft(seconds)}` : '';
  }, [username, until, isOwn]);
  return <LiveText read={read} />;
}

interface ClaimNoticeProps {
  readonly claim: Claim | null;
  readonly isOwn: boolean;
  readonly pending: boolean;
  readonly onClaim: (takesOver: boolean) => void;
}

/** In an open case: the claim and the button that takes, renews or takes it over. */
export function ClaimNotice({ claim, isOwn, pending, onClaim }: ClaimNoticeProps) {
  const isOther = claim !== null && !isOwn;
  return (
    <section
      aria-label="Claim"
      className={`flex min-h-10 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-5 py-1 text-12 max-md:px-3 ${isOther ? 'bg-warn-weak' : 'text-text-2'}`}
    >
      {claim === null ? (
        <span>Not claimed</span>
      ) : (
        <span className="min-w-0">
          Claimed by <ClaimText claim={claim} isOwn={isOwn} />
          {isOther ? '. You can still decide it.' : null}
        </span>
      )}
      <Button size="compact" pending={pending} className="ml-auto" onClick={() => onClaim(isOther)}>
        {claim === null ? 'Claim' : isOwn ? 'Renew' : 'Take over'}
      </Button>
    </section>
  );
}
