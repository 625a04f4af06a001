/** One contest: its times and rules, the ranking, and after its end the frozen result with its proof. For entrants and staff. */
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { DownloadButton } from '../../shared/download/DownloadButton.tsx';
import { formatDayStamp } from '../../shared/download/index.ts';
import { Amount, formatFigure, Return } from '../../shared/numbers/index.ts';
import { unwrap, useSupabase } from '../../shared/supabase/index.ts';
import { type Column, DataTable } from '../../shared/table/index.ts';
import { DateTime } from '../../shared/time/DateTime.tsx';
import { formatDatedClock } from '../../shared/time/dates.ts';
import { Badge, EmptyState } from '../../shared/ui/index.ts';
import { CertificateButton } from './CertificateButton.tsx';
import { FactList } from './FactList.tsx';
import { FailedProof } from './FailedProof.tsx';
import { HashLine } from './HashLine.tsx';
import { interventionLabels, markStateLabels, phaseLabels, scoreLabels, unrankedLabels } from './labels.ts';
import { MarketProof } from './MarketProof.tsx';
import { type Contest, type ContestResult, type Rank, rankingQuery, resultQuery } from './queries.ts';
import { readWholeRanking, toRankingFile } from './ranking-file.ts';

export function PhaseBadge({ of }: { readonly of: Pick<Contest, 'phase'> }) {
  const { text, tone } = phaseLabels[of.phase];
  return <Badge tone={tone}>{text}</Badge>;
}

const rankOf = ({ rank, unranked }: Rank): ReactNode =>
  rank ?? <span className="text-text-3">{unranked === null ? '–' : unrankedLabels[unranked]}</span>;

/** A name where it is shown, else the number. */
export function EntrantName({ of }: { readonly of: Rank }) {
  return (
    <span className="inline-flex items-center gap-2">
      <bdi className={`text-text ${of.is_self ? 'font-semibold' : 'font-medium'}`}>
        {of.username ?? `Entrant ${of.number}`}
      </bdi>
      {of.is_self ? <Badge tone="accent">You</Badge> : null}
    </span>
  );
}

type RankColumn = Column<Rank & { readonly id: string }>;

const rankColumns = ({ phase, rules }: Contest): readonly RankColumn[] => {
  const isEnded = phase === 'ended';
  const change: RankColumn = {
    head: 'Return',
    width: '64px',
    numeric: true,
    card: isEnded && rules.score !== 'return' ? 'line' : '1 end',
    cell: ({ return_pct }) => <Return value={return_pct} />,
  };
  const score: RankColumn = {
    head: scoreLabels[rules.score],
    width: '72px',
    numeric: true,
    card: '1 end',
    cell: (row) => (row.score === null ? '–' : <span className="figures">{formatFigure(row.score, 4)}</span>),
  };
  const drawdown: RankColumn = {
    head: 'Drawdown',
    width: '56px',
    numeric: true,
    card: 'line',
    cell: ({ drawdown_pct }) =>
      drawdown_pct === null ? (
        '–'
      ) : (
        <span className="figures whitespace-nowrap">{formatFigure(drawdown_pct, 2)} %</span>
      ),
  };
  return [
    { head: 'Rank', width: '40px', card: '1 start', className: 'whitespace-nowrap', cell: rankOf },
    {
      head: 'Entrant',
      width: '140px',
      className: 'w-full',
      card: '1 start',
      cell: (row) => <EntrantName of={row} />,
    },
    // The change is the return.
    ...(isEnded && rules.score !== 'return' ? [score] : []),
    change,
    {
      head: 'Equity',
      width: '80px',
      numeric: true,
      card: 'line',
      cell: ({ equity }) => <Amount value={equity} />,
    },
    ...(isEnded ? [drawdown] : []),
    { head: 'Trades', width: '40px', numeric: true, card: 'line', cell: ({ trades }) => trades },
  ];
};

function Ranking({ shown }: { readonly shown: Contest }) {
  const supabase = useSupabase();
  const reading = useQuery(rankingQuery(supabase, shown));
  const columns = useMemo(() => rankColumns(shown), [shown]);
  const { data } = reading;
  const rows = useMemo(() => {
    if (data === undefined) return undefined;
    const { ranks, own } = data;
    const isOwnShown = own === null || ranks.some(({ number }) => number === own.number);
    return (isOwnShown ? ranks : [...ranks, own]).map((rank) => ({ ...rank, id: `${rank.number}` }));
  }, [data]);
  const own = data?.own ?? null;
  const makeFile = async () => ({
    name: `ranking_${shown.name}_${formatDayStamp(new Date())}.csv`,
    text: toRankingFile(await readWholeRanking(supabase, shown.id)),
  });
  return (
    <>
      <DataTable
        caption={`Ranking of ${shown.name}`}
        columns={columns}
        rows={rows}
        reading={reading}
        currentId={own === null ? null : `${own.number}`}
        failed="Failed to load the ranking"
        placeholders={4}
        empty={<EmptyState title="No entrants yet">The ranking begins with the first entrant.</EmptyState>}
      />
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-t border-line px-4 py-1.5">
        <p className="min-w-0 grow basis-60 text-12 text-text-3">
          {data?.frozen
            ? `The result, by ${scoreLabels[shown.rules.score].toLowerCase()}. Frozen on ${formatDatedClock(data.at)}.`
            : `By equity at the present prices, every few seconds. The result is by ${scoreLabels[shown.rules.score].toLowerCase()}.`}
          {data !== undefined && rows !== undefined && data.entrants > rows.length
            ? ` The first ${data.ranks.length} of ${data.entrants}.`
            : ''}
        </p>
        {data === undefined || data.entrants === 0 ? null : (
          <DownloadButton failed="Failed to save the ranking" make={makeFile}>
            File of the ranking
          </DownloadButton>
        )}
      </div>
    </>
  );
}

function Facts({ shown }: { readonly shown: Contest }) {
  const { rules } = shown;
  const facts: readonly (readonly [string, string])[] = [
    [
      'Registration',
      `${formatDatedClock(shown.registration_opens_at)} – ${formatDatedClock(shown.registration_ends_at)}`,
    ],
    ['Trading', `${formatDatedClock(shown.begins_at)} – ${formatDatedClock(shown.ends_at)}`],
    ['Open to', shown.class_name ?? 'every trader'],
    ['Start balance', `${formatFigure(Number(rules.startBalance), 2)} USDT`],
    ['Leverage', `at most ${rules.leverageMax}x`],
    ['Markets', rules.symbols?.join(', ') ?? 'all'],
    ['Open positions', rules.positionsMax === null ? 'no limit' : `at most ${rules.positionsMax}`],
    ['Score', scoreLabels[rules.score]],
    ['Least trades', `${rules.tradesMin}`],
    ['Entrants', `${shown.entrants}`],
  ];
  return (
    <div className="border-b border-line px-4 py-3">
      <FactList facts={facts} />
    </div>
  );
}

type Closing = ContestResult['closings'][number];

const closingColumns: readonly Column<Closing & { readonly id: string }>[] = [
  { head: 'Entrant', width: '64px', card: '1 start', cell: ({ number }) => `Entrant ${number}` },
  { head: 'Market', width: '80px', card: '1 start', className: 'w-full', cell: ({ symbol }) => symbol },
  {
    head: 'Because',
    width: '80px',
    card: '1 end',
    cell: ({ state }) => (
      <Badge tone="warn">{state === null ? 'Never had a price' : markStateLabels[state]}</Badge>
    ),
  },
  {
    head: 'Price',
    width: '72px',
    numeric: true,
    card: 'line',
    cell: ({ price }) => <span className="figures">{price}</span>,
  },
];

const resultHeading = 'Result and proof';

function Result({ shown }: { readonly shown: Contest }) {
  const supabase = useSupabase();
  const reading = useQuery(resultQuery(supabase, shown.id));
  const { data } = reading;
  const rows = useMemo(
    () => data?.closings.map((closing) => ({ ...closing, id: closing.position_id })),
    [data],
  );
  if (reading.isError && data === undefined) {
    return <FailedProof of={resultHeading} title="Failed to load the result" reading={reading} />;
  }
  if (!data) return null;
  const readDocument = async () => {
    const { id, name } = shown;
    const read = await unwrap(
      supabase.rest.rpc('get_contest_result', { p_contest_id: id, p_with_document: true }),
    );
    return { name: `contest_${name}.json`, text: read?.document };
  };
  return (
    <section aria-labelledby={`result-${shown.id}`} className="panel overflow-hidden">
      <div className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-1.5">
        <h2 id={`result-${shown.id}`} className="grow text-14 font-semibold">
          {resultHeading}
        </h2>
        {shown.account_id === null ? null : (
          <CertificateButton
            name={shown.name}
            read={() => unwrap(supabase.rest.rpc('get_contest_certificate', { p_contest_id: shown.id }))}
          />
        )}
        <DownloadButton failed="Failed to download the result" make={readDocument}>
          Download the document
        </DownloadButton>
      </div>
      <p className="px-4 py-3 text-13 text-text-2">
        {data.positions_closed === 0
          ? 'Nothing was open at the end.'
          : `The end closed ${data.positions_closed === 1 ? '1 position' : `${data.positions_closed} positions`} at the last accepted prices of ${formatDatedClock(data.closed_at)}, the same for every entrant.`}{' '}
        {data.closings_total === 0
          ? ''
          : `${data.closings_total === 1 ? 'One of them' : `${data.closings_total} of them`} had a price that did not trade then${data.closings.length < data.closings_total ? `. The first ${data.closings.length}, and all in the document` : ''}:`}
      </p>
      {data.closings.length === 0 ? null : (
        <DataTable
          caption="Positions closed at prices that did not trade"
          columns={closingColumns}
          rows={rows}
          reading={reading}
          failed="Failed to load the result"
          placeholders={2}
          empty={null}
        />
      )}
      {data.interventions.length === 0 ? null : (
        <div className="border-t border-line px-4 py-3 text-13">
          <h3 className="mb-1.5 font-medium">What staff did to the market</h3>
          <ul className="flex flex-col gap-1 text-text-2">
            {data.interventions.map(({ at, action, symbol }) => (
              <li key={`${at} ${action}`}>
                <DateTime iso={at} /> {interventionLabels[action] ?? action}
                {symbol === null ? '' : `, ${symbol}`}
              </li>
            ))}
          </ul>
        </div>
      )}
      <HashLine hash={data.sha256} label="Hash">
        The audit log has the SHA-256 of the document:
      </HashLine>
      <HashLine hash={data.certificate_key} label="Key">
        Certificates are signed by the key
      </HashLine>
    </section>
  );
}

interface ContestViewProps {
  readonly shown: Contest;
  /** Controls beside the heading. */
  readonly actions?: ReactNode;
  /** Whether the viewer may read the ranking: entrants and staff. */
  readonly hasRanking: boolean;
}

export function ContestView({ shown, actions, hasRanking }: ContestViewProps) {
  return (
    <>
      <section aria-labelledby={`contest-${shown.id}`} className="panel overflow-hidden">
        <div className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-1.5">
          <h2 id={`contest-${shown.id}`} className="text-14 font-semibold">
            <bdi>{shown.name}</bdi>
          </h2>
          <PhaseBadge of={shown} />
          <span className="ml-auto flex flex-wrap gap-2">{actions}</span>
        </div>
        {shown.description === '' ? null : (
          <p className="border-b border-line px-4 py-3 text-13 whitespace-pre-line text-text-2">
            <bdi>{shown.description}</bdi>
          </p>
        )}
        <Facts shown={shown} />
        {hasRanking ? (
          <Ranking shown={shown} />
        ) : (
          <p className="px-4 py-3 text-13 text-text-2">
            {shown.phase === 'withdrawn'
              ? 'This contest was withdrawn before it began. Its accounts are archived.'
              : 'Enter the contest to see its ranking.'}
          </p>
        )}
      </section>
      {hasRanking && shown.phase === 'ended' ? <Result shown={shown} /> : null}
      <MarketProof shown={shown} hasFile={hasRanking} />
    </>
  );
}
