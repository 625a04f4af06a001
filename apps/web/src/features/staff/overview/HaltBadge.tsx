/**
 * In the header of every admin page while trading is halted: a link to the operations that resume it. Read every 15 s while the
 * page is visible.
 */
import { useQuery } from '@tanstack/react-query';
import OctagonPause from 'lucide-react/icons/octagon-pause';
import { Link } from 'react-router';
import { useSignedIn } from '../../../shared/session/index.ts';
import { unwrap } from '../../../shared/supabase/index.ts';
import { haltKey } from './halt-key.ts';

const readEveryMs = 15_000;

export function HaltBadge() {
  const { supabase } = useSignedIn();
  const { data: halt } = useQuery({
    queryKey: haltKey,
    queryFn: async ({ signal }) =>
      (await unwrap(supabase.rest.rpc('get_platform', {}).abortSignal(signal))).engine.halt,
    refetchInterval: readEveryMs,
    staleTime: readEveryMs,
    // The next interval reads again.
    retry: false,
  });
  return (
    <span role="status" className="empty:hidden">
      {halt == null ? null : (
        <Link
          to="/admin"
          title={halt.reason}
          className="inline-flex h-7 items-center gap-1.5 rounded-control bg-down-weak px-2 text-12 font-semibold whitespace-nowrap text-down max-md:h-11 max-md:bg-transparent max-md:px-1"
        >
          <OctagonPause size={14} aria-hidden="true" />
          <span className="max-sm:sr-only">Trading halted</span>
        </Link>
      )}
    </span>
  );
}
