/** Links a position to a new journal entry about it. */
import NotebookPen from 'lucide-react/icons/notebook-pen';
import { Link } from 'react-router';
import { sideLabel } from '../../../shared/account/index.ts';
import type { Position } from '../../../shared/supabase/index.ts';

export function JournalLink({ position }: { readonly position: Position }) {
  const { id, symbol, side } = position;
  return (
    <Link
      to={`/dashboard?entry=new&position=${id}#journal`}
      aria-label={`Write about it, ${symbol} ${sideLabel(side).toLowerCase()}`}
      title="Write about it"
      className="inline-grid size-6 shrink-0 place-items-center rounded-control text-text-3 transition-colors hover:bg-raised hover:text-text max-md:size-11"
    >
      <NotebookPen size={14} aria-hidden="true" />
    </Link>
  );
}
