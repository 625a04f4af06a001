/**
 * Open and closed positions of one user, below the users table of the Overview (A76). The header links to the user's page; a
 * button returns to all positions.
 */
import ArrowUpRight from 'lucide-react/icons/arrow-up-right';
import X from 'lucide-react/icons/x';
import { useEffect, useRef } from 'react';
import { Button, ButtonLink } from '../../../shared/ui/index.ts';
import { StaffPositions } from './StaffPositions.tsx';

export interface UserPositionsProps {
  readonly user: { readonly id: string; readonly username: string };
  readonly onClose: () => void;
  /** Whether the user opened it, which moves the focus there, or the URL contained it from the start. */
  readonly arrival?: 'opened' | 'address';
}

export function UserPositions({ user, onClose, arrival = 'opened' }: UserPositionsProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { id } = user;
  // Also when another user is selected.
  useEffect(() => {
    if (arrival === 'opened' && id !== '') heading.current?.focus();
  }, [arrival, id]);
  return (
    <section aria-labelledby="user-positions" className="flex min-w-0 flex-col gap-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h2
          id="user-positions"
          ref={heading}
          tabIndex={-1}
          className="scroll-mt-32 text-16 font-semibold outline-none"
        >
          Positions of <bdi>{user.username}</bdi>
        </h2>
        <span className="ml-auto flex gap-2">
          <ButtonLink size="compact" to={`/admin/users/${id}`}>
            Open account
            <ArrowUpRight size={14} aria-hidden="true" />
          </ButtonLink>
          <Button size="compact" aria-label={`Close positions of ${user.username}`} onClick={onClose}>
            <X size={14} aria-hidden="true" />
            Close
          </Button>
        </span>
      </div>
      <StaffPositions key={`open ${id}`} status="open" user={user} prefix="open_" />
      <StaffPositions key={`closed ${id}`} status="closed" user={user} prefix="closed_" />
    </section>
  );
}
