/**
 * The invented part of the dashboard (A41): an economic calendar, news and social sentiment, each said to be simulated wherever
 * it is shown. One generator, seeded by the installation and by time, pure in what it reads of the markets: the same moment
 * gives the same items to everybody and after a restart, and time moves them on.
 * Invariants: nothing contradicts the prices on screen; figures of markets are true of this server's markets; no company is
 * said to have done anything but trade at a price. An answer is made once in `keptMs`, whoever asks.
 */
import type { CalendarEvent, NewsItem, SocialSentiment } from '@fulcrum/contract';
import type { DashboardDependencies } from '../index.ts';
import { tenEvents } from './calendar.ts';
import { createDraws } from './draws.ts';
import { tenNews } from './news.ts';
import { createReader } from './reading.ts';
import { socialOf } from './social.ts';

/** The widgets ask every 30 and 60 s; a shock may be looked for sooner. */
const keptMs = 5_000;

export function createMadeUp({ market, timers, log, seed }: DashboardDependencies) {
  const draws = createDraws(seed);
  const reader = createReader({ market, timers, log });
  const reading = keptFor(reader.read);
  const news = keptFor(async (): Promise<NewsItem[]> => tenNews(draws, await reading()));
  const social = keptFor(async (): Promise<SocialSentiment[]> => socialOf(draws, await reading()));
  const calendar = keptFor(async (): Promise<CalendarEvent[]> => tenEvents(draws, timers.now()));

  /** The answer of a moment ago, or one that is under way, or a new one. */
  function keptFor<Answer>(make: () => Promise<Answer>): () => Promise<Answer> {
    let last: { readonly answer: Promise<Answer>; readonly at: number } | null = null;
    return () => {
      const now = timers.now();
      // A clock that was set back must not keep it longer.
      if (last && Math.abs(now - last.at) < keptMs) return last.answer;
      const answer = make();
      const made = { answer, at: now };
      last = made;
      answer.catch(() => {
        if (last === made) last = null;
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
