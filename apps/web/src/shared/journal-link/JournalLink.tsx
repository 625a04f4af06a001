/** Links a position to a new journal entry about it. */
import NotebookPen from 'lucide-react/icons/notebook-pen';
import { Link } from 'react-router';
import { sideLabel } from '../account/index.ts';
import type { Position } from '../supabase/index.ts';

/** An icon in a row of a table: dense with a mouse, of a thumb's size on a phone. */
export const rowIconStyles =
  'inline-grid size-6 shrink-0 place-items-center rounded-control text-text-3 transition-colors hover:bg-raised hover:text-text max-md:size-11';

interface JournalLinkProps {
  readonly position: Pick<Position, 'id' | 'symbol' | 'side'>;
  /** The dashboard's journal by default. */
  readonly page?: '/dashboard' | '/journal';
}

export function JournalLink({ position: { id, symbol, side }, page = '/dashboard' }: JournalLinkProps) {
  return (
    <Link
      to={`${page}?entry=new&position=${id}#journal`}
      aria-label={`Write about it, ${symbol} ${sideLabel(side).toLowerCase()}`}
      title="Write about it"
      className={rowIconStyles}
    >
      <NotebookPen size={14} aria-hidden="true" />
    </Link>
  );
}
