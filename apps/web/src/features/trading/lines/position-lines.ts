/**
 * The levels of a pair's open positions on its chart: entry with the live result, take profit and stop loss, which may be moved
 * and taken away, and liquidation with what it would cost. Figures are those of the domain; a place is judged by the rules
 * that the server judges by, at the mark of the moment.
 */
import { texts } from '@fulcrum/contract/texts';
import {
  asPrice,
  type PairLimits,
  type Price,
  type Protection,
  parseDecimal,
  rulesOf,
  toNumber,
} from '@fulcrum/domain';
import { termsOf } from '../../../shared/account/index.ts';
import { stepPrice } from '../../../shared/decimals/price.ts';
import { log } from '../../../shared/log/log.ts';
import {
  directionOf,
  formatAmount,
  formatPercent,
  formatPrice,
  formatSize,
} from '../../../shared/numbers/index.ts';
import { messageOf, type Position } from '../../../shared/supabase/index.ts';
import type {
  EntryLine,
  LineHandle,
  LinePlace,
  MovableLine,
  Pair,
  PillPart,
  PriceLine,
  PriceStream,
  Refusal,
} from '../../market/index.ts';
import { markOf, openFigures } from '../positions/figures.ts';
import { type Protect, protectFailedText } from '../positions/protecting.ts';
import { faultText, outcomeAt, protectionNames, sideFault } from '../ticket/protection.ts';
import { askToClose } from './asked-from-chart.ts';
import { snapToGrid } from './grid.ts';

const kinds = {
  takeProfitPrice: { kind: 'takeProfit', head: 'TP' },
  stopLossPrice: { kind: 'stopLoss', head: 'SL' },
} as const satisfies Record<keyof Protection, Pick<MovableLine, 'kind' | 'head'>>;
const noProtection: Protection = { takeProfitPrice: null, stopLossPrice: null };

const exact = (price: number): Price => asPrice(parseDecimal(price));

export interface LinedPair extends Pick<Pair, 'symbol' | 'tickSize' | 'stepSize'> {
  readonly limits: PairLimits;
}

interface PositionContext {
  readonly stream: PriceStream;
  readonly pair: LinedPair;
  readonly position: Position;
  readonly protect: Protect;
}

const lineSide = ({ side }: Position) => (side === 'BUY' ? 'LONG' : 'SHORT');
/** `long 0.400 BTCUSDT`. */
const positionWords = (position: Position, { stepSize }: LinedPair): string =>
  `${lineSide(position).toLowerCase()} ${formatSize(position.size, stepSize)} ${position.symbol}`;

/** One of the two prices of a position, at any price of the grid. */
function protectionLine(
  { stream, pair, position, protect }: PositionContext,
  which: keyof Protection,
  price: number,
): MovableLine {
  const { limits, tickSize, stepSize } = pair;
  const { kind, head } = kinds[which];
  const name = protectionNames[which];
  const words = positionWords(position, pair);
  const rules = rulesOf(position.rules);
  const terms = termsOf(position);
  const liquidation = exact(position.liquidationPrice);

  const at = (wanted: number): LinePlace => {
    const place = snapToGrid(wanted, limits);
    const mark = markOf(stream, position);
    const outcome = outcomeAt(rules, terms, place);
    const pnl = outcome && toNumber(outcome.pnl);
    const money = formatAmount(pnl, 'always');
    const roe = formatPercent(outcome && toNumber(outcome.roe));
    const sides = { BUY: liquidation, SELL: liquidation };
    // Without a mark the server decides.
    const fault =
      mark === null
        ? null
        : sideFault(
            position.side,
            { limits, reference: exact(mark), liquidation: sides },
            { ...noProtection, [which]: place },
          );
    const priceText = formatPrice(toNumber(place), tickSize);
    return {
      price: toNumber(place),
      priceText,
      parts: [
        { text: formatSize(position.size, stepSize), tone: 'none', narrowText: '' },
        { text: `${money} (${roe})`, tone: directionOf(pnl), narrowText: money },
      ],
      name: `${name} of ${words} at ${priceText}, would book ${money}`,
      fault: fault && faultText(fault, limits),
    };
  };
  const send = async (next: Price | null): Promise<Refusal> => {
    try {
      const saved = await protect(position.id, (held) => ({ ...held, [which]: next }));
      return saved ? null : texts.positionAlreadyClosed;
    } catch (cause) {
      log.warn('Setting take profit or stop loss on the chart failed', cause);
      return messageOf(cause, protectFailedText);
    }
  };
  const here = at(price);
  const [size, money] = here.parts;
  const still: readonly PillPart[] = size && money ? [size, { ...money, text: money.narrowText ?? '' }] : [];
  return {
    id: `${position.id}-${kind}`,
    side: lineSide(position),
    kind,
    head,
    price,
    priceText: here.priceText,
    name: here.name,
    // The ROE is for the hand that moves it.
    parts: () => still,
    movement: {
      at,
      step: (from, ticks) => toNumber(stepPrice(snapToGrid(from, limits), BigInt(ticks), limits)),
      send: (to) => send(snapToGrid(to, limits)),
    },
    dismissal: {
      kind: 'command',
      name: `Remove ${name.toLowerCase()} of ${words}`,
      send: () => send(null),
    },
  };
}

/** Where a price that is not there yet starts: one tick beyond entry and mark, on its own side of both. */
function draftPrice({ stream, pair, position }: PositionContext, which: keyof Protection): number {
  const { limits } = pair;
  const mark = markOf(stream, position) ?? position.entryPrice;
  const isAbove = (which === 'takeProfitPrice') === (position.side === 'BUY');
  const bounds = [position.entryPrice, mark];
  const from = snapToGrid(isAbove ? Math.max(...bounds) : Math.min(...bounds), limits);
  return toNumber(stepPrice(from, isAbove ? 1n : -1n, limits));
}

function handleOf(context: PositionContext, which: keyof Protection): LineHandle {
  const { pair, position } = context;
  const { kind, head } = kinds[which];
  return {
    id: `${position.id}-${kind}`,
    label: head,
    name: `Set ${protectionNames[which].toLowerCase()} of ${positionWords(position, pair)}`,
    draft: () => ({ ...protectionLine(context, which, draftPrice(context, which)), dismissal: null }),
  };
}

function entryLine(context: PositionContext): EntryLine {
  const { stream, pair, position } = context;
  const { tickSize, stepSize } = pair;
  const figures = openFigures(position);
  const side = lineSide(position);
  const words = positionWords(position, pair);
  const priceText = formatPrice(position.entryPrice, tickSize);
  const pnl = () => {
    const mark = markOf(stream, position);
    return mark === null ? null : figures.pnl(mark);
  };
  const result = (): PillPart => {
    const mark = markOf(stream, position);
    if (mark === null) return { text: formatAmount(null), tone: 'none' };
    const gained = figures.pnl(mark);
    const money = formatAmount(gained, 'always');
    return {
      text: `${money} (${formatPercent(figures.roe(mark))})`,
      tone: directionOf(gained),
      narrowText: money,
    };
  };
  const unset = (['takeProfitPrice', 'stopLossPrice'] as const).filter((which) => position[which] === null);
  return {
    id: `${position.id}-entry`,
    kind: 'entry',
    side,
    price: position.entryPrice,
    priceText,
    head: `${side} ${position.leverage}×`,
    name: `Entry of ${words} at ${priceText}`,
    size: position.size,
    pnl,
    formatPrice: (price) => formatPrice(price, tickSize),
    parts: () => [{ text: formatSize(position.size, stepSize), tone: 'none', narrowText: '' }, result()],
    handles: unset.map((which) => handleOf(context, which)),
    dismissal: { kind: 'question', name: `Close ${words}`, ask: () => askToClose(position) },
  };
}

function linesOf(context: PositionContext): readonly PriceLine[] {
  const { pair, position } = context;
  const { liquidationPrice } = position;
  const lost = formatAmount(openFigures(position).booked(liquidationPrice), 'always');
  const priceText = formatPrice(liquidationPrice, pair.tickSize);
  const protections = (['takeProfitPrice', 'stopLossPrice'] as const).flatMap((which) => {
    const price = position[which];
    return price === null ? [] : [protectionLine(context, which, price)];
  });
  return [
    entryLine(context),
    ...protections,
    {
      id: `${position.id}-liquidation`,
      kind: 'liquidation',
      side: lineSide(position),
      price: liquidationPrice,
      priceText,
      head: 'LIQ',
      name: `Liquidation of ${positionWords(position, pair)} at ${priceText}, would book ${lost}`,
      parts: () => [{ text: lost, tone: 'none' }],
    },
  ];
}

export const positionLines = (
  stream: PriceStream,
  pair: LinedPair,
  positions: readonly Position[],
  protect: Protect,
): readonly PriceLine[] =>
  positions
    .filter(({ symbol }) => symbol === pair.symbol)
    .flatMap((position) => linesOf({ stream, pair, position, protect }));
