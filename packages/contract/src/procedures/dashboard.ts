/**
 * The dashboard's figures of the market as a whole. Sentiment and Fear & Greed are computed from bars, prices and
 * open positions. One seeded generator makes the calendar, news and social sentiment, and the screen labels them as
 * synthetic (A41).
 */
import { z } from 'zod';
import { symbol } from '../columns.ts';
import { query, traderReads } from './procedure.ts';

const instant = z.string();

export const marketSentiment = z.object({
  /** Twelve points, oldest first, complete each time; the last is the current hour so far (DASH-12, A90). */
  points: z
    .array(
      z.object({
        /** Start of the hour, ISO 8601 UTC. */
        hour: instant,
        /** -50 to 50; null where too few markets have bars of that hour. */
        value: z.number().nullable(),
      }),
    )
    .length(12),
  /** The inputs of the last point, each -1 to 1; null with it. */
  breadth: z.number().nullable(),
  momentum: z.number().nullable(),
  /** Markets in the computation. */
  markets: z.number().int(),
  as_of: instant,
});
export type MarketSentiment = z.infer<typeof marketSentiment>;

export const getMarketSentiment = query('get_market_sentiment', { ...traderReads, result: marketSentiment });

const fearAndGreedInputs = ['volatility', 'momentum', 'breadth', 'long_short'] as const;
export type FearAndGreedInput = (typeof fearAndGreedInputs)[number];

export const fearAndGreed = z.object({
  /** 0 (fear) to 100 (greed), whole; null while too little is known. */
  value: z.number().int().nullable(),
  /** In the order of `fearAndGreedInputs`. */
  inputs: z.array(
    z.object({
      name: z.enum(fearAndGreedInputs),
      /** 0 to 100; null: not known, or left out because so few accounts could be recognised. */
      score: z.number().nullable(),
      /** Its share of the value, 0 to 1; the shares of the known inputs add up to 1. */
      weight: z.number(),
      /** The measured figure: per cent for volatility and momentum, a share of 0 to 1 for breadth and long_short. */
      figure: z.number().nullable(),
    }),
  ),
  /** The value 24 hours and 7 days ago, without the accounts' input; null where bars are missing. */
  yesterday: z.number().int().nullable(),
  last_week: z.number().int().nullable(),
  markets: z.number().int(),
  as_of: instant,
});
export type FearAndGreed = z.infer<typeof fearAndGreed>;

export const getFearAndGreed = query('get_fear_and_greed', { ...traderReads, result: fearAndGreed });

/** The impact of a calendar event (DASH-31). */
export const impacts = ['high', 'medium', 'low'] as const;
export const calendarEvent = z.object({
  id: z.string(),
  at: instant,
  /** ISO 3166, or EU. */
  country: z.string().length(2),
  title: z.string(),
  impact: z.enum(impacts),
  /** As text with its unit; null where there is none, such as for a speech. */
  forecast: z.string().nullable(),
  previous: z.string().nullable(),
  /** Null before it is out. */
  actual: z.string().nullable(),
});
export type CalendarEvent = z.infer<typeof calendarEvent>;

/** DASH-30: ten events around now, the earliest first. */
export const getEconomicCalendar = query('get_economic_calendar', {
  ...traderReads,
  result: z.array(calendarEvent).length(10),
});

/** The categories of the news feed (DASH-34). */
export const newsCategories = ['market', 'crypto', 'stocks', 'economy'] as const;
export const newsItem = z.object({
  id: z.string(),
  at: instant,
  category: z.enum(newsCategories),
  headline: z.string(),
  /** The market that it is about. */
  symbol: symbol.nullable(),
});
export type NewsItem = z.infer<typeof newsItem>;

/** DASH-33: ten items, the newest first. */
export const getNewsFeed = query('get_news_feed', { ...traderReads, result: z.array(newsItem).length(10) });

/** The platforms of the social sentiment, in their stated order (DASH-36). */
export const socialPlatforms = ['Twitter', 'Reddit', 'Telegram', 'Discord'] as const;
export const socialSentiment = z.object({
  platform: z.enum(socialPlatforms),
  /** Per cent of bullish posts, 0 to 100; the others are bearish. */
  bullish: z.number().int(),
  /** Against 24 hours before, in percentage points. */
  change: z.number(),
  /** Three trending tags for each platform (DASH-37). */
  tags: z.array(z.string()).length(3),
});
export type SocialSentiment = z.infer<typeof socialSentiment>;

/** The four platforms in their order. */
export const getSocialSentiment = query('get_social_sentiment', {
  ...traderReads,
  result: z.array(socialSentiment).length(4),
});
