/**
 * Ten synthetic headlines, the newest first (DASH-33 to DASH-35). Each is consistent with this server's prices; an
 * item about a market links to it. Ages update without a render.
 */
import type { NewsItem } from '@fulcrum/contract';
import { useCallback } from 'react';
import { Link } from 'react-router';
import { queryKeys } from '../../../shared/query/index.ts';
import { unwrap, useSupabase } from '../../../shared/supabase/index.ts';
import { LiveText } from '../../../shared/time/LiveText.tsx';
import { Badge, Skeleton } from '../../../shared/ui/index.ts';
import { useWidget, Widget, WidgetBody } from '../../../shared/widget/index.ts';
import { formatUtcFull } from '../calendar/utc.ts';
import { getTradingPath } from '../market/RankingParts.tsx';
import { formatAge } from './age.ts';

const everyMs = 30_000;
const shownItems = 10;

const categoryLabels: Readonly<Record<NewsItem['category'], string>> = {
  market: 'Market',
  crypto: 'Crypto',
  stocks: 'Stocks',
  economy: 'Economy',
};

const row =
  'grid min-h-[33px] grow grid-cols-[46px_66px_minmax(0,1fr)] items-center gap-x-2 border-b border-line/65 px-4 last:border-b-0 max-md:min-h-15 max-md:grid-cols-[auto_minmax(0,1fr)] max-md:content-center max-md:gap-y-1 max-md:py-2';
/** On a phone the headline takes its own line, under age and category. */
const headlineStyles = 'text-13 max-md:col-span-2';

export function NewsWidget() {
  const supabase = useSupabase();
  const reading = useWidget({
    queryKey: queryKeys.widget('news-feed'),
    what: 'News Feed',
    everyMs,
    read: (signal) => unwrap(supabase.rest.rpc('get_news_feed').abortSignal(signal)),
  });
  return (
    <Widget title="News Feed" reading={reading} simulated className="h-full">
      <WidgetBody reading={reading} skeleton={<Loading />} failed="The news could not be loaded">
        {(items) => (
          <ul className="flex min-h-0 grow flex-col md:overflow-auto">
            {items.map((item) => (
              <NewsRow key={item.id} item={item} />
            ))}
          </ul>
        )}
      </WidgetBody>
    </Widget>
  );
}

function NewsRow({ item: { at, category, headline, symbol } }: { readonly item: NewsItem }) {
  const instant = Date.parse(at);
  const age = useCallback(() => formatAge(instant, Date.now()), [instant]);
  const content = (
    <span className="block truncate max-md:whitespace-normal" title={headline}>
      {headline}
    </span>
  );
  return (
    <li className={`${row} relative ${symbol === null ? '' : 'transition-colors hover:bg-raised/70'}`}>
      <time dateTime={at} title={formatUtcFull(instant)} className="text-12 text-text-3">
        <LiveText read={age} />
      </time>
      <span>
        <Badge>{categoryLabels[category]}</Badge>
      </span>
      {symbol === null ? (
        <span className={headlineStyles}>{content}</span>
      ) : (
        // The whole row is the click target; the headline is its name.
        <Link
          to={getTradingPath(symbol)}
          className={`${headlineStyles} -outline-offset-2 after:absolute after:inset-0`}
        >
          {content}
        </Link>
      )}
    </li>
  );
}

function Loading() {
  return (
    <div aria-hidden="true" className="flex min-h-0 grow flex-col">
      {Array.from({ length: shownItems }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders are identified by their index alone
        <div key={index} className={row}>
          <Skeleton className="h-3 w-9" />
          <Skeleton className="h-4 w-12" />
          <Skeleton className="h-3 w-full max-w-80 max-md:col-span-2" />
        </div>
      ))}
    </div>
  );
}
