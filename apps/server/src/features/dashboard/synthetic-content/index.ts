/**
 * The generated part of the dashboard (A41): an economic calendar, news and social sentiment, each labelled as simulated
 * wherever it is shown. One generator, seeded by the installation and by time, is a pure function of the markets it reads: the
 * same moment gives the same items to every user, also after a restart.
 * Invariants: a figure about a market is true of this server's past prices, so nothing tells of later ones; no headline whose
 * direction the present price has reversed is shown (`templates.ts`); none reports an action of a company other than its price. An answer is generated once in `ttlMs` for all users.
 */

import { memoizeWithTtl } from '../../../platform/cache/memoize-with-ttl.ts';
import type { DashboardDependencies } from '../dependencies.ts';
import { getTenEvents } from './calendar.ts';
import { createDraw } from './draws.ts';
import { createContentReader } from './followed-markets.ts';
import { getTenNews } from './news.ts';
import { getSocialSentiment } from './social.ts';

/** The widgets poll every 30 and 60 s; a shock may be polled sooner. */
const ttlMs = 5_000;

export function createSyntheticContent(deps: DashboardDependencies) {
  const draw = createDraw(deps.seed);
  const cached = <Answer>(compute: () => Promise<Answer>) =>
    memoizeWithTtl(deps.timers, async () => ({ answer: await compute(), ttlMs }));
  const input = cached(createContentReader(deps));
  return {
    get_economic_calendar: cached(async () => getTenEvents(draw, deps.timers.now())),
    get_news_feed: cached(async () => getTenNews(draw, await input())),
    get_social_sentiment: cached(async () => getSocialSentiment(draw, await input())),
  };
}
