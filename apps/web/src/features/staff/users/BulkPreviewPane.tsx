/** What a bulk action would do now: how many users change, the balances before and after, and who is refused. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { formatAmount } from '../../../shared/numbers/index.ts';
import { unwrap, useSupabase } from '../../../shared/supabase/index.ts';
import { useDebouncedValue } from '../../../shared/time/useDebouncedValue.ts';
import { unknownUser } from '../user-dialogs/unknown-user.ts';
import { type BulkPreview, type ReasonedCommand, toPreviewArgs } from './bulk.ts';
import { formatPreview } from './report.ts';

/** The preview of the command as it is now; undefined while it loads, and without a command. */
export function useBulkPreview(ids: readonly string[], command: ReasonedCommand | null) {
  const { rest } = useSupabase();
  const shown = command === null ? null : JSON.stringify(toPreviewArgs(command));
  const settled = useDebouncedValue(shown);
  const reading = useQuery({
    queryKey: ['preview-bulk', settled, ids],
    enabled: settled !== null,
    queryFn: ({ signal }) =>
      unwrap(
        rest
          .rpc('preview_bulk_action', { p_user_ids: [...ids], ...JSON.parse(settled ?? '{}') })
          .abortSignal(signal),
      ),
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });
  const isCurrent = shown !== null && settled === shown && !reading.isPlaceholderData;
  return {
    preview: shown === null ? undefined : reading.data,
    isCurrent,
    isFailed: isCurrent && reading.isError,
  } as const;
}

const listedMax = 50;

interface BulkPreviewPaneProps {
  readonly preview: BulkPreview | undefined;
  readonly isCurrent: boolean;
  readonly isFailed: boolean;
}

export function BulkPreviewPane({ preview, isCurrent, isFailed }: BulkPreviewPaneProps) {
  const refused = preview?.rows.filter(({ outcome }) => outcome === 'refused') ?? [];
  const usdt = (value: number) => `${formatAmount(value)} USDT`;
  return (
    <section
      aria-label="Preview"
      className={`rounded-control border border-line bg-inset px-3 py-2 text-13 ${isCurrent ? '' : 'opacity-60'}`}
    >
      <p aria-live="polite" className="figures min-h-5">
        {isFailed
          ? 'The preview could not be read; each row is checked when you send it.'
          : preview === undefined
            ? 'Preview'
            : formatPreview(preview.rows)}
      </p>
      {preview?.balances ? (
        <dl className="figures mt-1 grid grid-cols-[auto_1fr] gap-x-4 text-12">
          <dt className="text-text-2">Sum now</dt>
          <dd className="text-right">{usdt(preview.balances.before)}</dd>
          <dt className="text-text-2">Sum after</dt>
          <dd className="text-right">{usdt(preview.balances.after)}</dd>
          <dt className="text-text-2">Lowest after</dt>
          <dd className="text-right">{usdt(preview.balances.lowest_after)}</dd>
          <dt className="text-text-2">Highest after</dt>
          <dd className="text-right">{usdt(preview.balances.highest_after)}</dd>
        </dl>
      ) : null}
      {refused.length === 0 ? null : (
        <ul
          aria-label="Refused"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled with the keyboard
          tabIndex={0}
          className="mt-2 max-h-32 overflow-y-auto border-t border-line pt-1 text-12"
        >
          {refused.slice(0, listedMax).map(({ user_id, username, message }) => (
            <li key={user_id} className="py-0.5">
              <bdi className="font-medium">{username ?? unknownUser}</bdi>{' '}
              <span className="text-down">{message}</span>
            </li>
          ))}
          {refused.length > listedMax ? <li>{`${refused.length - listedMax} more`}</li> : null}
        </ul>
      )}
    </section>
  );
}
