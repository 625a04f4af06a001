/** The Fear & Greed Index (DASH-19 to DASH-24), refreshed every 30 s, with its breakdown on click. */
import type { FearAndGreed } from '@fulcrum/contract';
import { getFearAndGreedLabel } from '@fulcrum/domain';
import { formatFigure } from '../../../shared/numbers/index.ts';
import { queryKeys } from '../../../shared/query/index.ts';
import { unwrap, useSupabase } from '../../../shared/supabase/index.ts';
import { Skeleton } from '../../../shared/ui/index.ts';
import { useWidget, Widget, WidgetBody } from '../../../shared/widget/index.ts';
import { IndexSourceBadge } from '../market/RankingParts.tsx';
import { Gauge } from './Gauge.tsx';
import { IndexBreakdownButton } from './IndexBreakdownButton.tsx';

const everyMs = 30_000;

function Earlier({ label, value }: { readonly label: string; readonly value: number | null }) {
  return (
    <div className="flex h-6 items-center justify-between gap-3">
      <dt className="text-text-2">{label}</dt>
      <dd className="whitespace-nowrap text-text-2">
        <span className="figures font-semibold text-text">{formatFigure(value, 0)}</span>{' '}
        {value === null ? <span className="sr-only">not available</span> : getFearAndGreedLabel(value)}
      </dd>
    </div>
  );
}

function Reading({ reading }: { readonly reading: FearAndGreed }) {
  return (
    <div className="flex grow flex-col justify-between gap-3 px-4 pb-3">
      <div className="grid grow place-items-center">
        <Gauge value={reading.value} />
      </div>
      <div>
        <dl className="text-12">
          <Earlier label="Yesterday" value={reading.yesterday} />
          <Earlier label="Last week" value={reading.last_week} />
        </dl>
        <IndexBreakdownButton reading={reading} />
      </div>
    </div>
  );
}

export function FearGreedWidget() {
  const supabase = useSupabase();
  const reading = useWidget({
    queryKey: queryKeys.widget('fear-and-greed'),
    what: 'Fear & Greed',
    everyMs,
    read: (signal) => unwrap(supabase.rest.rpc('get_fear_and_greed').abortSignal(signal)),
  });
  return (
    <Widget
      title="Fear & Greed Index"
      reading={reading}
      aside={reading.figures ? <IndexSourceBadge /> : null}
      className="h-full"
    >
      <WidgetBody
        reading={reading}
        skeleton={<FearGreedSkeleton />}
        failed="Failed to fetch Fear & Greed Index"
      >
        {(figures) => <Reading reading={figures} />}
      </WidgetBody>
    </Widget>
  );
}

function FearGreedSkeleton() {
  return (
    <div className="flex grow flex-col justify-between gap-3 px-4 pb-3">
      <div className="grid grow place-items-center">
        <div className="h-26 w-46 rounded-t-full border-[11px] border-b-0 border-line" />
      </div>
      <div className="flex h-18 flex-col justify-around">
        <Skeleton className="h-3 w-full" />
        <Skeleton className="h-3 w-full" />
        <Skeleton className="h-3 w-24" />
      </div>
    </div>
  );
}
