/**
 * Social sentiment: how many posts are bullish follows the 24 hours of what each platform talks about, around a leaning of its
 * own and with a slow drift of the crowd. Tags are what moves and what is due. Nobody's posts are read.
 */
import type { SocialSentiment } from '@fulcrum/contract';
import { socialPlatforms } from '@fulcrum/contract';
import { dayMs, hourMs, type MarketType } from '@fulcrum/domain';
import { publications } from './calendar.ts';
import type { Draws } from './draws.ts';
import type { Followed, Reading } from './followed.ts';
import { changeOver, priceAt } from './tape.ts';

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
const themesOf: Readonly<Record<Platform, readonly string[]>> = {
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
const least = 8;
const tagsPerPlatform = 3;

/** DASH-36, DASH-37: in the contract's order. */
export function socialOf(draws: Draws, reading: Reading): SocialSentiment[] {
  const { now } = reading;
  return socialPlatforms.map((platform) => {
    const bullish = bullishAt(draws, reading, platform, now);
    const before = bullishAt(draws, reading, platform, now - dayMs);
    return {
      platform,
      bullish: Math.round(bullish),
      change: Math.round((bullish - before) * 10) / 10 + 0,
      tags: tagsOf(draws, reading, platform),
    };
  });
}

function bullishAt(draws: Draws, reading: Reading, platform: Platform, at: number): number {
  const { calm, talksOf } = crowds[platform];
  const talked = reading.markets.filter(({ pair }) => talksOf.includes(pair.symbol));
  const moves = talked.map((market) => dayMove(reading, market, at) / usualDay[market.pair.type]);
  const mean = moves.length === 0 ? 0 : moves.reduce((sum, move) => sum + move, 0) / moves.length;
  const crowd = calm + swing * Math.tanh(mean) + drift * driftAt(draws, platform, at);
  return Math.min(100 - least, Math.max(least, crowd));
}

/** In per cent; nothing known counts as no move. At the present it is the move that everybody sees. */
function dayMove({ now, dayPercents }: Reading, { pair, tape }: Followed, at: number): number {
  if (at === now) return dayPercents.get(pair.symbol) ?? changeToNow(tape, now) ?? 0;
  return changeOver(tape, at, dayMs) ?? 0;
}

function changeToNow(tape: Followed['tape'], now: number): number | null {
  const price = tape.at(-1)?.close;
  const before = priceAt(tape, now - dayMs);
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

function tagsOf(draws: Draws, reading: Reading, platform: Platform): string[] {
  const { sign, talksOf } = crowds[platform];
  const typeOf = new Map(reading.markets.map(({ pair }) => [pair.symbol, pair.type]));
  const moved = (symbol: string): number =>
    Math.abs(reading.dayPercents.get(symbol) ?? 0) / usualDay[typeOf.get(symbol) ?? 'crypto'];
  const movers = talksOf
    .map((symbol) => ({ tag: tagOf(symbol, sign), moved: moved(symbol) }))
    .sort((left, right) => right.moved - left.moved || (left.tag < right.tag ? -1 : 1));
  const topics = [...themeTags(reading, platform), ...dueTags(draws, reading.now)];
  // Two movers and a topic; where there is no topic, another mover.
  const tags = [...movers.slice(0, tagsPerPlatform - 1).map(({ tag }) => tag), ...topics.slice(0, 1)];
  for (const { tag } of movers) if (tags.length < tagsPerPlatform && !tags.includes(tag)) tags.push(tag);
  return tags;
}

const words: Readonly<Record<string, string>> = { BTCUSDT: 'Bitcoin', XAUUSD: 'gold', SPX: 'SPX' };
function tagOf(symbol: string, sign: Crowd['sign']): string {
  const ticker = symbol.replace(/USDT$/, '');
  return sign === '$' ? `$${ticker}` : `#${words[symbol] ?? ticker}`;
}

/** The theme of the platform that moved the most, if any did so by more than a usual day. */
function themeTags({ dayPercents }: Reading, platform: Platform): string[] {
  const meanOf = (symbols: readonly string[]): number => {
    const known = symbols.flatMap((symbol) => dayPercents.get(symbol) ?? []);
    return known.length === 0 ? 0 : known.reduce((sum, percent) => sum + percent, 0) / known.length;
  };
  const bitcoin = dayPercents.get('BTCUSDT') ?? 0;
  const told = themesOf[platform]
    .map((theme) => ({ theme, mean: meanOf(themes[theme] ?? []) }))
    // Altseason is when the others rise more than bitcoin does.
    .filter(({ theme, mean }) => (theme === 'altseason' ? mean > Math.max(0, bitcoin) : mean !== 0))
    .sort((left, right) => Math.abs(right.mean) - Math.abs(left.mean));
  return told.map(({ theme }) => `#${theme}`);
}

/** What came out or is due within a day. */
function dueTags(draws: Draws, now: number): string[] {
  return publications(draws, now - dueWithinMs / 2, now + dueWithinMs).flatMap(({ indicator }) =>
    indicator.impact === 'high' && indicator.tag !== undefined ? [`#${indicator.tag}`] : [],
  );
}
