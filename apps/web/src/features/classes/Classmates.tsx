/** The members of the class that this page's account is of, with their returns; nothing where the class does not show them. */
import { useQuery } from '@tanstack/react-query';
import { formatFigure } from '../../shared/numbers/index.ts';
import { unwrap, useSupabase } from '../../shared/supabase/index.ts';

const refetchMs = 15_000;

export default function Classmates() {
  const { rest } = useSupabase();
  const { data } = useQuery({
    queryKey: ['classmates'],
    queryFn: ({ signal }) => unwrap(rest.rpc('list_classmates', {}).abortSignal(signal)),
    refetchInterval: refetchMs,
  });
  if (!data) return null;
  const { members, own, total } = data;
  const isOwnShown = own === null || members.some(({ is_self }) => is_self);
  return (
    <section aria-labelledby="classmates" className="panel overflow-hidden">
      <h2 id="classmates" className="border-b border-line px-4 py-2.5 text-14 font-semibold">
        <bdi>{data.class_name}</bdi>
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
            <span
              className={`figures ${return_pct <= -0.005 ? 'text-down' : return_pct >= 0.005 ? 'text-up' : ''}`}
            >
              {formatFigure(return_pct, 2)} %
            </span>
          </li>
        ))}
      </ol>
      {total > members.length ? (
        <p className="border-t border-line px-4 py-2 text-12 text-text-3">
          The first {members.length} of {total} members{isOwnShown ? '' : ', and you'}.
        </p>
      ) : null}
    </section>
  );
}
