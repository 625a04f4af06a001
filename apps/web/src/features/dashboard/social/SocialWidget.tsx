/** The synthetic sentiment of four platforms, its change over a day, and their topics (DASH-36 to DASH-38). */
import type { SocialSentiment } from '@fulcrum/contract';
import { colourByDirection, directionOf, formatFigure } from '../../../shared/numbers/index.ts';
import { queryKeys } from '../../../shared/query/index.ts';
import { unwrap, useSupabase } from '../../../shared/supabase/index.ts';
import { Badge, Skeleton } from '../../../shared/ui/index.ts';
import { useWidget, Widget, WidgetBody } from '../../../shared/widget/index.ts';

const everyMs = 30_000;
const platforms = 4;
const changeDecimals = 1;

const list = 'grid min-h-0 grow grid-cols-1 content-stretch @min-[640px]:grid-cols-4';
const block =
  'flex min-h-[84px] flex-col justify-center gap-2 @min-[640px]:justify-start border-b border-line/65 px-4 py-2 last:border-b-0 @min-[640px]:border-r @min-[640px]:border-b-0 @min-[640px]:pt-3 @min-[640px]:last:border-r-0';

export function SocialWidget() {
  const supabase = useSupabase();
  const reading = useWidget({
    queryKey: queryKeys.widget('social-sentiment'),
    what: 'Social Sentiment',
    everyMs,
    read: (signal) => unwrap(supabase.rest.rpc('get_social_sentiment').abortSignal(signal)),
  });
  return (
    <Widget title="Social Sentiment" reading={reading} simulated className="@container h-full">
      <WidgetBody reading={reading} skeleton={<Loading />} failed="Social sentiment could not be loaded">
        {(moods) => (
          <ul className={list}>
            {moods.map((mood) => (
              <Mood key={mood.platform} mood={mood} />
            ))}
          </ul>
        )}
      </WidgetBody>
    </Widget>
  );
}

function Mood({ mood: { platform, bullish, change, tags } }: { readonly mood: SocialSentiment }) {
  const bearish = 100 - bullish;
  const direction = directionOf(change, changeDecimals);
  return (
    <li className={block}>
      <div className="flex flex-wrap items-baseline justify-between gap-x-2 @min-[640px]:@max-[900px]:flex-col">
        <h3 className="text-13 font-medium">{platform}</h3>
        <p className="figures text-12 text-text-2">
          <span className="font-semibold text-text">{`${bullish}%`}</span> bullish
          <span className="sr-only">{`, ${bearish}% bearish, `}</span>
          <span
            title="Percentage points against 24 hours ago"
            className={`ml-2 font-medium ${colourByDirection[direction]}`}
          >
            {formatFigure(change, changeDecimals, 'always')}
            <span className="sr-only"> percentage points against 24 hours ago</span>
          </span>
        </p>
      </div>
      <div aria-hidden="true" title={`${bullish}% bullish, ${bearish}% bearish`} className="flex h-1 gap-0.5">
        <span className="rounded-l-full bg-up" style={{ width: `${bullish}%` }} />
        <span className="grow rounded-r-full bg-down" />
      </div>
      <ul aria-label={`What ${platform} talks about`} className="flex min-h-5 flex-wrap gap-1.5">
        {tags.map((tag) => (
          <li key={tag} className="flex">
            <Badge>{tag}</Badge>
          </li>
        ))}
      </ul>
    </li>
  );
}

function Loading() {
  return (
    <div aria-hidden="true" className={list}>
      {Array.from({ length: platforms }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders are identified by their index alone
        <div key={index} className={block}>
          <div className="flex h-5 items-center justify-between">
            <Skeleton className="h-3 w-16" />
            <Skeleton className="h-3 w-24" />
          </div>
          <Skeleton className="h-1 w-full" />
          <div className="flex h-5 gap-1.5">
            <Skeleton className="h-5 w-14" />
            <Skeleton className="h-5 w-14" />
            <Skeleton className="h-5 w-14" />
          </div>
        </div>
      ))}
    </div>
  );
}
