/** The frame around the window of an account that is not the main one, so that nobody trades in the wrong one. */
import { useLayoutEffect } from 'react';
import { getAccountColour } from './account-colour.ts';

interface AccountFrameProps {
  readonly id: string;
  /** An impersonation has the outer frame. */
  readonly isInner: boolean;
}

export function AccountFrame({ id, isInner }: AccountFrameProps) {
  useLayoutEffect(() => {
    document.documentElement.style.setProperty('--account-colour', getAccountColour(id));
  }, [id]);
  return (
    <div
      aria-hidden="true"
      data-account-frame
      className={`pointer-events-none fixed inset-x-0 top-(--impersonation-height) bottom-0 z-50 border-2 border-(--account-colour) ${isInner ? 'mx-0.5 mb-0.5' : ''}`}
    />
  );
}
