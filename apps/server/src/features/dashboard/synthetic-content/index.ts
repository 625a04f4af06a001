/**
 * The generated part of the dashboard (A41): an economic calendar, news and social sentiment, each labelled as simulated
 * wherever it is shown. One generator, seeded by the installation and by time, is a pure function of the markets it reads: the
 * same moment gives the same items to every user, also after a restart.
 * Invariants: nothing contradicts the prices on screen; figures of markets are true of this server's markets; no headline
 * reports an action of a company other than its price. An answer is generated once in `keptMs` for all users.
 */
import type { CalendarEvent, NewsItem, SocialSentiment } from '@fulcrum/contract';
import type { DashboardDependencies } from '../dependencies.ts';
import { tenEvents } from './calendar.ts';
import { createDraws } from './draws.ts';
import { createMarketReader } from './market-reader.ts';
import { tenNews } from './news.ts';
import { socialOf } from './social.ts';

/** The widgets poll every 30 and 60 s; a shock may be polled sooner. */
const ttlMs = 5_000;

export function createSyntheticContent({ market, timers, log, seed }: DashboardDependencies) {
  const draws = createDraws(seed);
  const reader = createMarketReader({ market, timers, log });
  const snapshot = memoize(reader.read);
  const news = memoize(async (): Promise<NewsItem[]> => tenNews(draws, await snapshot()));
  const social = memoize(async (): Promise<SocialSentiment[]> => socialOf(draws, await snapshot()));
  const calendar = memoize(async (): Promise<CalendarEvent[]> => tenEvents(draws, timers.now()));

  /** The answer of a moment ago, or one that is under way, or a new one. */
  function memoize<Answer>(compute: () => Promise<Answer>): () => Promise<Answer> {
    let last: { readonly answer: Promise<Answer>; readonly at: number } | null = null;
    return () => {
      const now = timers.now();
      // After the clock was set back, the entry must not last longer.
      if (last && Math.abs(now - last.at) < ttlMs) return last.answer;
      const answer = compute();
      const entry = { answer, at: now };
      last = entry;
      answer.catch(() => {
        if (last === entry) last = null;
      });
      return answer;
    };
  }

  return {
    get_economic_calendar: calendar,
    get_news_feed: news,
    get_social_sentiment: social,
  };
}
