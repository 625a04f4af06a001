/** Market Sentiment (DASH-11): all twelve points, refreshed every 5 s (A90). */
import type { MarketSentiment } from '@fulcrum/contract';
import { Points } from '../../../shared/numbers/index.ts';
import { useReadout } from '../../../shared/plot/index.ts';
import { queryKeys } from '../../../shared/query/index.ts';
import { unwrap, useSupabase } from '../../../shared/supabase/index.ts';
import { formatClock } from '../../../shared/time/dates.ts';
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

export function SentimentWidget() {
  const supabase = useSupabase();
  const reading = useWidget({
    queryKey: queryKeys.widget('market-sentiment'),
    what: 'Market sentiment',
    everyMs,
    read: (signal) => unwrap(supabase.rest.rpc('get_market_sentiment').abortSignal(signal)),
  });
  const readout = useReadout(reading.figures?.points.length ?? 0);
  return (
    <Widget
      title="Market Sentiment"
      reading={reading}
      aside={reading.figures ? <Head points={reading.figures.points} active={readout.active} /> : null}
      className="h-full"
    >
      <div className="flex grow flex-col px-4 pb-3">
        <WidgetBody
          reading={reading}
          skeleton={<SentimentSkeleton />}
          failed="Failed to fetch market sentiment"
        >
          {({ points }) => <SentimentChart points={points} {...readout} />}
        </WidgetBody>
      </div>
    </Widget>
  );
}

/** The axis without its line. */
function SentimentSkeleton() {
  return (
    <div className="flex flex-col justify-between pt-1.5 pr-9 pb-7" style={{ height: chartHeight }}>
      {[50, 25, 0, -25, -50].map((value) => (
        <div key={value} className="h-px bg-line" />
      ))}
    </div>
  );
}
