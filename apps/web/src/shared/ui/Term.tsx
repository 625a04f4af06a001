/** A word with its definition on request: the dashed line beneath it says that there is one. */
import type { ReactNode } from 'react';
import { HintPopover } from './HintPopover.tsx';

interface TermProps {
  readonly term: string;
  /** Of the button. */
  readonly className?: string;
  /** What it means. */
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
