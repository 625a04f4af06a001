import { busy, type CalendarEvent, type NewsItem, type SocialSentiment } from '@fulcrum/contract';
import type { DashboardDependencies } from '../index.ts';

export const createMadeUp = (_deps: DashboardDependencies) => ({
  get_economic_calendar: async (): Promise<CalendarEvent[]> => {
    throw busy();
  },
  get_news_feed: async (): Promise<NewsItem[]> => {
    throw busy();
  },
  get_social_sentiment: async (): Promise<SocialSentiment[]> => {
    throw busy();
  },
});
