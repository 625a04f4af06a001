/** A term whose definition opens on request; a dashed underline marks it. */
import type { ReactNode } from 'react';
import { HintPopover } from './HintPopover.tsx';

interface TermProps {
  readonly term: string;
  /** Classes of the button. */
  readonly className?: string;
  /** The definition. */
  readonly children: ReactNode;
}

export function Term({ term, className = 'relative max-md:after:-inset-x-1', children }: TermProps) {
  return (
    <HintPopover
      label={`What ${term} means`}
      trigger={
        <button
          type="button"
          className={`${className} min-h-6 text-left text-12 text-text-2 underline decoration-dashed decoration-text-3 underline-offset-4 hover:text-text max-md:after:absolute max-md:after:-inset-y-2.5`}
        >
          {term}
        </button>
      }
    >
      {children}
    </HintPopover>
  );
}
