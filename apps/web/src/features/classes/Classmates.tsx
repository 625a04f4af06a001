/** The members of the class that this page's account is of, with their returns; nothing where the class does not show them. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { Return } from '../../shared/numbers/index.ts';
import { unwrapOrNull, useSupabase } from '../../shared/supabase/index.ts';
import { Button } from '../../shared/ui/index.ts';

const refetchMs = 15_000;

export default function Classmates() {
  const { rest } = useSupabase();
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage, isFetchNextPageError } = useInfiniteQuery({
    queryKey: ['classmates'],
    queryFn: ({ pageParam, signal }) =>
      unwrapOrNull(rest.rpc('list_classmates', { p_offset: pageParam }).abortSignal(signal)),
    initialPageParam: 0,
    getNextPageParam: (page, _, from) => {
      const next = from + (page?.members.length ?? 0);
      return from < next && next < (page?.total ?? 0) ? next : undefined;
    },
    refetchInterval: refetchMs,
  });
  const latest = data?.pages.at(-1);
  if (!latest) return null;
  const { class_name, own, total } = latest;
  const read = data?.pages.flatMap((page) => page?.members ?? []) ?? [];
  // Two pages may be of two rankings, and share a member.
  const members = [...new Map(read.map((one) => [one.username, one])).values()];
  const isOwnShown = own === null || members.some(({ is_self }) => is_self);
  return (
    <section aria-labelledby="classmates" className="panel overflow-hidden">
      <h2 id="classmates" className="border-b border-line px-4 py-2.5 text-14 font-semibold">
        <bdi>{class_name}</bdi>
      </h2>
      <ol
        aria-label="Members by return"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled with the keyboard
        tabIndex={0}
        className="max-h-64 overflow-y-auto"
      >
        {(isOwnShown ? members : [...members, own]).map(({ username, return_pct, is_self }) => (
          <li
            key={username}
            className={`flex min-h-9 items-center gap-3 px-4 text-13 ${is_self ? 'bg-accent-weak font-medium' : ''}`}
          >
            <bdi className="min-w-0 grow truncate">{username}</bdi>
            <Return value={return_pct} />
          </li>
        ))}
      </ol>
      {total > members.length ? (
        <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-3 gap-y-1 border-t border-line px-4 py-1.5 text-12 text-text-3">
          <p role="status">
            {isFetchNextPageError ? 'Failed to load more members. ' : ''}
            The first {members.length} of {total} members{isOwnShown ? '' : ', and you'}.
          </p>
          {hasNextPage ? (
            <Button size="compact" pending={isFetchingNextPage} onClick={() => void fetchNextPage()}>
              Show more
            </Button>
          ) : null}
        </div>
      ) : null}
    </section>
  );
}
