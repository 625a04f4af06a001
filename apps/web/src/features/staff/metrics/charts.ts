/** What the charts of the house show: each with its definition, its figure of the whole range, and its bars. */
import type { HouseMetrics } from '@fulcrum/contract';
import { formatCompact, formatFigure } from '../../../shared/numbers/index.ts';
import type { Bucket } from './buckets.ts';

export type Tone = 'up' | 'down' | 'plain';
export interface Series {
  readonly name: string;
  /** `sign`: a gain or a loss, by where it stands. */
  readonly tone: Tone | 'sign';
  /** Where the bar ends, from the line of zero. */
  readonly of: (bucket: Bucket) => number;
}
export interface HouseChart {
  readonly title: string;
  readonly meaning: string;
  /** Of the whole range. */
  readonly total: (totals: HouseMetrics['totals']) => number;
  readonly isSigned: boolean;
  readonly caption: string;
  readonly legend: readonly { readonly tone: Tone; readonly word: string }[];
  readonly series: readonly Series[];
  /** Of a bar, in full. */
  readonly format: (value: number) => string;
}

/** `+12.56M`, `−3.2k`: the sign of a figure that may be one or the other. */
export function formatTotal(value: number, isSigned: boolean): string {
  const text = formatCompact(Math.abs(value));
  if (text === '0') return text;
  if (value < 0) return `−${text}`;
  return isSigned && value > 0 ? `+${text}` : text;
}

const whole = (value: number): string => formatFigure(value, Number.isInteger(value) ? 0 : 1);
const money = (value: number): string => formatFigure(value, 2);
const signedMoney = (value: number): string => formatFigure(value, 2, 'always');

export const houseCharts: readonly HouseChart[] = [
  {
    title: 'Net deposits',
    meaning:
      'What was paid into the wallets minus what was paid out: start balances, fund changes by staff, resets and closed accounts.',
    total: ({ deposits, withdrawals }) => deposits - withdrawals,
    isSigned: true,
    caption: 'USDT, deposits less withdrawals',
    legend: [
      { tone: 'up', word: 'Deposits' },
      { tone: 'down', word: 'Withdrawals' },
    ],
    series: [
      { name: 'Deposits', tone: 'up', of: ({ deposits }) => deposits },
      { name: 'Withdrawals', tone: 'down', of: ({ withdrawals }) => -withdrawals },
    ],
    format: (value) => money(Math.abs(value)),
  },
  {
    title: 'PnL of the house',
    meaning:
      'What traders lost in closed positions and paid in fees, minus what they won, as the ledger has it.',
    total: ({ house_pnl }) => house_pnl,
    isSigned: true,
    caption: 'USDT, against all traders',
    legend: [
      { tone: 'up', word: 'Gain' },
      { tone: 'down', word: 'Loss' },
    ],
    series: [{ name: 'PnL', tone: 'sign', of: ({ house_pnl }) => house_pnl }],
    format: signedMoney,
  },
  {
    title: 'Volume',
    meaning: 'Entry price × size of the positions that were opened.',
    total: ({ volume }) => volume,
    isSigned: false,
    caption: 'USDT opened',
    legend: [],
    series: [{ name: 'Volume', tone: 'plain', of: ({ volume }) => volume }],
    format: money,
  },
  {
    title: 'Active traders',
    meaning:
      'Different people who opened or closed a position. A month has the average of its days. Accounts that are gone count on their days only.',
    total: ({ active_traders }) => active_traders,
    isSigned: false,
    caption: 'different people',
    legend: [],
    series: [{ name: 'Traders a day', tone: 'plain', of: ({ active_traders }) => active_traders }],
    format: whole,
  },
  {
    title: 'Liquidations',
    meaning: 'Positions that were closed because their margin was used up.',
    total: ({ liquidations }) => liquidations,
    isSigned: false,
    caption: 'positions',
    legend: [],
    series: [{ name: 'Liquidations', tone: 'down', of: ({ liquidations }) => liquidations }],
    format: whole,
  },
  {
    title: 'Transactions',
    meaning:
      'Lines of the traders’ histories: deposits, withdrawals, closed positions and fees. They are listed below.',
    total: ({ transactions }) => transactions,
    isSigned: false,
    caption: 'in the histories',
    legend: [],
    series: [{ name: 'Transactions', tone: 'plain', of: ({ transactions }) => transactions }],
    format: whole,
  },
];
