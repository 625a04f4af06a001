/**
 * The journal (JRNL-01 to JRNL-10): the form at the left, the entries at the right, newest first; on narrower screens
 * stacked.
 */
import { useRef } from 'react';
import { useOpenPositions } from '../../shared/account/index.ts';
import { Button, ButtonLink, EmptyState, ErrorState, Skeleton, usePhone } from '../../shared/ui/index.ts';
import { Widget } from '../../shared/widget/index.ts';
import { useFollowedPrices } from '../market/index.ts';
import { EntryForm } from './EntryForm.tsx';
import { EntryRow } from './EntryRow.tsx';
import type { JournalEntry } from './entries.ts';
import { isFiltered } from './filter.ts';
import { ExportMenu, SearchField, TagFilter } from './JournalTools.tsx';
import { failedText, useJournal, useRefetchClosedPositions } from './useJournal.ts';
import { useJournalParams } from './useJournalParams.ts';

/** The number of entries before the user opens the whole list. */
const latest = 3;

/** Mounted while a linked position is open, whose result follows the price. */
function FollowedPrices() {
  useFollowedPrices(null);
  return null;
}

const loading = (
  <ul aria-busy="true">
    {['a', 'b', 'c'].map((row) => (
      <li
        key={row}
        className="flex h-[69px] flex-col justify-center gap-2 border-b border-line/65 px-4 last:border-b-0"
      >
        <Skeleton className="h-3.5 w-2/5" />
        <Skeleton className="h-3.5 w-4/5" />
      </li>
    ))}
  </ul>
);

const counted = (count: number): string => (count === 1 ? '1 entry' : `${count} entries`);

/** On its own page it lists all entries. */
export function JournalSection({ isPage = false }: { readonly isPage?: boolean }) {
  const phone = usePhone();
  const { filter, newEntryRequest, showsAll, opened, change } = useJournalParams();
  const journal = useJournal(filter);
  const { entries, pages, index, ids, tags, isCut, total } = journal;
  useRefetchClosedPositions(entries);
  const { data: open } = useOpenPositions();
  const list = useRef<HTMLDivElement>(null);

  const filtered = isFiltered(filter);
  const isLater = entries !== undefined && entries.findIndex(({ id }) => id === opened) >= latest;
  const isWide = isPage || showsAll || filtered || isLater;
  const shown = isWide ? entries : entries?.slice(0, latest);
  const positionOf = ({ position }: JournalEntry) => open?.find(({ id }) => id === position?.id) ?? position;
  const follows = shown?.some((entry) => positionOf(entry)?.status === 'open') ?? false;
  const failed = pages.isError || index.isError;
  const retry = () => void Promise.all([pages.refetch(), index.refetch()]);
  const clear = () => change({ text: '', tag: null });
  const search = (className: string) => (
    <SearchField
      className={className}
      text={filter.text}
      onSearch={(text) => change({ text, entry: null })}
    />
  );

  const content = () => {
    if (shown === undefined) {
      if (!failed) return loading;
      return (
        <ErrorState title={failedText} onRetry={retry} retrying={pages.isFetching || index.isFetching} />
      );
    }
    if (shown.length === 0) {
      if (filtered) {
        return (
          <EmptyState title="No entry matches" action={<Button onClick={clear}>Show all</Button>}>
            {isCut
              ? 'Titles and texts of the whole journal were searched, and its most used tags.'
              : 'Titles, texts and tags of the whole journal were searched.'}
          </EmptyState>
        );
      }
      return (
        <EmptyState title="No entries yet">
          Write down the idea of a trade and whether you followed it. What you save appears here.
        </EmptyState>
      );
    }
    return (
      <ul aria-label="Journal entries" aria-busy={pages.isPlaceholderData || undefined}>
        {shown.map((entry) => (
          <EntryRow
            key={entry.id}
            entry={entry}
            position={positionOf(entry)}
            isOpen={entry.id === opened}
            onToggle={(id) => change({ entry: id === opened ? null : id })}
            fallbackFocus={() => list.current}
          />
        ))}
      </ul>
    );
  };

  return (
    <Widget
      title="Trading Journal"
      to={isPage ? undefined : '/journal'}
      reading={journal}
      className="scroll-mt-20"
      aside={
        <>
          {phone ? null : search('w-56')}
          {total !== undefined && total > latest && !isPage ? (
            <Button
              tone="quiet"
              size="compact"
              className="!text-accent"
              aria-pressed={isWide}
              onClick={() =>
                change(isWide ? { journal: 'latest', text: '', tag: null, entry: null } : { journal: 'all' })
              }
            >
              {isWide ? 'Latest only' : `All ${counted(total)}`}
            </Button>
          ) : null}
          <ButtonLink tone="quiet" size="compact" to="/analytics?view=week">
            {phone ? 'Week' : 'Review of the week'}
          </ButtonLink>
          {total ? <ExportMenu /> : null}
        </>
      }
    >
      <div className="grid grow border-t border-line xl:grid-cols-[372px_minmax(0,1fr)]">
        <div className="p-4 max-xl:border-b max-xl:border-line max-md:py-3 xl:border-r xl:border-line">
          <div className="xl:sticky xl:top-[calc(var(--impersonation-height)+var(--nav-height)+16px)]">
            <EntryForm entry={null} newEntryRequest={newEntryRequest} entryIds={ids} />
          </div>
        </div>
        <div ref={list} tabIndex={-1} className="min-w-0 outline-none">
          {follows ? <FollowedPrices /> : null}
          {isWide || phone ? (
            <div className="flex flex-col gap-2 border-b border-line/65 px-4 py-2.5 empty:hidden">
              {phone ? search('w-full') : null}
              {isWide ? (
                <TagFilter tags={tags} chosen={filter.tag} onChoose={(tag) => change({ tag, entry: null })} />
              ) : null}
            </div>
          ) : null}
          {content()}
          {isWide && shown !== undefined && shown.length > 0 ? (
            <div className="flex items-center justify-between gap-3 border-t border-line px-4 py-2 text-12 text-text-3">
              <span role="status" className="figures">
                {filtered
                  ? `${counted(shown.length)} found${pages.hasNextPage ? ' so far' : ''}${isCut ? '; of the many tags that match, the most used were searched' : ''}`
                  : `${shown.length} of ${counted(total ?? shown.length)}`}
              </span>
              {pages.hasNextPage ? (
                <Button
                  size="compact"
                  pending={pages.isFetchingNextPage}
                  onClick={() => pages.fetchNextPage()}
                >
                  Load more
                </Button>
              ) : null}
            </div>
          ) : null}
        </div>
      </div>
    </Widget>
  );
}
