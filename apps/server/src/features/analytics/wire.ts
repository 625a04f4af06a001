/** Converts the domain's figures to the contract: money as JSON numbers, instants as ISO 8601 UTC, durations in seconds. */
import type { Performance } from '@fulcrum/contract';
import {
  asMoney,
  type DeepestFall,
  dayMs,
  type EquityPoint,
  type TradeFigures,
  type TradeResult,
  toNumber,
} from '@fulcrum/domain';
import type { TradingCosts } from './history.ts';

const dateLength = 'YYYY-MM-DD'.length;
const symbolsMax = 50;
const daysMax = 366;

export const isoOf = (at: number): string => new Date(at).toISOString();
const numberOrNull = (units: bigint | null): number | null => (units === null ? null : toNumber(units));
const secondsOrNull = (held: number | null): number | null => (held === null ? null : held / 1000);

const tradeRefOf = (trade: TradeResult | null): Performance['best'] =>
  trade && {
    id: trade.id,
    symbol: trade.symbol,
    net_pnl: toNumber(trade.net),
    closed_at: isoOf(trade.closedAt),
  };

function othersOf(symbols: TradeFigures['bySymbol']): Performance['others'] {
  if (symbols.length === 0) return null;
  const net = symbols.reduce((sum, symbol) => sum + symbol.net, 0n);
  const trades = symbols.reduce((sum, symbol) => sum + symbol.trades, 0);
  return { symbols: symbols.length, trades, net_pnl: toNumber(asMoney(net)) };
}

export const curveOf = (points: readonly EquityPoint[]): { at: string; equity: number; result: number }[] =>
  points.map(({ at, equity, result }) => ({
    at: isoOf(at),
    equity: toNumber(equity),
    result: toNumber(result),
  }));

/** Everything of the answer that the trades say. */
export const tradesOf = (figures: TradeFigures) =>
  ({
    trades: figures.trades,
    wins: figures.wins,
    losses: figures.losses,
    break_even: figures.breakEven,
    gross_pnl: toNumber(figures.gross),
    fees: toNumber(figures.fees),
    funding: toNumber(figures.funding),
    net_pnl: toNumber(figures.net),
    win_rate: numberOrNull(figures.winRate),
    gross_profit: toNumber(figures.grossProfit),
    gross_loss: toNumber(figures.grossLoss),
    profit_factor: numberOrNull(figures.profitFactor),
    expectancy: numberOrNull(figures.expectancy),
    average_win: numberOrNull(figures.averageWin),
    average_loss: numberOrNull(figures.averageLoss),
    average_r: numberOrNull(figures.averageR),
    r_trades: figures.rTrades,
    average_holding_s: secondsOrNull(figures.averageHolding),
    median_holding_s: secondsOrNull(figures.medianHolding),
    best: tradeRefOf(figures.best),
    worst: tradeRefOf(figures.worst),
    by_symbol: figures.bySymbol
      .slice(0, symbolsMax)
      .map(({ symbol, trades, wins, net }) => ({ symbol, trades, wins, net_pnl: toNumber(net) })),
    others: othersOf(figures.bySymbol.slice(symbolsMax)),
    by_side: figures.bySide.map(({ side, trades, wins, winRate, net }) => ({
      side,
      trades,
      wins,
      win_rate: numberOrNull(winRate),
      net_pnl: toNumber(net),
    })),
    by_day: figures.byDay.slice(-daysMax).map(({ day, trades, net }) => ({
      day: isoOf(day * dayMs).slice(0, dateLength),
      trades,
      net_pnl: toNumber(net),
    })),
    by_hour: figures.byHour.map(({ hour, trades, net }) => ({ hour, trades, net_pnl: toNumber(net) })),
  }) satisfies Partial<Performance>;

/** From what the fills would have made at the middle of the market to what they have made; the steps add up. */
export const costsOf = (costs: TradingCosts | null): Performance['costs'] => {
  if (costs === null) return null;
  const { fills, realized, spread, impact, latency, fees, funding } = costs;
  return {
    fills,
    gross: toNumber(asMoney(realized + spread + impact + latency)),
    spread: toNumber(spread),
    impact: toNumber(impact),
    latency: toNumber(latency),
    fees: toNumber(fees),
    funding: toNumber(funding),
    net: toNumber(asMoney(realized - fees + funding)),
  };
};

/** The figures derived from the equity. */
export const equityOf = (points: readonly EquityPoint[], fall: DeepestFall | null) =>
  ({
    max_drawdown: fall && {
      amount: toNumber(fall.amount),
      percent: toNumber(fall.percent),
      from: isoOf(fall.from),
      to: isoOf(fall.to),
    },
    curve: curveOf(points).map((point, index) => ({
      ...point,
      drawdown: toNumber(points[index]?.drawdown ?? 0n),
    })),
  }) satisfies Partial<Performance>;
