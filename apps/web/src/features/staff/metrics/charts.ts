/** The charts of the metrics page: definition, total and bars of each. */
import type { TotalsMetrics } from '@fulcrum/contract';
import { formatCompact, formatFigure } from '../../../shared/numbers/index.ts';
import type { BarTone } from '../../../shared/plot/index.ts';
import type { Bucket } from './buckets.ts';

export interface Series {
  readonly name: string;
  /** `sign` colours by the sign of the value. */
  readonly tone: BarTone | 'sign';
  /** The bar's end value, measured from zero. */
  readonly getValue: (bucket: Bucket) => number;
}
export interface TotalsChart {
  readonly title: string;
  readonly meaning: string;
  /** The figure of the whole range. */
  readonly total: (totals: TotalsMetrics['totals']) => number;
  readonly isSigned: boolean;
  readonly caption: string;
  readonly legend: readonly { readonly tone: BarTone; readonly label: string }[];
  readonly series: readonly Series[];
  /** Formats the value of a bar in full. */
  readonly format: (value: number) => string;
}

/** `+12.56M`, `−3.2k`: a figure that may be positive or negative shows its sign. */
export function formatTotal(value: number, isSigned: boolean): string {
  const text = formatCompact(Math.abs(value));
  if (text === '0') return text;
  if (value < 0) return `−${text}`;
  return isSigned && value > 0 ? `+${text}` : text;
}

const formatCount = (value: number): string => formatFigure(value, Number.isInteger(value) ? 0 : 1);
const formatMoney = (value: number): string => formatFigure(value, 2);
const formatSignedMoney = (value: number): string => formatFigure(value, 2, 'always');

export const totalsCharts: readonly TotalsChart[] = [
  {
    title: 'Net deposits',
    meaning:
      'Amounts paid into wallets minus amounts paid out: start balances, fund changes by staff, resets and closed accounts.',
    total: ({ deposits, withdrawals }) => deposits - withdrawals,
    isSigned: true,
    caption: 'USDT, deposits minus withdrawals',
    legend: [
      { tone: 'up', label: 'Deposits' },
      { tone: 'down', label: 'Withdrawals' },
    ],
    series: [
      { name: 'Deposits', tone: 'up', getValue: ({ deposits }) => deposits },
      { name: 'Withdrawals', tone: 'down', getValue: ({ withdrawals }) => -withdrawals },
    ],
    format: (value) => formatMoney(Math.abs(value)),
  },
  {
    title: 'Counterparty PnL',
    meaning: 'Losses of traders in closed positions and their fees, minus their gains, from the ledger.',
    total: ({ house_pnl }) => house_pnl,
    isSigned: true,
    caption: 'USDT, against all traders',
    legend: [
      { tone: 'up', label: 'Gain' },
      { tone: 'down', label: 'Loss' },
    ],
    series: [{ name: 'PnL', tone: 'sign', getValue: ({ house_pnl }) => house_pnl }],
    format: formatSignedMoney,
  },
  {
    title: 'Volume',
    meaning: 'Entry price × size of the positions that were opened.',
    total: ({ volume }) => volume,
    isSigned: false,
    caption: 'USDT opened',
    legend: [],
    series: [{ name: 'Volume', tone: 'accent', getValue: ({ volume }) => volume }],
    format: formatMoney,
  },
  {
    title: 'Active traders',
    meaning:
      'Unique users who opened or closed a position. A month shows the average of its days. Deleted accounts count on their days only.',
    total: ({ active_traders }) => active_traders,
    isSigned: false,
    caption: 'unique users',
    legend: [],
    series: [{ name: 'Traders a day', tone: 'accent', getValue: ({ active_traders }) => active_traders }],
    format: formatCount,
  },
  {
    title: 'Liquidations',
    meaning: 'Positions that were closed because their margin was used up.',
    total: ({ liquidations }) => liquidations,
    isSigned: false,
    caption: 'positions',
    legend: [],
    series: [{ name: 'Liquidations', tone: 'down', getValue: ({ liquidations }) => liquidations }],
    format: formatCount,
  },
  {
    title: 'Transactions',
    meaning:
      'Entries in the traders’ histories: deposits, withdrawals, closed positions and fees. They are listed below.',
    total: ({ transactions }) => transactions,
    isSigned: false,
    caption: 'in the histories',
    legend: [],
    series: [{ name: 'Transactions', tone: 'accent', getValue: ({ transactions }) => transactions }],
    format: formatCount,
  },
];
