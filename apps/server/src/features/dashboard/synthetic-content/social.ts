/**
 * Social sentiment: the share of bullish posts follows the last 24 hours of each platform's markets, around a bias of its
 * own and with a slow drift. Tags are markets that move and events that are due. No real posts are read.
 */
import { type SocialSentiment, socialPlatforms } from '@fulcrum/contract';
import { dayMs, hourMs } from '@fulcrum/domain';
import { listPublications } from './calendar.ts';
import { type Draw, pick } from './draws.ts';
import { type ContentInput, quarterMs, usualDayPct } from './followed-markets.ts';
import { getChange } from './templates.ts';

type Platform = SocialSentiment['platform'];

interface Crowd {
  /** Per cent of bullish posts on a day without moves. */
  readonly calm: number;
  /** What a tag begins with. */
  readonly sign: '#' | '$';
  readonly symbols: readonly string[];
}

const majors = ['BTCUSDT', 'ETHUSDT', 'SOLUSDT', 'DOGEUSDT'];
const crowds: Readonly<Record<Platform, Crowd>> = {
  Twitter: { calm: 54, sign: '#', symbols: [...majors, 'PEPEUSDT', 'NVDA', 'TSLA', 'XAUUSD'] },
  Reddit: { calm: 51, sign: '$', symbols: ['NVDA', 'TSLA', 'AAPL', 'META', 'SPX', 'BTCUSDT', 'ETHUSDT'] },
  Telegram: { calm: 57, sign: '#', symbols: ['SOLUSDT', 'XRPUSDT', 'BNBUSDT', 'ADAUSDT', 'SHIBUSDT'] },
  Discord: {
    calm: 53,
    sign: '#',
    symbols: ['ETHUSDT', 'LINKUSDT', 'AVAXUSDT', 'UNIUSDT', 'ARBUSDT', 'FETUSDT'],
  },
};

const tagNames: Readonly<Record<string, string>> = { BTCUSDT: 'Bitcoin', XAUUSD: 'gold' };

const swing = 30;
const drift = 3;
const bullishMin = 8;
const tagsPerPlatform = 3;
const moverTags = 2;
const dueBackMs = 10 * hourMs;
const dueAheadMs = 20 * hourMs;

/** Between two hours it goes straight from one draw to the next. */
function driftAt(draw: Draw, platform: Platform, at: number): number {
  const hour = Math.floor(at / hourMs);
  const [from, to] = [draw('drift', platform, hour), draw('drift', platform, hour + 1)];
  return drift * (2 * (from + (to - from) * (at / hourMs - hour)) - 1);
}

/** DASH-36, DASH-37: in the contract's order. */
export function getSocialSentiment(
  draw: Draw,
  { now, markets, dayPercents }: ContentInput,
): SocialSentiment[] {
  const bySymbol = new Map(markets.map((market) => [market.pair.symbol, market]));
  const usualDays = (symbol: string, percent: number): number =>
    percent / usualDayPct[bySymbol.get(symbol)?.pair.type ?? 'crypto'];
  const yesterday = now - (now % quarterMs) - dayMs;
  /** In usual days; unknown counts as no move. At the present it is the move that is on screen. */
  const moveNow = (symbol: string): number => usualDays(symbol, dayPercents.get(symbol) ?? 0);
  const moveYesterday = (symbol: string): number => {
    const market = bySymbol.get(symbol);
    return usualDays(symbol, (market && getChange(market, yesterday, dayMs)) ?? 0);
  };
  const dueTags = listPublications(draw, now - dueBackMs, now + dueAheadMs).flatMap(({ indicator }) =>
    indicator.impact === 'high' && indicator.tag !== undefined ? [`#${indicator.tag}`] : [],
  );

  return socialPlatforms.map((platform) => {
    const { calm, sign, symbols } = crowds[platform];
    const bullishOf = (moveOf: (symbol: string) => number, at: number): number => {
      const mean = symbols.reduce((sum, symbol) => sum + moveOf(symbol), 0) / symbols.length;
      const share = calm + swing * Math.tanh(mean) + driftAt(draw, platform, at);
      return Math.min(100 - bullishMin, Math.max(bullishMin, share));
    };
    const bullish = bullishOf(moveNow, now);
    const movers = [...symbols]
      .sort((left, right) => Math.abs(moveNow(right)) - Math.abs(moveNow(left)))
      .map((symbol) => `${sign}${(sign === '#' && tagNames[symbol]) || symbol.replace(/USDT$/, '')}`);
    const due = pick(draw, dueTags, 'tag', platform, Math.floor(now / hourMs));
    // Two movers and an event; where none is due, another mover.
    const tags = [...movers.slice(0, moverTags), ...(due ? [due] : []), ...movers.slice(moverTags)];
    return {
      platform,
      bullish: Math.round(bullish),
      change: Math.round((bullish - bullishOf(moveYesterday, now - dayMs)) * 10) / 10 + 0,
      tags: tags.slice(0, tagsPerPlatform),
    };
  });
}
