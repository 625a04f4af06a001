/** The result of a bulk action for each user, refused ones first; where links are in it, the file of them. */
import { toCsv } from '@fulcrum/domain';
import Check from 'lucide-react/icons/check';
import Download from 'lucide-react/icons/download';
import Minus from 'lucide-react/icons/minus';
import X from 'lucide-react/icons/x';
import { useEffect, useRef } from 'react';
import { downloadText, formatDayStamp } from '../../../shared/download/index.ts';
import { pluralize } from '../../../shared/numbers/pluralize.ts';
import { Button } from '../../../shared/ui/index.ts';
import { unknownUser } from '../user-dialogs/unknown-user.ts';
import type { ReportRow } from './bulk.ts';
import { type BulkAction, formatSummary, outcomeLabel, sortByOutcome } from './report.ts';

const outcomeVariants = {
  done: { Icon: Check, colour: 'text-up' },
  unchanged: { Icon: Minus, colour: 'text-text-2' },
  refused: { Icon: X, colour: 'text-down' },
} as const satisfies Record<ReportRow['outcome'], { Icon: typeof Check; colour: string }>;

interface BulkReportProps {
  readonly rows: readonly ReportRow[];
  readonly action: BulkAction;
}

export function BulkReport({ rows, action }: BulkReportProps) {
  const sentence = useRef<HTMLParagraphElement>(null);
  // The pressed button is gone.
  useEffect(() => sentence.current?.focus(), []);
  return (
    <>
      <p ref={sentence} tabIndex={-1} role="status" className="text-14 font-medium outline-none">
        {formatSummary(rows, action)}
      </p>
      <ul
        aria-label="Report"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled with the keyboard
        tabIndex={0}
        className="mt-3 max-h-72 overflow-y-auto rounded-control border border-line"
      >
        {sortByOutcome(rows).map((row) => {
          const { Icon, colour } = outcomeVariants[row.outcome];
          return (
            <li
              key={row.user_id}
              className="flex min-h-9 flex-wrap items-center gap-x-3 border-b border-line/65 px-3 py-1 text-13 last:border-b-0"
            >
              <bdi className="min-w-0 truncate font-medium">{row.username ?? unknownUser}</bdi>
              <span className={`ml-auto flex items-center gap-1.5 text-12 ${colour}`}>
                <Icon size={13} aria-hidden="true" />
                {outcomeLabel(row.outcome, action)}
              </span>
              {row.message === null ? null : (
                <span className="w-full text-12 text-text-2">{row.message}</span>
              )}
            </li>
          );
        })}
      </ul>
      <LinksFile rows={rows} />
    </>
  );
}

function LinksFile({ rows }: { readonly rows: readonly ReportRow[] }) {
  const linked = rows.flatMap(({ email, link }) => (email && link ? [[email, link]] : []));
  if (linked.length === 0) return null;
  const name = `invitations_${formatDayStamp(new Date())}.csv`;
  return (
    <div className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-1">
      <Button onClick={() => downloadText(name, toCsv(['Email', 'Link'], linked), 'text/csv')}>
        <Download size={15} aria-hidden="true" />
        {`Download ${pluralize(linked.length, 'link')}`}
      </Button>
      <p className="text-12 text-warn">The links are on this page only. Download them before you close it.</p>
    </div>
  );
}
