/**
 * Invariants between an account and its next state, for every command. The assertions run in production: a decision
 * that violates one is never written, and the engine stops trading (`InvariantViolation`). They derive everything
 * from the rows and share no code with the decisions, on purpose.
 */

import type { FillProfile } from '../perpetual/fill-profiles.ts';
import { rulesOf } from '../rule-sets.ts';
import { isLiquidated } from '../rules.ts';
import { isWaiting, orderMayBecome } from '../states.ts';
import type { Command, MarketView, Quote } from './commands.ts';
import type { Effects, LedgerAccount, LedgerGroup, OrderChange, PositionChange } from './effects.ts';
import { assertExecutions, assertNetPriced } from './execution-soundness.ts';
import { assert, sumOf } from './invariant.ts';
import { fires, triggersOf } from './protection.ts';
import { type Account, balanceOf, type Closing, type Order, type Position, type Wallet } from './types.ts';

const lockedBy = (position: Position | null): bigint =>
  position && position.closing === null ? position.margin : 0n;
const reservedBy = (order: Order | null): bigint => order?.reserved ?? 0n;
const earnedBy = (position: Position | null): bigint => position?.closing?.realizedPnl ?? 0n;
const feesOf = (position: Position | null): bigint => position?.fees ?? 0n;
const fundingOf = (position: Position | null): bigint => position?.funding ?? 0n;

/** The amounts that the groups move, by account, and by account and cause. */
class Moves {
  readonly #byAccount = new Map<LedgerAccount, bigint>();
  readonly #byCause = new Map<string, bigint>();
  constructor(ledger: readonly LedgerGroup[]) {
    for (const group of ledger) {
      for (const { account, amount, sourceId = group.sourceId } of group.entries) {
        this.#byAccount.set(account, this.on(account) + amount);
        this.#byCause.set(`${account} ${sourceId}`, this.of(sourceId, account) + amount);
      }
    }
  }
  on(...accounts: readonly LedgerAccount[]): bigint {
    return sumOf(accounts, (account) => this.#byAccount.get(account) ?? 0n);
  }
  of(sourceId: string, ...accounts: readonly LedgerAccount[]): bigint {
    return sumOf(accounts, (account) => this.#byCause.get(`${account} ${sourceId}`) ?? 0n);
  }
}

/** @throws InvariantViolation when the effects do not lead from `before` to a sound account. */
export function assertSound(before: Wallet, effects: Effects): void {
  const { wallet, positions, orders, ledger } = effects;
  for (const { id, entries } of ledger) {
    assert(entries.length > 0 && entries.every(({ amount }) => amount !== 0n), `group ${id} moves something`);
    assert(sumOf(entries, ({ amount }) => amount) === 0n, `group ${id} sums to zero`);
  }
  const moves = new Moves(ledger);
  assertWallet(before, wallet, moves);
  const losses = new Losses(positions);
  for (const change of positions) assertPosition(change, wallet, moves, losses);
  for (const change of orders) assertOrder(change, wallet, moves);
  for (const { after: order } of orders) {
    if (order.boundPositionId === null || !isWaiting(order.status)) continue;
    assert(
      !positions.some(({ after }) => after.id === order.boundPositionId && after.closing !== null),
      `order ${order.id} ends with its position`,
    );
  }

  // Each row has its own cause, so an unexplained amount shows in the sums.
  const locked = sumOf(positions, (change) => lockedBy(change.after) - lockedBy(change.before));
  assert(locked === wallet.margin - before.margin, 'margin is the sum over open positions');
  const reserved = sumOf(orders, (change) => reservedBy(change.after) - reservedBy(change.before));
  assert(reserved === wallet.orderMargin - before.orderMargin, 'order margin is the sum over open orders');
  const earned = sumOf(positions, (change) => earnedBy(change.after) - earnedBy(change.before));
  assert(earned === -moves.on('house:pnl', 'insurance'), 'the house pays the realized PnL');
  const fees = sumOf(positions, (change) => feesOf(change.after) - feesOf(change.before));
  assert(fees === moves.on('house:fees'), 'fees are those of the positions');
  const funding = sumOf(positions, (change) => fundingOf(change.after) - fundingOf(change.before));
  assert(funding === -moves.on('house:funding'), 'funding is that of the positions');
  assertExecutions(effects);
  assertHistory(before, effects);
  if (effects.deletes) assert(balanceOf(wallet) === 0n, 'a deleted account ends at zero');
}

function assertWallet(before: Wallet, wallet: Wallet, moves: Moves): void {
  assert(wallet.id === before.id && wallet.accountId === before.accountId, 'the wallet stays whose it is');
  assert(wallet.version === before.version + 1, 'the account version rises by one');
  assert(
    wallet.available === before.available + moves.on('user:cash'),
    'available changes by its ledger rows',
  );
  assert(wallet.margin === before.margin + moves.on('user:margin'), 'margin changes by its ledger rows');
  assert(
    wallet.orderMargin === before.orderMargin + moves.on('user:order_margin'),
    'order margin changes by its ledger rows',
  );
  assert(wallet.available >= 0n && wallet.margin >= 0n && wallet.orderMargin >= 0n, 'no negative balance');
  assert(moves.on('insurance') <= 0n, 'insurance bears, it does not earn');
  assert(moves.on('house:fees') >= 0n, 'fees are charged, not paid');
}

function assertPosition(change: PositionChange, wallet: Wallet, moves: Moves, losses: Losses): void {
  const { before, after } = change;
  const { id, closing } = after;
  assert(after.accountId === wallet.accountId, `position ${id} is the account's own`);
  assert(after.version === (before?.version ?? 0) + 1, `version of position ${id} rises by one`);
  assert(after.accountVersion === wallet.version, `position ${id} names the account version`);
  assert(after.margin > 0n && after.size > 0n, `position ${id} has a size and a margin`);
  assert(after.liquidationPrice > 0n, `position ${id} has a liquidation price`);
  assert(
    moves.of(id, 'user:margin') === lockedBy(after) - lockedBy(before),
    `position ${id} locks its margin`,
  );
  assert(
    moves.of(id, 'house:pnl', 'insurance') === earnedBy(before) - earnedBy(after),
    `position ${id} is paid what it earned`,
  );
  assert(moves.of(id, 'house:fees') === feesOf(after) - feesOf(before), `position ${id} is charged its fees`);
  assert(
    moves.of(id, 'house:funding') === fundingOf(before) - fundingOf(after),
    `position ${id} is paid its funding`,
  );
  if (closing) {
    assert(closing.realizedPnl >= -after.margin, `position ${id} loses at most its margin`);
    assert(!after.closeAtReopen, `closed position ${id} waits for no price`);
  }
  if (!before?.closing) assertCause(change, losses);
  if (!before) return;
  assert(
    before.id === id && before.accountId === after.accountId && before.symbol === after.symbol,
    `position ${id} stays what it is`,
  );
  assert(
    before.rules === after.rules && before.feeRate === after.feeRate && before.splitFrom === after.splitFrom,
    `position ${id} keeps the rules and the fee rate of its opening`,
  );
  if (before.closing) {
    assert(
      closing?.reason === before.closing.reason && closing.priceSource === before.closing.priceSource,
      `position ${id} closes once`,
    );
  }
}

/**
 * A position closed without a click had reached its trigger, or was liquidated for the other side of its symbol (A05,
 * A21, A37, A111). In the second case it was exhausted, or its gain paid a loss beyond the other one's margin.
 */
function assertCause({ before, after }: PositionChange, losses: Losses): void {
  const { id, closing } = after;
  if (!closing || ['manual', 'staff', 'program_end'].includes(closing.reason)) return;
  // Its price is that of the book, not the tick's: `assertNetPriced` has the tick.
  if (after.rules === 'perpetual') return;
  const { price, reason } = closing;
  const isReached =
    before !== null && triggersOf(before).some((trigger) => trigger.kind === reason && fires(trigger, price));
  const isForPair =
    !isReached &&
    reason === 'liquidation' &&
    (rulesOf(after.rules).realizedPnl(after, price) <= -after.margin || losses.arePaidBy(after));
  assert(isReached || isForPair, `position ${id} waited for the price that closed it`);
  assert(
    reason === 'liquidation' || closing.priceSource === 'live',
    `position ${id} is closed by a live price`,
  );
}

/**
 * The positions of a decision that lost their whole margin, against which payments of the other side are checked
 * (A111).
 */
class Losses {
  readonly #changed: readonly PositionChange[];
  #lost: readonly Position[] | null = null;

  constructor(changed: readonly PositionChange[]) {
    this.#changed = changed;
  }

  /** Whether `payer` closed between its entry and the price at which one of the other side lost its whole margin. */
  arePaidBy(payer: Position): boolean {
    if (!payer.closing) return false;
    const { price, realizedPnl } = payer.closing;
    if (realizedPnl !== rulesOf(payer.rules).realizedPnl(payer, price)) return false;
    this.#lost ??= this.#changed
      .map(({ after }) => after)
      .filter(({ closing, margin }) => closing?.realizedPnl === -margin);
    return this.#lost.some(({ symbol, side, closing }) => {
      if (!closing || symbol !== payer.symbol || side === payer.side) return false;
      return payer.side === 'BUY'
        ? price >= payer.entryPrice && price <= closing.price
        : price <= payer.entryPrice && price >= closing.price;
    });
  }
}

/**
 * The insurance bears only what no gain of the other side could pay (A111).
 * @throws InvariantViolation when an opposite position stays open that has a gain at the price of an insured loss.
 */
export function assertOffset(
  account: Pick<Account, 'holdsBothSides' | 'openPositions'>,
  { positions, ledger }: Effects,
): void {
  const judged = new Set<string>();
  let moves: Moves | null = null;
  for (const { after: loser } of positions) {
    const { id, symbol, side, margin, closing } = loser;
    if (closing?.realizedPnl !== -margin || !account.holdsBothSides(symbol)) continue;
    moves ??= new Moves(ledger);
    if (moves.of(id, 'insurance') === 0n) continue;
    const loss = `${symbol} ${side} ${closing.price}`;
    if (judged.has(loss)) continue;
    judged.add(loss);
    const after = new Map(positions.map((change) => [change.after.id, change.after]));
    for (const position of account.openPositions()) {
      const other = after.get(position.id) ?? position;
      const isGaining =
        other.closing === null &&
        other.symbol === symbol &&
        other.side !== side &&
        rulesOf(other.rules).realizedPnl(other, closing.price) > 0n;
      assert(!isGaining, `position ${other.id} pays what ${id} lost beyond its margin`);
    }
  }
}

/** The fields of an order that no command changes. */
const immutableOrderFields = [
  'id',
  'accountId',
  'symbol',
  'type',
  'side',
  'timeInForce',
  'trailRate',
  'closePosition',
  'expiresAt',
  'boundPositionId',
  'reduceOnly',
  'takeProfitPrice',
  'stopLossPrice',
  'rules',
  'clientId',
  'createdAt',
] as const satisfies readonly (keyof Order)[];

function assertOrder({ before, after }: OrderChange, wallet: Wallet, moves: Moves): void {
  const { id, status } = after;
  const isNet = after.rules === 'perpetual';
  // It becomes an order with the leverage of then.
  const isTriggered = after.triggeredAt !== null && before?.triggeredAt === null;
  assert(after.accountId === wallet.accountId, `order ${id} is the account's own`);
  assert(after.version === (before?.version ?? 0) + 1, `version of order ${id} rises by one`);
  assert(after.accountVersion === wallet.version, `order ${id} names the account version`);
  assert(
    before === null || orderMayBecome(before.status, status) || (before.status === 'NEW' && status === 'NEW'),
    `order ${id} goes from ${before?.status} to ${status}`,
  );
  assert(
    before === null ||
      before.price === after.price ||
      (before.type !== 'MARKET' && (isNet || status === 'NEW')),
    `order ${id} has the same price after its end`,
  );
  assert(
    before === null ||
      (immutableOrderFields.every((field) => before[field] === after[field]) &&
        (isNet || after.boundPositionId !== null || before.size === after.size) &&
        (isTriggered || before.leverage === after.leverage)),
    `order ${id} stays what it was placed as`,
  );
  assert(after.reserved >= 0n, `order ${id} holds nothing or something`);
  assert(
    status !== 'NEW' ||
      isNet ||
      after.type === 'MARKET' ||
      after.boundPositionId !== null ||
      after.reserved > 0n,
    `order ${id} holds something while it waits`,
  );
  assert(isWaiting(status) || after.reserved === 0n, `order ${id} holds nothing once it is final`);
  assert(!after.reduceOnly || after.reserved === 0n, `order ${id} only reduces and holds nothing`);
  assert(after.filledSize > 0n === (after.positionId !== null), `order ${id} names what it traded`);
  assert(
    (status === 'FILLED') === (after.size > 0n && after.filledSize === after.size),
    `order ${id} is filled when it is`,
  );
  assertCondition(before, after);
  assert(
    after.filledSize >= (before?.filledSize ?? 0n) && after.filledSize <= after.size,
    `order ${id} keeps what it has filled`,
  );
  assert(isNet || after.filledSize === 0n || status === 'FILLED', `order ${id} fills whole`);
  assert((status === 'REJECTED') === (after.rejection !== null), `order ${id} names why it is rejected`);
  assert(
    moves.of(id, 'user:order_margin') === reservedBy(after) - reservedBy(before),
    `order ${id} holds its reserve`,
  );
}

/** What waits for its trigger or its latency has neither traded nor reserved anything; a trailing stop only gets closer (A113). */
function assertCondition(before: Order | null, after: Order): void {
  const { id, side, peakPrice, triggeredAt, dueAt, filledSize, reserved, size } = after;
  const waits =
    dueAt !== null || (after.rules === 'perpetual' && isConditional(after) && triggeredAt === null);
  assert(!waits || (filledSize === 0n && reserved === 0n), `order ${id} waits and holds nothing`);
  assert(size > 0n || (after.closePosition && triggeredAt === null), `order ${id} has a size`);
  assert(
    before === null || before.triggeredAt === null || triggeredAt === before.triggeredAt,
    `order ${id} is triggered once`,
  );
  const last = before?.peakPrice ?? null;
  const isCloser =
    last === null || (peakPrice !== null && (side === 'SELL' ? peakPrice >= last : peakPrice <= last));
  assert(isCloser, `order ${id} follows the best price`);
}
const isConditional = ({ type }: Order): boolean => type !== 'MARKET' && type !== 'LIMIT';

/** A10, A11: the lines of the history sum to the balance, and each shows one ledger group. */
function assertHistory(before: Wallet, { wallet, ledger, transactions, amended, positions }: Effects): void {
  const groups = new Map(ledger.map((group) => [group.id, group]));
  for (const { id, amount } of transactions) {
    const moved = sumOf(groups.get(id)?.entries ?? [], (entry) =>
      entry.account.startsWith('user:') ? entry.amount : 0n,
    );
    assert(groups.has(id) && moved === amount, `line ${id} shows its ledger group`);
  }
  const corrections = positions.filter(
    (change) => change.before?.closing && earnedBy(change.before) !== earnedBy(change.after),
  );
  assert(amended.length === corrections.length, 'a line is amended for each corrected result');
  for (const { positionId, amount } of amended) {
    assert(
      corrections.some(({ after }) => after.id === positionId && earnedBy(after) === amount),
      `the line of position ${positionId} shows its PnL`,
    );
  }
  const historySum =
    sumOf(transactions, ({ amount }) => amount) +
    sumOf(corrections, (change) => earnedBy(change.after) - earnedBy(change.before));
  assert(
    balanceOf(wallet) - balanceOf(before) === historySum,
    'the history shows every change of the balance',
  );
}

/**
 * A market opening uses the current price, which is fresh and of an open market (A18, A37, A98). A tick fills at its
 * own price or at the order's price (A20). A LIMIT never fills worse than its price, and the tick must not liquidate
 * at once. A click closes at the last price (A24) while none is held (A110). A close at the next price uses the first
 * tick that trades (A98, A110).
 * @throws InvariantViolation when the effects of the command use another price.
 */
export function assertPriced(
  command: Command,
  effects: Effects,
  market: Pick<MarketView, 'quote' | 'book'>,
  fillProfile: FillProfile = 'exact',
): void {
  const isNet = ({ after }: PositionChange): boolean => after.rules === 'perpetual';
  if (effects.positions.some(isNet)) assertNetPriced(command, effects, market, fillProfile);
  const losses = new Losses(effects.positions);
  for (const { before, after } of effects.positions.filter((change) => !isNet(change))) {
    const { id, symbol, side, entryPrice, liquidationPrice, closing, splitFrom } = after;
    const quote = market.quote(symbol);
    if (before === null && splitFrom === null) {
      const order = effects.orders.find((change) => change.after.positionId === id)?.after;
      const tick = command.kind === 'fill' && order?.type !== 'MARKET' ? command.price : null;
      const isPriced =
        tick === null
          ? entryPrice === quote?.price && !quote.stale && !quote.held && quote.marketOpen
          : entryPrice === tick || (order?.type === 'LIMIT' && entryPrice === order.price);
      assert(isPriced, `position ${id} opens at a price of the market`);
      assert(
        tick === null || entryPrice === tick || !isLiquidated(side, liquidationPrice, tick),
        `position ${id} is not liquidated by the tick that fills it`,
      );
      if (order?.type === 'LIMIT' && order.price !== null) {
        const isWorse = order.side === 'BUY' ? entryPrice > order.price : entryPrice < order.price;
        assert(!isWorse, `order ${order.id} fills at its price or better`);
      }
    }
    if (after.closeAtReopen && before?.closeAtReopen !== true) {
      const waits = quote?.marketOpen === false || quote?.held === true;
      assert(waits, `position ${id} is to be closed at the next price of a market that does not trade`);
    }
    if (closing && !before?.closing) assertClosedAt({ before, after }, closing, command, losses, quote);
  }
}

/** At the tick of a trigger or the last price; a payer (A111) at a price that is moved towards its entry. */
function assertClosedAt(
  { before, after }: PositionChange,
  { price, priceSource, reason }: Closing,
  command: Command,
  losses: Losses,
  quote: Quote | undefined,
): void {
  const { id, entryPrice } = after;
  const isTick = command.kind === 'trigger' || (command.kind === 'fill' && command.price !== null);
  const isLive = isTick || (quote?.stale === false && quote.marketOpen);
  const market = isTick ? command.price : (quote?.price ?? entryPrice);
  const isPriced = price === market || (reason === 'liquidation' && losses.arePaidBy(after));
  assert(isPriced && (priceSource !== 'live' || isLive), `position ${id} closes at a price of the market`);
  assert(isTick || quote?.held !== true, `position ${id} closes at a price that no newer one speaks against`);
  assert(!isTick || priceSource === 'live', `position ${id} closes at a live tick`);
  assert(
    command.kind !== 'trigger' || reason !== 'manual' || before?.closeAtReopen === true,
    `position ${id} closes at the tick that it waited for`,
  );
}
