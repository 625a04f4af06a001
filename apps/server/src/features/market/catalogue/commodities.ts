/**
 * The twenty commodities (FEED-61). Prices use the quote provider's units, which the name states: US cents for grains, sugar,
 * coffee and cotton. Provider prices are those of the front-month future, so they jump when it rolls.
 */
import { asPrice, DEFAULT_QUOTE_ASSET, defaultLimits, parseDecimal } from '@fulcrum/domain';
import type { Listing } from './listing.ts';

const hours = {
  /** Metals and energy in New York: an hour's break each day. */
  comex: 'America/New_York|Sun 18:00-24:00;Mon-Thu 00:00-17:00;Mon-Thu 18:00-24:00;Fri 00:00-17:00',
  grains:
    'America/Chicago|Sun 19:00-24:00;Mon-Thu 00:00-07:45;Mon-Thu 08:30-13:20;Mon-Thu 19:00-24:00;Fri 00:00-07:45;Fri 08:30-13:20',
  lme: 'Europe/London|Mon-Fri 01:00-19:00',
  sugar: 'America/New_York|Mon-Fri 03:30-13:00',
  coffee: 'America/New_York|Mon-Fri 04:15-13:30',
  cotton: 'America/New_York|Sun 21:00-24:00;Mon-Thu 00:00-14:20;Mon-Thu 21:00-24:00;Fri 00:00-14:20',
  cocoa: 'America/New_York|Mon-Fri 04:45-13:30',
  lumber: 'America/Chicago|Mon-Fri 09:00-15:05',
} as const;

/** No ticker: the provider has no nickel. No tick: the market's default. Turnover in millions of the price's unit a day. */
type Row = readonly [
  symbol: string,
  name: string,
  nickname: string | null,
  ticker: string | null,
  hours: keyof typeof hours,
  tickSize: string | null,
  price: number,
  dailyVolatilityPct: number,
  turnoverMillions: number,
];

const rows: readonly Row[] = [
  ['XAUUSD', 'Gold (USD/oz)', 'Yellow metal', 'GC=F', 'comex', null, 4_000, 1.1, 20_000],
  ['XAGUSD', 'Silver (USD/oz)', null, 'SI=F', 'comex', null, 48, 2, 5_000],
  ['XPTUSD', 'Platinum (USD/oz)', null, 'PL=F', 'comex', null, 1_620, 1.7, 1_500],
  ['XPDUSD', 'Palladium (USD/oz)', null, 'PA=F', 'comex', null, 1_330, 2.2, 600],
  ['WTIUSD', 'Crude Oil WTI (USD/bbl)', 'Texas tea', 'CL=F', 'comex', null, 61.7, 2, 15_000],
  ['BCOUSD', 'Crude Oil Brent (USD/bbl)', 'Brent', 'BZ=F', 'comex', null, 65.5, 1.9, 12_000],
  ['NGUSD', 'Natural Gas Henry Hub (USD/MMBtu)', 'Natty', 'NG=F', 'comex', '0.001', 3.45, 3.6, 6_000],
  ['HGUSD', 'Copper High Grade COMEX (USD/lb)', 'Dr. Copper', 'HG=F', 'comex', '0.0005', 5.05, 1.5, 4_000],
  ['XCUUSD', 'Copper (USD/lb)', 'Dr. Copper', 'HG=F', 'comex', '0.0005', 5.05, 1.5, 4_000],
  ['XALUSD', 'Aluminium (USD/t)', null, 'ALI=F', 'comex', null, 2_750, 1.2, 800],
  ['XNIUSD', 'Nickel (USD/t)', null, null, 'lme', null, 15_400, 1.8, 700],
  ['XZNUSD', 'Zinc (USD/t)', null, 'ZNC=F', 'comex', null, 3_000, 1.5, 600],
  ['CORNUSD', 'Corn (US¢/bu)', null, 'ZC=F', 'grains', '0.25', 420, 1.5, 4_500],
  ['WHEATUSD', 'Wheat SRW (US¢/bu)', null, 'ZW=F', 'grains', '0.25', 508, 1.7, 3_000],
  ['SOYUSD', 'Soybeans (US¢/bu)', 'Beans', 'ZS=F', 'grains', '0.25', 1_022, 1.3, 6_000],
  ['SUGARUSD', 'Sugar No. 11 (US¢/lb)', null, 'SB=F', 'sugar', null, 16.5, 1.8, 1_800],
  ['COFFEEUSD', 'Coffee C Arabica (US¢/lb)', null, 'KC=F', 'coffee', null, 384, 2.4, 1_800],
  ['COTTONUSD', 'Cotton No. 2 (US¢/lb)', null, 'CT=F', 'cotton', null, 64.5, 1.3, 700],
  ['COCOAUSD', 'Cocoa (USD/t)', null, 'CC=F', 'cocoa', null, 6_050, 3.2, 900],
  ['LUMBERMB', 'Lumber (USD/1000 board feet)', 'Sticks', 'LBR=F', 'lumber', '0.5', 605, 2, 40],
];

/** The market's suffix: `USD`, or `MB` of lumber, which is counted in thousands of board feet. */
const suffix = /(USD|MB)$/;

export const commodityPairs: readonly Listing[] = rows.map(
  ([symbol, name, nickname, yahoo, session, tick, price, dailyVolatilityPct, turnoverMillions]) => ({
    symbol,
    name,
    nickname,
    type: 'commodity',
    baseAsset: symbol.replace(suffix, ''),
    quoteAsset: DEFAULT_QUOTE_ASSET,
    ...defaultLimits.commodity,
    ...(tick !== null && { tickSize: asPrice(parseDecimal(tick)) }),
    tradingHours: hours[session],
    typical: { price, dailyVolatilityPct, turnoverMillions },
    yahoo,
  }),
);
