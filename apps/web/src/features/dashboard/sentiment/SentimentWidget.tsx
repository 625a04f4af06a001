/** Market Sentiment (DASH-11): all twelve points, refreshed every 5 s (A90). */
import type { MarketSentiment } from '@fulcrum/contract';
import { useState } from 'react';
import { Points } from '../../../shared/numbers/index.ts';
import { queryKeys } from '../../../shared/query/index.ts';
import { unwrap, useSupabase } from '../../../shared/supabase/index.ts';
import { formatClock } from '../../../shared/time/dates.ts';
import { useWidth } from '../../../shared/ui/index.ts';
import { useWidget, Widget, WidgetBody } from '../../../shared/widget/index.ts';
import { IndexSourceBadge } from '../market/RankingParts.tsx';
import { chartHeight, SentimentChart } from './SentimentChart.tsx';

const everyMs = 5_000;

function Head({
  points,
  active,
}: {
  readonly points: MarketSentiment['points'];
  readonly active: number | null;
}) {
  const read = points[active ?? points.length - 1];
  if (read === undefined) return null;
  return (
    <>
      <Points value={read.value} className="text-14 font-semibold" />
      <span className="figures min-w-14 text-right whitespace-nowrap">
        {active === null ? '12 hours' : formatClock(read.hour)}
      </span>
      <IndexSourceBadge />
    </>
  );
}

function Chart({ points, active, onRead }: Pick<MarketSentiment, 'points'> & Reading) {
  const [ref, width] = useWidth();
  return (
    <div ref={ref} style={{ height: chartHeight }}>
      {width > 0 ? <SentimentChart points={points} width={width} active={active} onRead={onRead} /> : null}
    </div>
  );
}

interface Reading {
  readonly active: number | null;
  readonly onRead: (index: number | null) => void;
}

export function SentimentWidget() {
  const supabase = useSupabase();
  const [active, setActive] = useState<number | null>(null);
  const reading = useWidget({
    queryKey: queryKeys.widget('market-sentiment'),
    what: 'Market sentiment',
    everyMs,
    read: (signal) => unwrap(supabase.rest.rpc('get_market_sentiment').abortSignal(signal)),
  });
  return (
    <Widget
      title="Market Sentiment"
      ref={reading.ref}
      staleSince={reading.staleSince}
      aside={reading.figures ? <Head points={reading.figures.points} active={active} /> : null}
      className="h-full"
    >
      <div className="flex grow flex-col px-4 pb-3">
        <WidgetBody
          reading={reading}
          skeleton={<SentimentSkeleton />}
          failed="Failed to fetch market sentiment"
        >
          {({ points }) => <Chart points={points} active={active} onRead={setActive} />}
        </WidgetBody>
      </div>
    </Widget>
  );
}

/** The axis without its line. */
function SentimentSkeleton() {
  return (
    <div className="flex flex-col justify-between pt-2.5 pr-4 pb-7.5 pl-9" style={{ height: chartHeight }}>
      {[50, 25, 0, -25, -50].map((value) => (
        <div key={value} className="h-px bg-line" />
      ))}
    </div>
  );
}
