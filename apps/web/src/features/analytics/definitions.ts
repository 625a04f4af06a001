/** The definition of each figure, with its present components. Pure: the screen only prints it. */
import type { Performance } from '@fulcrum/contract';
import {
  formatAmount,
  formatFigure,
  formatPercent,
  formatPnl,
  noFigure,
} from '../../shared/numbers/index.ts';
import { formatDuration } from '../../shared/time/duration.ts';

export interface Definition {
  readonly term: string;
  readonly meaning: string;
  /** The formula with its figures, or the reason why there is none. */
  readonly sum: string;
}

/** Null without trades. */
export const formatHolding = (seconds: number | null): string | null =>
  seconds === null ? null : formatDuration(seconds);
const signed = formatPnl;
const plain = (value: number | null) => formatAmount(value);
const count = (value: number, noun: string) => `${formatFigure(value, 0)} ${noun}${value === 1 ? '' : 's'}`;

export const getDefinitions = (figures: Performance) =>
  ({
    net: {
      term: 'Net result',
      meaning: 'What the closed positions made, less the fees of their opening and close, and their funding.',
      sum: `${signed(figures.gross_pnl)} − ${plain(figures.fees)} fees${figures.funding === 0 ? '' : ` ${signed(figures.funding)} funding`} = ${signed(figures.net_pnl)} USDT`,
    },
    trades: {
      term: 'Trades',
      meaning:
        'Positions, and parts of positions, that were closed in these days. Even ones made exactly 0 after fees.',
      sum: `${figures.wins} won + ${figures.losses} lost + ${figures.break_even} even = ${figures.trades}`,
    },
    winRate: {
      term: 'Win rate',
      meaning: 'Winning trades out of all trades, after fees.',
      sum:
        figures.win_rate === null
          ? 'No trades yet.'
          : `${figures.wins} / ${figures.trades} = ${formatPercent(figures.win_rate, 'negative')}`,
    },
    profitFactor: {
      term: 'Profit factor',
      meaning: 'What the winners made over what the losers lost. Above 1 the account earns.',
      sum:
        figures.profit_factor === null
          ? 'No losing trade yet, so there is nothing to divide by.'
          : `${plain(figures.gross_profit)} / ${plain(figures.gross_loss)} = ${plain(figures.profit_factor)}`,
    },
    expectancy: {
      term: 'Expectancy',
      meaning: 'What a trade made on average.',
      sum:
        figures.expectancy === null
          ? 'No trades yet.'
          : `${signed(figures.net_pnl)} / ${count(figures.trades, 'trade')} = ${signed(figures.expectancy)} USDT`,
    },
    averageWin: {
      term: 'Average win',
      meaning: 'What a winning trade made on average.',
      sum:
        figures.average_win === null
          ? 'No winning trade yet.'
          : `${plain(figures.gross_profit)} / ${count(figures.wins, 'win')} = ${signed(figures.average_win)} USDT`,
    },
    averageLoss: {
      term: 'Average loss',
      meaning: 'What a losing trade lost on average.',
      sum:
        figures.average_loss === null
          ? 'No losing trade yet.'
          : `${plain(-figures.gross_loss)} / ${figures.losses} ${figures.losses === 1 ? 'loss' : 'losses'} = ${signed(figures.average_loss)} USDT`,
    },
    averageR: {
      term: 'Average R',
      meaning:
        'Net result of a trade over what its first stop loss put at risk, on average of the trades that had one. 1 R wins what was risked.',
      sum:
        figures.average_r === null
          ? 'No trade had a stop loss with something at risk yet.'
          : `Σ(net result / risk) / ${count(figures.r_trades, 'trade')} = ${signed(figures.average_r)} R`,
    },
    drawdown: {
      term: 'Max drawdown',
      meaning:
        'The deepest fall of the result from its highest point. Deposits and withdrawals count neither way. The per cent are of a fund whose units are bought and redeemed with each payment (time-weighted).',
      sum:
        figures.max_drawdown === null
          ? 'No drawdown.'
          : `Highest result − lowest after it = ${plain(figures.max_drawdown.amount)} USDT; deepest fall of a unit ${formatPercent(figures.max_drawdown.percent, 'negative')}`,
    },
    holding: {
      term: 'Holding time',
      meaning: 'From opening to close: the mean, and the median, which half of the trades stay below.',
      sum: `Mean ${formatHolding(figures.average_holding_s) ?? noFigure}, median ${formatHolding(figures.median_holding_s) ?? noFigure}`,
    },
    best: {
      term: 'Best trade',
      meaning: 'The trade with the highest net result.',
      sum: figures.best ? `${figures.best.symbol} ${signed(figures.best.net_pnl)} USDT` : 'No trades yet.',
    },
    worst: {
      term: 'Worst trade',
      meaning: 'The trade with the lowest net result.',
      sum: figures.worst ? `${figures.worst.symbol} ${signed(figures.worst.net_pnl)} USDT` : 'No trades yet.',
    },
  }) satisfies Record<string, Definition>;

type Split = Performance['by_side'][number];

export const getSideDefinition = ({ side, trades, wins, win_rate, net_pnl }: Split): Definition => ({
  term: side === 'BUY' ? 'Long' : 'Short',
  meaning: `What the ${side === 'BUY' ? 'bought' : 'sold'} positions made after fees, and how many of them won.`,
  sum:
    win_rate === null
      ? 'No trades yet.'
      : `${signed(net_pnl)} USDT; ${wins} / ${trades} = ${formatPercent(win_rate, 'negative')}`,
});
