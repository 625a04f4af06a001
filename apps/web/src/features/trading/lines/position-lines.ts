/**
 * The chart lines of a pair's open positions. Entry shows the live result; take profit and stop loss can be moved and
 * removed; liquidation shows its cost. Figures come from the domain. A new price is checked by the server's rules, at
 * the current mark.
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
import { toTerms } from '../../../shared/account/index.ts';
import { stepPrice } from '../../../shared/decimals/price.ts';
import { snapToGrid } from '../../../shared/decimals/snap-to-grid.ts';
import { log } from '../../../shared/log/log.ts';
import {
  directionOf,
  formatAmount,
  formatPercent,
  formatPrice,
  formatSize,
} from '../../../shared/numbers/index.ts';
import { getErrorMessage, type Position } from '../../../shared/supabase/index.ts';
import type {
  CommandError,
  EntryLine,
  LineHandle,
  LineTarget,
  MovableLine,
  Pair,
  PillPart,
  PriceLine,
  PriceStream,
} from '../../market/index.ts';
import { getMark, openFigures } from '../positions/figures.ts';
import { type Protect, protectFailedText } from '../positions/protecting.ts';
import { getFaultText, getOutcome, getSideFault, protectionNames } from '../ticket/protection.ts';
import { requestCloseFromChart } from './chart-requests.ts';

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
const formatPosition = (position: Position, { stepSize }: LinedPair): string =>
  `${lineSide(position).toLowerCase()} ${formatSize(position.size, stepSize)} ${position.symbol}`;

/** The take profit or stop loss of a position, at any price of the grid. */
function protectionLine(
  { stream, pair, position, protect }: PositionContext,
  which: keyof Protection,
  price: number,
): MovableLine {
  const { limits, tickSize, stepSize } = pair;
  const { kind, head } = kinds[which];
  const name = protectionNames[which];
  const positionLabel = formatPosition(position, pair);
  const rules = rulesOf(position.rules);
  const terms = toTerms(position);
  const liquidation = exact(position.liquidationPrice);

  const at = (requestedPrice: number): LineTarget => {
    const snappedPrice = snapToGrid(requestedPrice, limits);
    const mark = getMark(stream, position);
    const outcome = getOutcome(rules, terms, snappedPrice);
    const pnl = outcome && toNumber(outcome.pnl);
    const money = formatAmount(pnl, 'always');
    const roe = formatPercent(outcome && toNumber(outcome.roe));
    const sides = { BUY: liquidation, SELL: liquidation };
    // Without a mark the server decides.
    const fault =
      mark === null
        ? null
        : getSideFault(
            position.side,
            { limits, reference: exact(mark), liquidation: sides },
            { ...noProtection, [which]: snappedPrice },
          );
    const priceText = formatPrice(toNumber(snappedPrice), tickSize);
    return {
      price: toNumber(snappedPrice),
      priceText,
      parts: [
        { text: formatSize(position.size, stepSize), tone: 'none', narrowText: '' },
        { text: `${money} (${roe})`, tone: directionOf(pnl), narrowText: money },
      ],
      name: `${name} of ${positionLabel} at ${priceText}, would book ${money}`,
      fault: fault && getFaultText(fault, limits),
    };
  };
  const send = async (next: Price | null): Promise<CommandError> => {
    try {
      const saved = await protect(position.id, (current) => ({ ...current, [which]: next }));
      return saved ? null : texts.positionAlreadyClosed;
    } catch (cause) {
      log.warn('Setting take profit or stop loss on the chart failed', cause);
      return getErrorMessage(cause, protectFailedText);
    }
  };
  const currentTarget = at(price);
  const [size, money] = currentTarget.parts;
  const staticParts: readonly PillPart[] =
    size && money ? [size, { ...money, text: money.narrowText ?? '' }] : [];
  return {
    id: `${position.id}-${kind}`,
    side: lineSide(position),
    kind,
    head,
    price,
    priceText: currentTarget.priceText,
    name: currentTarget.name,
    // The ROE is shown only while the line moves.
    parts: () => staticParts,
    movement: {
      at,
      step: (from, ticks) => toNumber(stepPrice(snapToGrid(from, limits), BigInt(ticks), limits)),
      send: (to) => send(snapToGrid(to, limits)),
    },
    dismissal: {
      kind: 'command',
      name: `Remove ${name.toLowerCase()} of ${positionLabel}`,
      send: () => send(null),
    },
  };
}

/** The start of a new line: one tick beyond entry and mark, on its own side of both. */
function draftPrice({ stream, pair, position }: PositionContext, which: keyof Protection): number {
  const { limits } = pair;
  const mark = getMark(stream, position) ?? position.entryPrice;
  const isAbove = (which === 'takeProfitPrice') === (position.side === 'BUY');
  const bounds = [position.entryPrice, mark];
  const from = snapToGrid(isAbove ? Math.max(...bounds) : Math.min(...bounds), limits);
  return toNumber(stepPrice(from, isAbove ? 1n : -1n, limits));
}

function toHandle(context: PositionContext, which: keyof Protection): LineHandle {
  const { pair, position } = context;
  const { kind, head } = kinds[which];
  return {
    id: `${position.id}-${kind}`,
    label: head,
    name: `Set ${protectionNames[which].toLowerCase()} of ${formatPosition(position, pair)}`,
    draft: () => ({ ...protectionLine(context, which, draftPrice(context, which)), dismissal: null }),
  };
}

function entryLine(context: PositionContext): EntryLine {
  const { stream, pair, position } = context;
  const { tickSize, stepSize } = pair;
  const figures = openFigures(position);
  const side = lineSide(position);
  const positionLabel = formatPosition(position, pair);
  const priceText = formatPrice(position.entryPrice, tickSize);
  const pnl = () => {
    const mark = getMark(stream, position);
    return mark === null ? null : figures.pnl(mark);
  };
  const result = (): PillPart => {
    const mark = getMark(stream, position);
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
    name: `Entry of ${positionLabel} at ${priceText}`,
    size: position.size,
    pnl,
    formatPrice: (price) => formatPrice(price, tickSize),
    parts: () => [{ text: formatSize(position.size, stepSize), tone: 'none', narrowText: '' }, result()],
    handles: unset.map((which) => toHandle(context, which)),
    dismissal: {
      kind: 'question',
      name: `Close ${positionLabel}`,
      ask: () => requestCloseFromChart(position),
    },
  };
}

function toLines(context: PositionContext): readonly PriceLine[] {
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
      name: `Liquidation of ${formatPosition(position, pair)} at ${priceText}, would book ${lost}`,
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
    .flatMap((position) => toLines({ stream, pair, position, protect }));
