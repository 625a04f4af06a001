/** Opens the review of a closed trade. The dialog loads with the first one. */
import ChartSpline from 'lucide-react/icons/chart-spline';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { sideLabel } from '../../shared/account/index.ts';
import { rowIconStyles } from '../../shared/journal-link/JournalLink.tsx';
import type { Position } from '../../shared/supabase/index.ts';
import { dialogFallback } from '../../shared/ui/dialog-fallback.tsx';

/** Loads in two steps: the first module contains the import of the second. */
const ReviewDialog = lazy(async () => (await import('./dialogs.ts')).loadReviewDialog());

interface ReviewButtonProps {
  readonly of: Pick<Position, 'id' | 'symbol' | 'side'>;
  readonly className?: string;
  /** An icon by default. */
  readonly children?: ReactNode;
}

export function ReviewButton({ of: { id, symbol, side }, className, children }: ReviewButtonProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        aria-label={`Review ${symbol} ${sideLabel(side).toLowerCase()}`}
        title="Review"
        onClick={() => setOpen(true)}
        className={className ?? rowIconStyles}
      >
        {children ?? <ChartSpline size={14} aria-hidden="true" />}
      </button>
      {isOpen ? (
        <Suspense fallback={dialogFallback}>
          <ReviewDialog positionId={id} onEnd={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  );
}
