/** How the simulated prices of a contest are proved: the hash of the commitment from the begin on, the file with the keys once they are published. */
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { DownloadButton } from '../../shared/download/DownloadButton.tsx';
import { unwrap, useSupabase } from '../../shared/supabase/index.ts';
import { formatDatedClock } from '../../shared/time/dates.ts';
import { FailedProof } from './FailedProof.tsx';
import { HashLine } from './HashLine.tsx';
import { type Contest, type ContestMarket, marketQuery } from './queries.ts';

function whenPublished({ is_public, keys_from, waits_for_others }: ContestMarket): ReactNode {
  if (is_public) {
    return (
      <>
        The days are over and their keys are published. In a copy of the program (Fulcrum),{' '}
        <code>npm run verify-market -- FILE</code> checks the file.
      </>
    );
  }
  const because = waits_for_others
    ? 'another contest runs on the same days'
    : 'from a key all prices of its day (UTC) follow';
  return `The keys stay secret until ${formatDatedClock(keys_from)} or later, because ${because}.`;
}

const heading = 'Simulated prices and their proof';

export function MarketProof({
  shown,
  hasFile,
}: {
  readonly shown: Contest;
  /** Whether the viewer may download the file: entrants and staff. */
  readonly hasFile: boolean;
}) {
  const supabase = useSupabase();
  const reading = useQuery(marketQuery(supabase, shown));
  const { data } = reading;
  if (reading.isError && data === undefined) {
    return <FailedProof of={heading} title="Failed to load the proof of the prices" reading={reading} />;
  }
  if (!data) return null;
  const read = async (what: 'commitment' | 'file') => {
    const found = await unwrap(
      supabase.rest.rpc('get_contest_market', {
        p_contest_id: shown.id,
        ...(what === 'file' ? { p_with_file: true } : { p_with_commitment: true }),
      }),
    );
    return {
      name: `${what === 'file' ? 'market' : what}_${shown.name}.json`,
      text: found?.[what],
    };
  };
  return (
    <section aria-labelledby={`market-${shown.id}`} className="panel overflow-hidden">
      <div className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-1.5">
        <h2 id={`market-${shown.id}`} className="grow text-14 font-semibold">
          {heading}
        </h2>
        <DownloadButton failed="Failed to download the commitment" make={() => read('commitment')}>
          Download the commitment
        </DownloadButton>
        {hasFile && data.is_public ? (
          <DownloadButton failed="Failed to download the file" make={() => read('file')}>
            Download the market file
          </DownloadButton>
        ) : null}
      </div>
      <p className="px-4 py-3 text-13 text-text-2">
        All prices of {data.symbols === 1 ? 'the simulated market' : `the ${data.symbols} simulated markets`}{' '}
        follow from secret keys, whose hashes were published on {formatDatedClock(data.published_at)}: from
        then on only a price shock, which the result lists, moves a price. {whenPublished(data)}
      </p>
      <HashLine hash={data.sha256} label="Hash of the commitment">
        Note the SHA-256 of the commitment, which the audit log has too:
      </HashLine>
    </section>
  );
}
