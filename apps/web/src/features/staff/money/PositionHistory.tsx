/** The history of staff changes to a position: who, when, why and what. */

import { useQuery } from '@tanstack/react-query';
import History from 'lucide-react/icons/history';
import { useSignedIn } from '../../../shared/session/index.ts';
import { DateTime } from '../../../shared/time/DateTime.tsx';
import { Button, Popover, ReadError, Skeleton } from '../../../shared/ui/index.ts';
import { unknownUser } from '../user-dialogs/unknown-user.ts';
import { columnLabel, formatValue } from './format-position.ts';
import { type HistoryEntry, moneyKeys, readPositionHistory } from './requests.ts';

const actionLabels: Readonly<Record<string, string>> = {
  'position.edit': 'Edited',
  'position.open': 'Opened',
  'position.close': 'Closed',
  'position.reverse': 'Reversed',
  'position.close_at_reopen': 'Close at next price changed',
  'position.protect': 'Take profit or stop loss changed',
};

function Entry({ entry }: { readonly entry: HistoryEntry }) {
  return (
    <li className="border-b border-line py-2.5 first:pt-0 last:border-b-0 last:pb-0">
      <p className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="font-medium">
          {`${actionLabels[entry.action] ?? entry.action} by ${entry.actor ?? unknownUser}`}
          {entry.on_behalf_of === null ? null : ` as ${entry.on_behalf_of}`}
        </span>
        <span className="text-12 text-text-2">
          <DateTime iso={entry.at} />
        </span>
      </p>
      {entry.changes.length === 0 ? null : (
        <ul className="figures mt-1 text-12 text-text-2">
          {entry.changes.map(({ column, before, after }) => (
            <li key={column}>
              {`${columnLabel(column)} ${formatValue(column, before)} `}
              <span aria-hidden="true">→</span>
              <span className="sr-only">to</span>
              {` ${formatValue(column, after)}`}
            </li>
          ))}
        </ul>
      )}
      {entry.reason === null ? null : <p className="mt-1 text-12 wrap-anywhere">{entry.reason}</p>}
    </li>
  );
}

export function PositionHistory({ positionId }: { readonly positionId: string }) {
  const { supabase } = useSignedIn();
  const reading = useQuery({
    queryKey: moneyKeys.history(positionId),
    queryFn: ({ signal }) => readPositionHistory(supabase, positionId, signal),
    staleTime: 0,
  });
  const { data: entries, isError } = reading;
  const content = () => {
    if (entries === undefined) {
      if (!isError) return <Skeleton className="h-16 w-64" />;
      return <ReadError title="Failed to fetch the history" reading={reading} />;
    }
    if (entries.length === 0)
      return <p className="text-text-2">No staff member has changed this position.</p>;
    return (
      <ul className="w-72">
        {entries.map((entry, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the log only grows, and is shown as it was read
          <Entry key={index} entry={entry} />
        ))}
      </ul>
    );
  };
  return (
    <Popover
      label="History of this position"
      align="end"
      trigger={
        <Button tone="quiet">
          <History size={14} aria-hidden="true" />
          History
          {entries === undefined || entries.length === 0 ? null : (
            <span className="figures inline-flex h-[18px] min-w-[18px] items-center justify-center rounded-full bg-line px-1.5 text-11">
              {entries.length}
            </span>
          )}
        </Button>
      }
    >
      {content()}
    </Popover>
  );
}
