/**
 * The script of the demo's trader: six weeks of trades, what is open now, and the journal. Data only: add a row to add a
 * trade. Moments and sides are found along the installation's own path (`pick.ts`), so texts name neither side nor price.
 */
import type { OrderScript } from '../intents.ts';
import type { OpenScript, TradeScript } from '../pick.ts';

/** The one trade without a stop, and its lesson. */
const liquidatedKey = 't14';

const trade = (
  key: string,
  symbol: string,
  daysAgo: number,
  hour: number,
  leverage: number,
  risk: number,
  r: number,
  hold: number,
): TradeScript => ({
  ...{ key, symbol, daysAgo, hour, leverage, risk, r, hold, liquidated: key === liquidatedKey },
});

export const trades: readonly TradeScript[] = [
  trade('t01', 'ETHUSDT', 42, 10, 20, 100, -0.5, 4),
  trade('t02', 'SOLUSDT', 42, 12, 15, 100, 0.8, 6),
  trade('t03', 'BTCUSDT', 41, 16, 25, 100, 1.3, 10),
  trade('t04', 'NDX', 41, 9, 20, 100, -0.6, 20),
  trade('t05', 'SOLUSDT', 41, 8, 15, 100, 1.0, 10),
  trade('t06', 'TSLA', 40, 14, 5, 100, 1.1, 6),
  trade('t07', 'BTCUSDT', 39, 10, 25, 100, -1, 26),
  trade('t08', 'ETHUSDT', 38, 20, 20, 100, 1.2, 8),
  trade('t09', 'NVDA', 37, 14, 5, 105, -0.5, 26),
  trade('t10', 'XAUUSD', 36, 12, 20, 105, 1.4, 6),
  trade('t11', 'XRPUSDT', 36, 13, 10, 105, -1, 14),
  trade('t12', 'ETHUSDT', 36, 12, 20, 105, 3.1, 6),
  trade('t13', 'ETHUSDT', 35, 20, 20, 105, 1.2, 20),
  trade('t14', 'BTCUSDT', 34, 8, 100, 60, -1, 12),
  trade('t15', 'XAUUSD', 34, 12, 20, 105, 1.1, 4),
  trade('t16', 'SOLUSDT', 34, 14, 15, 105, -1, 8),
  trade('t17', 'ETHUSDT', 33, 12, 20, 110, -1, 10),
  trade('t18', 'BTCUSDT', 32, 15, 25, 110, 1.8, 26),
  trade('t19', 'ETHUSDT', 32, 8, 20, 110, 1.7, 4),
  trade('t20', 'XAUUSD', 31, 18, 20, 110, -1, 10),
  trade('t21', 'BTCUSDT', 30, 10, 25, 110, 0.7, 4),
  trade('t22', 'ETHUSDT', 30, 16, 20, 110, -1, 4),
  trade('t23', 'EUR/USD', 30, 16, 50, 110, 1.5, 14),
  trade('t24', 'EUR/USD', 29, 13, 50, 110, -0.8, 20),
  trade('t25', 'NVDA', 29, 15, 5, 110, -1, 8),
  trade('t26', 'ETHUSDT', 28, 12, 20, 120, 2.0, 14),
  trade('t27', 'NVDA', 28, 14, 5, 120, 1.2, 4),
  trade('t28', 'ETHUSDT', 27, 10, 20, 120, 1.8, 20),
  trade('t29', 'EUR/USD', 27, 10, 50, 120, 1.6, 14),
  trade('t30', 'NVDA', 26, 14, 5, 120, 1.5, 14),
  trade('t31', 'BTCUSDT', 25, 13, 25, 120, 2.2, 26),
  trade('t32', 'SOLUSDT', 25, 12, 15, 120, 1.6, 10),
  trade('t33', 'SOLUSDT', 24, 7, 15, 125, -0.4, 26),
  trade('t34', 'ETHUSDT', 23, 20, 20, 125, -0.3, 6),
  trade('t35', 'TSLA', 23, 17, 5, 125, 0.9, 26),
  trade('t36', 'BTCUSDT', 22, 16, 25, 125, 1.1, 10),
  trade('t37', 'BTCUSDT', 21, 14, 25, 125, -1, 8),
  trade('t38', 'XAUUSD', 20, 7, 20, 125, -1, 26),
  trade('t39', 'SOLUSDT', 19, 15, 15, 130, -0.4, 4),
  trade('t40', 'NVDA', 18, 17, 5, 130, 2.8, 8),
  trade('t41', 'SOLUSDT', 18, 10, 15, 130, 1.0, 26),
  trade('t42', 'NDX', 17, 10, 20, 130, -1, 8),
  trade('t43', 'BTCUSDT', 16, 15, 25, 130, 1.9, 8),
  trade('t44', 'EUR/USD', 16, 14, 50, 130, 0.9, 6),
  trade('t45', 'BTCUSDT', 15, 18, 25, 135, -1, 4),
  trade('t46', 'XRPUSDT', 14, 13, 10, 135, -0.7, 6),
  trade('t47', 'SOLUSDT', 13, 8, 15, 135, -1, 20),
  trade('t48', 'BTCUSDT', 12, 13, 25, 135, 1.4, 4),
  trade('t49', 'BTCUSDT', 11, 8, 25, 135, 1.3, 10),
  trade('t50', 'NVDA', 10, 15, 5, 140, -1, 8),
  trade('t51', 'ETHUSDT', 10, 7, 20, 140, -1, 6),
  trade('t52', 'BTCUSDT', 10, 20, 25, 140, 0.8, 8),
  trade('t53', 'TSLA', 9, 15, 5, 140, -0.6, 4),
  trade('t54', 'XRPUSDT', 9, 10, 10, 140, -1, 10),
  trade('t55', 'ETHUSDT', 8, 16, 20, 140, 0.6, 10),
  trade('t56', 'BTCUSDT', 7, 10, 25, 140, 0.7, 10),
  trade('t57', 'NDX', 6, 14, 20, 145, 2.1, 20),
  trade('t58', 'XAUUSD', 5, 16, 20, 145, -1, 26),
  trade('t59', 'EUR/USD', 4, 12, 50, 145, -1, 14),
  trade('t60', 'TSLA', 3, 16, 5, 145, -1, 14),
  trade('t61', 'XAUUSD', 2, 8, 20, 145, 2.4, 20),
  trade('t62', 'NDX', 1, 10, 20, 150, 2.0, 6),
];

export const openPositions: readonly OpenScript[] = [
  {
    ...{ symbol: 'BTCUSDT', side: 'BUY', leverage: 50, margin: 775 },
    ...{ hours: 40, stop: 0.0077, target: 0.0161, move: 0.0066 },
  },
  {
    ...{ symbol: 'ETHUSDT', side: 'SELL', leverage: 10, margin: 1275 },
    ...{ hours: 72, stop: null, target: 0.0445, move: 0.0085 },
  },
  {
    ...{ symbol: 'NVDA', side: 'BUY', leverage: 5, margin: 1460 },
    ...{ hours: 168, stop: 0.0446, target: 0.0732, move: -0.0149 },
  },
];

export const waitingOrders: readonly OrderScript[] = [
  { symbol: 'BTCUSDT', side: 'BUY', leverage: 20, margin: 478, distance: 0.022, hours: 3 },
  { symbol: 'SOLUSDT', side: 'SELL', leverage: 10, margin: 496, distance: 0.048, hours: 2 },
];

export const favorites: readonly string[] = [
  'BTCUSDT',
  'ETHUSDT',
  'SOLUSDT',
  'NVDA',
  'XAUUSD',
  'EURUSD',
  'NDX',
];

/** A journal entry, about a trade of the script or about none. */
interface EntryScript {
  readonly title: string;
  readonly content: string;
  readonly tags: readonly string[];
  /** The trade that it is linked to, if that one ended as `r` says; else the nearest that did. */
  readonly trade: string | null;
  /** Hours after the close of that trade, or before now without a trade. */
  readonly hours: number;
}

export const journal: readonly EntryScript[] = [
  {
    title: 'Plan for the next six weeks',
    content:
      'Risk about one percent of the account per trade, always with a stop. Two trades a day at most. The journal decides whether a setup stays in the plan.',
    tags: ['plan'],
    trade: null,
    hours: 1020,
  },
  {
    title: 'First week: patience paid',
    content:
      'Waited for the pullback to the hourly average instead of chasing the open. Same entry again next week.',
    tags: ['review', 'pullback'],
    trade: 't03',
    hours: 3,
  },
  {
    title: 'Stopped out at the obvious level',
    content:
      'The stop stood exactly at the round number. Next time beyond it, with a smaller size for the same risk.',
    tags: ['mistake', 'stop'],
    trade: 't07',
    hours: 1,
  },
  {
    title: 'Trend day, held to the target',
    content:
      'Did not touch the target once it was set. The urge to close early came twice and both times it was wrong.',
    tags: ['trend', 'discipline'],
    trade: 't12',
    hours: 2,
  },
  {
    title: 'Liquidated: 100× without a stop',
    content:
      'Less than one percent against me ended it. With a stop at half the way the loss would have been half. Never again without one.',
    tags: ['mistake', 'liquidation'],
    trade: 't14',
    hours: 1,
  },
  {
    title: 'Too early before the data',
    content:
      'Entered half an hour before the release. The idea was right, the moment was not. No entries in that hour.',
    tags: ['news', 'mistake'],
    trade: 't17',
    hours: 1,
  },
  {
    title: 'Gold follows the dollar again',
    content: 'Compared the hourly charts side by side; the divergence closed within the session.',
    tags: ['correlation', 'gold'],
    trade: 't10',
    hours: 4,
  },
  {
    title: 'Half-time review',
    content:
      'Average gain is larger than average loss, the win rate is a little above half. Losses cluster after 18:00 UTC: trade less in the evening.',
    tags: ['review', 'statistics'],
    trade: null,
    hours: 500,
  },
  {
    title: 'Closed by hand, no regret',
    content: 'Momentum faded before the stop was reached. A small loss is a good result for a bad idea.',
    tags: ['exit', 'discipline'],
    trade: 't33',
    hours: 1,
  },
  {
    title: 'Breakout with volume',
    content:
      'The break came with twice the usual volume. The second candle was the entry, the range below it the stop.',
    tags: ['breakout'],
    trade: 't31',
    hours: 2,
  },
  {
    title: 'Revenge trade avoided',
    content:
      'After the stop the same setup appeared within ten minutes. Closed the chart and wrote this instead.',
    tags: ['psychology', 'stop'],
    trade: 't37',
    hours: 1,
  },
  {
    title: 'Leverage is only the margin',
    content:
      'Risk stayed the same at 5× and at 25×, because the stop sets the size. The liquidation price has to be far behind the stop.',
    tags: ['risk', 'leverage'],
    trade: 't43',
    hours: 5,
  },
  {
    title: 'Best trade of the month',
    content:
      'Entry at the retest, target at the last high. Screenshot in the folder; this is the pattern to repeat.',
    tags: ['review', 'retest'],
    trade: 't40',
    hours: 2,
  },
  {
    title: 'This week: fewer pairs',
    content:
      'Bitcoin, Ether and one share. Let the open positions work and place orders away from the market instead of chasing it.',
    tags: ['plan', 'focus'],
    trade: null,
    hours: 20,
  },
];
