/**
 * Events of an account from what changed of its rows: pure functions. `OrderTracker` remembers what was reported of each order, so
 * every step is reported once, in order, also where several were committed between two reads.
 */
import type { WireAlgoOrder, WireOrder, WireTrade } from '@fulcrum/contract/exchange';
import { asMoney, parseDecimal, toDecimalString } from '@fulcrum/domain';

type ExecutionType = 'NEW' | 'TRADE' | 'CANCELED' | 'EXPIRED' | 'AMENDMENT' | 'CALCULATED';

export interface ReportedTrade extends WireTrade {
  /** Whether a liquidation closed the position. */
  readonly isLiquidation: boolean;
}

const sum = (one: string, two: string): string => toDecimalString(parseDecimal(one) + parseDecimal(two));
const average = (value: string, size: string): string => {
  const units = parseDecimal(size);
  return units === 0n
    ? '0'
    : toDecimalString(asMoney((parseDecimal(value) * 100_000_000n + units / 2n) / units));
};

interface Progress {
  readonly execution: ExecutionType;
  readonly status: WireOrder['status'];
  readonly filled: string;
  readonly value: string;
  readonly trade: ReportedTrade | null;
  readonly now: number;
}

/** An `ORDER_TRADE_UPDATE`. */
function orderEvent(order: WireOrder, progress: Progress) {
  const { execution, status, filled, value, trade, now } = progress;
  const T = trade?.time ?? order.updateTime;
  return {
    ...{ e: 'ORDER_TRADE_UPDATE', E: now, T },
    o: {
      ...{ s: order.symbol, c: order.clientOrderId, S: order.side, o: order.type, f: order.timeInForce },
      ...{ q: order.origQty, p: order.price, ap: average(value, filled), sp: order.stopPrice },
      ...{
        x: execution,
        X: status,
        i: order.orderId,
        l: trade?.qty ?? '0',
        z: filled,
        L: trade?.price ?? '0',
      },
      ...{ N: 'USDT', n: trade?.commission ?? '0', T, t: trade?.id ?? 0, b: '0', a: '0' },
      ...{ m: trade?.maker ?? false, R: order.reduceOnly, wt: order.workingType, ot: order.origType },
      ...{
        ps: order.positionSide,
        cp: order.closePosition,
        rp: trade?.realizedPnl ?? '0',
        pP: order.priceProtect,
      },
      ...{ si: 0, ss: 0, V: order.selfTradePreventionMode, pm: order.priceMatch, gtd: order.goodTillDate },
    },
  };
}

/** An `ALGO_UPDATE`; `status` may be an earlier one than that of the row. */
function algoEvent(algo: WireAlgoOrder, status: WireAlgoOrder['algoStatus'], now: number) {
  return {
    ...{ e: 'ALGO_UPDATE', E: now, T: algo.updateTime },
    o: {
      ...{ caid: algo.clientAlgoId, aid: algo.algoId, at: algo.algoType, o: algo.orderType, s: algo.symbol },
      ...{ S: algo.side, ps: algo.positionSide, f: algo.timeInForce, q: algo.quantity, X: status },
      ...{
        ai: algo.actualOrderId,
        ap: algo.actualPrice,
        aq: '0',
        act: algo.orderType,
        tp: algo.triggerPrice,
      },
      ...{ p: algo.price, V: algo.selfTradePreventionMode, wt: algo.workingType, pm: algo.priceMatch },
      ...{ cp: algo.closePosition, pP: algo.priceProtect, R: algo.reduceOnly, tt: algo.triggerTime },
      ...{ gtd: algo.goodTillDate, rm: algo.reason },
    },
  };
}

const finalExecution: Partial<Record<WireOrder['status'], ExecutionType>> = {
  CANCELED: 'CANCELED',
  EXPIRED: 'EXPIRED',
};
const isFinal = (status: WireOrder['status']): boolean => status !== 'NEW' && status !== 'PARTIALLY_FILLED';

interface Reported {
  readonly status: WireOrder['status'];
  readonly filled: string;
  readonly value: string;
  /** What an amendment changes. */
  readonly terms: string;
}
/** How many orders that have ended are remembered of an account; a row is read again within a moment of its change. */
const endedMax = 1_000;
const termsOf = ({ price, origQty, stopPrice }: WireOrder): string => `${price} ${origQty} ${stopPrice}`;

/** What was reported of the orders of one account. */
export class OrderTracker {
  /** Waiting orders as they were last reported, by id. */
  readonly #orders = new Map<number, Reported>();
  readonly #algos = new Map<number, string>();
  /** Those that ended, orders and conditional ones: their rows may be read again, because each change of one is announced. */
  readonly #ended = new Set<number>();

  /** What was there before anybody listened. */
  begin(orders: readonly WireOrder[], algos: readonly WireAlgoOrder[]): void {
    for (const order of orders) {
      const { status, executedQty: filled, cumQuote: value } = order;
      if (!isFinal(status)) this.#orders.set(order.orderId, { status, filled, value, terms: termsOf(order) });
    }
    for (const algo of algos) this.#algos.set(algo.algoId, signOf(algo));
  }

  /** The steps of one order since the last call; `trades` are those of the order that are new, the oldest first. */
  order(order: WireOrder, trades: readonly ReportedTrade[], now: number): object[] {
    const events: object[] = [];
    const { orderId: id, status, origQty } = order;
    if (this.#ended.has(id)) return [];
    const known = this.#orders.get(id);
    const report = (progress: Omit<Progress, 'now'>) => events.push(orderEvent(order, { ...progress, now }));
    let { filled, value } = known ?? { filled: '0', value: '0' };
    if (!known) {
      // It was final before, or is refused: nobody waits for it.
      if (trades.length === 0 && status === 'REJECTED') return [];
      report({ execution: 'NEW', status: 'NEW', filled, value, trade: null });
    } else if (known.terms !== termsOf(order)) {
      report({ execution: 'AMENDMENT', status: known.status, filled, value, trade: null });
    }
    for (const trade of trades) {
      filled = sum(filled, trade.qty);
      value = sum(value, trade.quoteQty);
      const isWhole = parseDecimal(filled) >= parseDecimal(origQty);
      report({
        ...{ execution: trade.isLiquidation ? 'CALCULATED' : 'TRADE', filled, value, trade },
        status: isWhole && status === 'FILLED' ? 'FILLED' : 'PARTIALLY_FILLED',
      });
    }
    const ended = finalExecution[status];
    if (ended) report({ execution: ended, status, filled, value, trade: null });
    if (isFinal(status)) this.#end(this.#orders, id);
    else this.#orders.set(id, { status, filled, value, terms: termsOf(order) });
    return events;
  }

  /** The steps of a conditional order or of a leg of a position; a triggered one is reported before the order that it became. */
  algo(algo: WireAlgoOrder, now: number): { readonly before: object[]; readonly after: object[] } {
    const { algoId: id, algoStatus: status, actualOrderId } = algo;
    if (this.#ended.has(id)) return { before: [], after: [] };
    const known = this.#algos.get(id);
    const sign = signOf(algo);
    if (known === sign) return { before: [], after: [] };
    const before: object[] = [];
    const isActivated = status === 'TRIGGERED' || status === 'FINISHED';
    if (known === undefined) before.push(algoEvent({ ...algo, actualOrderId: '' }, 'NEW', now));
    const wasTriggered = known?.startsWith('TRIGGERED') ?? false;
    if (isActivated && !wasTriggered && actualOrderId !== '') before.push(algoEvent(algo, 'TRIGGERED', now));
    const isOver = status !== 'NEW' && status !== 'TRIGGERED';
    const after = isOver ? [algoEvent(algo, status, now)] : [];
    // Another price or distance.
    if (known !== undefined && status === 'NEW') before.push(algoEvent(algo, 'NEW', now));
    if (isOver) this.#end(this.#algos, id);
    else this.#algos.set(id, sign);
    return { before, after };
  }

  /** The legs of a position that were reported and are gone: they were removed. */
  missingLegs(present: ReadonlySet<number>, ofPosition: readonly number[]): readonly number[] {
    return ofPosition.filter((id) => this.#algos.has(id) && !present.has(id));
  }

  #end(waiting: Map<number, unknown>, id: number): void {
    waiting.delete(id);
    this.#ended.add(id);
    const [oldest] = this.#ended;
    if (this.#ended.size > endedMax && oldest !== undefined) this.#ended.delete(oldest);
  }

  forgetAlgo(id: number): void {
    this.#algos.delete(id);
  }
}

const signOf = ({ algoStatus, price, quantity, triggerPrice }: WireAlgoOrder): string =>
  `${algoStatus} ${price} ${quantity} ${triggerPrice}`;

/** What `ACCOUNT_UPDATE` compares. */
export interface AccountState {
  readonly walletBalance: string;
  readonly crossWalletBalance: string;
  /** By symbol. */
  readonly positions: ReadonlyMap<string, PositionState>;
}
interface PositionState {
  readonly symbol: string;
  readonly positionAmt: string;
  readonly entryPrice: string;
  readonly breakEvenPrice: string;
  readonly unRealizedProfit: string;
  readonly isolatedWallet: string;
}

const none: Omit<PositionState, 'symbol'> = {
  positionAmt: '0',
  entryPrice: '0',
  breakEvenPrice: '0',
  unRealizedProfit: '0',
  isolatedWallet: '0',
};
const isSame = (one: PositionState, two: PositionState): boolean =>
  one.positionAmt === two.positionAmt &&
  one.entryPrice === two.entryPrice &&
  one.isolatedWallet === two.isolatedWallet;

/**
 * An `ACCOUNT_UPDATE` of what differs between two states; null where nothing does. `hasTraded`: whether there were trades between
 * them, which decides the reason.
 */
export function accountEvent(
  before: AccountState,
  after: AccountState,
  { hasTraded, now }: { readonly hasTraded: boolean; readonly now: number },
): object | null {
  const symbols = new Set([...before.positions.keys(), ...after.positions.keys()]);
  const changed = [...symbols].flatMap((symbol) => {
    const [old, present] = [before.positions, after.positions].map(
      (positions) => positions.get(symbol) ?? { symbol, ...none },
    );
    return old && present && !isSame(old, present) ? present : [];
  });
  const isMoved = before.walletBalance !== after.walletBalance;
  if (changed.length === 0 && !isMoved) return null;
  const change = toDecimalString(parseDecimal(after.walletBalance) - parseDecimal(before.walletBalance));
  const m = reasonOf({ hasTraded, isMoved, hasPosition: changed.length > 0, change });
  return {
    ...{ e: 'ACCOUNT_UPDATE', E: now, T: now },
    a: {
      m,
      B: [
        {
          ...{ a: 'USDT', wb: after.walletBalance, cw: after.crossWalletBalance },
          bc: m === 'DEPOSIT' || m === 'WITHDRAW' ? change : '0',
        },
      ],
      P: changed.map((row) => ({
        ...{ s: row.symbol, pa: row.positionAmt, ep: row.entryPrice, bep: row.breakEvenPrice },
        ...{ up: row.unRealizedProfit, mt: 'isolated', iw: row.isolatedWallet, ps: 'BOTH', ma: 'USDT' },
      })),
    },
  };
}

/** Funding changes the balance and the margin of a position; margin that is moved leaves the balance as it is. */
function reasonOf(of: {
  hasTraded: boolean;
  isMoved: boolean;
  hasPosition: boolean;
  change: string;
}): string {
  if (of.hasTraded) return 'ORDER';
  if (!of.isMoved) return 'MARGIN_TRANSFER';
  if (of.hasPosition) return 'FUNDING_FEE';
  return of.change.startsWith('-') ? 'WITHDRAW' : 'DEPOSIT';
}
