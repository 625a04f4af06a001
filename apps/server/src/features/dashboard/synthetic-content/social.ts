/**
 * Social sentiment: the share of bullish posts follows the last 24 hours of each platform's markets, around a bias of its
 * own and with a slow drift. Tags are markets that move and events that are due. No real posts are read.
 */
import type { SocialSentiment } from '@fulcrum/contract';
import { socialPlatforms } from '@fulcrum/contract';
import { dayMs, hourMs, type MarketType } from '@fulcrum/domain';
import { listPublications } from './calendar.ts';
import type { Draws } from './draws.ts';
import type { FollowedMarket, MarketSnapshot } from './followed-markets.ts';
import { changeOver, priceAt } from './price-history.ts';

type Platform = SocialSentiment['platform'];

interface Crowd {
  /** Per cent of bullish posts on a day without moves. */
  readonly calm: number;
  readonly talksOf: readonly string[];
  /** What a tag begins with. */
  readonly sign: '#' | '$';
}

const crowds: Readonly<Record<Platform, Crowd>> = {
  Twitter: {
    calm: 54,
    talksOf: ['BTCUSDT', 'ETHUSDT', 'SOLUSDT', 'DOGEUSDT', 'NVDA', 'TSLA', 'XAUUSD'],
    sign: '#',
  },
  Reddit: { calm: 51, talksOf: ['NVDA', 'TSLA', 'AAPL', 'META', 'SPX', 'BTCUSDT', 'ETHUSDT'], sign: '$' },
  Telegram: { calm: 57, talksOf: ['SOLUSDT', 'XRPUSDT', 'BNBUSDT', 'DOGEUSDT', 'ADAUSDT'], sign: '#' },
  Discord: { calm: 53, talksOf: ['ETHUSDT', 'SOLUSDT', 'LINKUSDT', 'AVAXUSDT'], sign: '#' },
};

/** Themes that are more than one market, by what each is made of. */
const themes: Readonly<Record<string, readonly string[]>> = {
  altseason: ['ETHUSDT', 'SOLUSDT', 'XRPUSDT', 'ADAUSDT', 'AVAXUSDT', 'LINKUSDT'],
  memecoins: ['DOGEUSDT', 'SHIBUSDT', 'PEPEUSDT', 'WIFUSDT', 'BONKUSDT'],
  defi: ['UNIUSDT', 'AAVEUSDT', 'CRVUSDT', 'LDOUSDT'],
  L2: ['ARBUSDT', 'OPUSDT', 'IMXUSDT'],
  AI: ['FETUSDT', 'RENDERUSDT', 'NEARUSDT'],
  gaming: ['SANDUSDT', 'MANAUSDT', 'AXSUSDT'],
};
const themesByPlatform: Readonly<Record<Platform, readonly string[]>> = {
  Twitter: ['memecoins', 'AI'],
  Reddit: [],
  Telegram: ['altseason', 'memecoins', 'gaming'],
  Discord: ['defi', 'L2', 'AI', 'gaming'],
};

/** A usual day, in per cent. */
const usualDay: Readonly<Record<MarketType, number>> = {
  crypto: 3.5,
  stock: 2,
  commodity: 1.5,
  index: 1,
  forex: 0.5,
};
const swing = 30;
const drift = 3;
const bullishMin = 8;
const tagsPerPlatform = 3;

/** DASH-36, DASH-37: in the contract's order. */
export function socialOf(draws: Draws, snapshot: MarketSnapshot): SocialSentiment[] {
  const { now } = snapshot;
  return socialPlatforms.map((platform) => {
    const bullish = bullishAt(draws, snapshot, platform, now);
    const before = bullishAt(draws, snapshot, platform, now - dayMs);
    return {
      platform,
      bullish: Math.round(bullish),
      change: Math.round((bullish - before) * 10) / 10 + 0,
      tags: tagsOf(draws, snapshot, platform),
    };
  });
}

function bullishAt(draws: Draws, snapshot: MarketSnapshot, platform: Platform, at: number): number {
  const { calm, talksOf } = crowds[platform];
  const talked = snapshot.markets.filter(({ pair }) => talksOf.includes(pair.symbol));
  const moves = talked.map((market) => dayMove(snapshot, market, at) / usualDay[market.pair.type]);
  const mean = moves.length === 0 ? 0 : moves.reduce((sum, move) => sum + move, 0) / moves.length;
  const crowd = calm + swing * Math.tanh(mean) + drift * driftAt(draws, platform, at);
  return Math.min(100 - bullishMin, Math.max(bullishMin, crowd));
}

/** In per cent; unknown counts as no move. At the present it is the move that is on screen. */
function dayMove(
  { now, dayPercents }: MarketSnapshot,
  { pair, history }: FollowedMarket,
  at: number,
): number {
  if (at === now) return dayPercents.get(pair.symbol) ?? changeToNow(history, now) ?? 0;
  return changeOver(history, at, dayMs) ?? 0;
}

function changeToNow(history: FollowedMarket['history'], now: number): number | null {
  const price = history.at(-1)?.close;
  const before = priceAt(history, now - dayMs);
  return price === undefined || before === null ? null : (price / before - 1) * 100;
}

/** Between two hours it goes straight from one draw to the next. */
function driftAt(draws: Draws, platform: Platform, at: number): number {
  const hour = Math.floor(at / hourMs);
  const share = at / hourMs - hour;
  const from = draws.bell('drift', platform, hour);
  return from + (draws.bell('drift', platform, hour + 1) - from) * share;
}

const dueWithinMs = 20 * hourMs;

function tagsOf(draws: Draws, snapshot: MarketSnapshot, platform: Platform): string[] {
  const { sign, talksOf } = crowds[platform];
  const typeOf = new Map(snapshot.markets.map(({ pair }) => [pair.symbol, pair.type]));
  const moved = (symbol: string): number =>
    Math.abs(snapshot.dayPercents.get(symbol) ?? 0) / usualDay[typeOf.get(symbol) ?? 'crypto'];
  const movers = talksOf
    .map((symbol) => ({ tag: tagOf(symbol, sign), moved: moved(symbol) }))
    .sort((left, right) => right.moved - left.moved || (left.tag < right.tag ? -1 : 1));
  const topics = [...themeTags(snapshot, platform), ...dueTags(draws, snapshot.now)];
  // Two movers and a topic; where there is no topic, another mover.
  const tags = [...movers.slice(0, tagsPerPlatform - 1).map(({ tag }) => tag), ...topics.slice(0, 1)];
  for (const { tag } of movers) if (tags.length < tagsPerPlatform && !tags.includes(tag)) tags.push(tag);
  return tags;
}

const tagNames: Readonly<Record<string, string>> = { BTCUSDT: 'Bitcoin', XAUUSD: 'gold', SPX: 'SPX' };
function tagOf(symbol: string, sign: Crowd['sign']): string {
  const ticker = symbol.replace(/USDT$/, '');
  return sign === '$' ? `$${ticker}` : `#${tagNames[symbol] ?? ticker}`;
}

/** The theme of the platform that moved the most, if any did so by more than a usual day. */
function themeTags({ dayPercents }: MarketSnapshot, platform: Platform): string[] {
  const meanOf = (symbols: readonly string[]): number => {
    const known = symbols.flatMap((symbol) => dayPercents.get(symbol) ?? []);
    return known.length === 0 ? 0 : known.reduce((sum, percent) => sum + percent, 0) / known.length;
  };
  const bitcoin = dayPercents.get('BTCUSDT') ?? 0;
  const ranked = themesByPlatform[platform]
    .map((theme) => ({ theme, mean: meanOf(themes[theme] ?? []) }))
    // Altseason is when the others rise more than bitcoin does.
    .filter(({ theme, mean }) => (theme === 'altseason' ? mean > Math.max(0, bitcoin) : mean !== 0))
    .sort((left, right) => Math.abs(right.mean) - Math.abs(left.mean));
  return ranked.map(({ theme }) => `#${theme}`);
}

/** What came out or is due within a day. */
function dueTags(draws: Draws, now: number): string[] {
  return listPublications(draws, now - dueWithinMs / 2, now + dueWithinMs).flatMap(({ indicator }) =>
    indicator.impact === 'high' && indicator.tag !== undefined ? [`#${indicator.tag}`] : [],
  );
}
