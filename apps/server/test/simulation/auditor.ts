/**
 * An independent second opinion on every change of an account: the specification's rules implemented again, with own
 * arithmetic, on lists that it walks from end to end. It gets the commands with their times and prices, and predicts
 * the state afterwards. It imports types of packages/domain and nothing else of it.
 *
 * Known limitations: the auditor accepts any refusal reason that applies and predicts no single one; it learns the
 * ids of new rows from the store.
 */
import type {
  AmendCommand,
  CloseAtReopenCommand,
  Command,
  JudgeCommand,
  OpenCommand,
  PlaceCommand,
  ProtectCommand,
  ReverseCommand,
} from '@fulcrum/domain';
import { AuditedChallenges } from './audited-challenges.ts';
import { AuditedCloser } from './audited-closing.ts';
import { editPosition } from './audited-edit.ts';
import { type NetInstant, netClose } from './audited-levels.ts';
import {
  changeOwn,
  fullFaults,
  isAfterContest,
  lockedFaults,
  ownFaults,
  retainsFirstStop,
} from './audited-limits.ts';
import {
  type AuditedMarket,
  type AuditedPair,
  closeFaults,
  closePriceOf,
  consequencesOf,
  costFaults,
  endingFaults,
  fundFaults,
  type Instant,
  inputFaults,
  isLostAt,
  isOffGrid,
  isProtectionWrong,
  marketFaults,
  orderOf,
  placementFaults,
  positionOf,
  reaches,
  type Trade,
  tradeOf,
  waitingFaults,
  wishFaults,
} from './audited-market.ts';
import { NetJudge } from './audited-net.ts';
import { isOrderWaiting, type NetTools } from './audited-net-case.ts';
import { feeOf, isGoodReason, marginOf, orderValueOf, resultOf } from './formulas.ts';
import {
  type AuditedAccount,
  type AuditedOrder,
  type AuditedOwnLimits,
  type AuditedPosition,
  accountOf,
  availableIn,
  type House,
  type OpenedAccount,
  type Verdict,
} from './ledger-book.ts';

export const accepted: Verdict = [];

type Marks = JudgeCommand['marks'];

type CommandOfUser = Extract<Command, { kind: 'restrict' | 'delete' }>;
const isOfUser = (command: Command): command is CommandOfUser =>
  command.kind === 'restrict' || command.kind === 'delete';

/** What only an account with net positions has. */
const statesNetTerms = (command: Command): boolean => {
  if (command.kind === 'set_leverage' || command.kind === 'adjust_margin') return true;
  if (command.kind !== 'open' && command.kind !== 'place') return false;
  const { timeInForce, reduceOnly, quoteId } = command;
  if ((timeInForce ?? 'GTC') !== 'GTC' || quoteId) return true;
  if (command.kind === 'open') return Boolean(reduceOnly);
  const { triggerPrice, trailRate, closePosition, expiresAt, boundPositionId } = command;
  const isConditional = Boolean(triggerPrice) || Boolean(trailRate) || Boolean(expiresAt);
  return isConditional || Boolean(closePosition) || (Boolean(reduceOnly) && !boundPositionId);
};

export class Auditor {
  readonly #market: AuditedMarket;
  readonly accounts: AuditedAccount[] = [];
  readonly house: House = { pnl: 0n, insurance: 0n, fees: 0n, funding: 0n, external: 0n };
  /** The rows that the current decision has touched. */
  #touched = new Set<AuditedPosition | AuditedOrder>();
  #ids: readonly string[] = [];
  /** By user: the accounts that still have to follow a command about the user. */
  readonly #following = new Map<
    string,
    { readonly command: CommandOfUser; readonly accounts: readonly AuditedAccount[] }
  >();
  #instant: NetInstant = { at: 0, quote: () => undefined, book: () => undefined };
  /** Of the account before the command. */
  #own: readonly string[] = [];
  readonly challenges = new AuditedChallenges(this.accounts);
  readonly #closer = new AuditedCloser(
    this.house,
    (symbol) => this.pairOf(symbol),
    (position) => this.#touched.add(position),
    (account, position, source) => {
      const pair = this.pairOf(position.symbol);
      const closing = { position, size: position.size, source };
      return pair ? netClose(account, pair, closing, this.#instant, true) : null;
    },
  );
  readonly #netTools: NetTools;

  constructor(market: AuditedMarket) {
    this.#market = market;
    this.#netTools = {
      house: this.house,
      pairOf: (symbol) => this.pairOf(symbol),
      tolerancePercent: market.tolerancePercent,
      touch: (row) => this.#touched.add(row),
      close: (account, position, { price, value, at, rate }) =>
        this.#closer.bookClose(
          account,
          position,
          { price, source: 'live', reason: 'manual', at },
          { gross: resultOf(position, value), value, rate },
        ),
      takeOff: (account, whole, size) => this.#closer.takeOff(account, whole, size),
      charge: (account, fee) => this.#closer.charge(account, fee),
    };
  }

  addAccount(opened: OpenedAccount): void {
    this.house.external -= opened.deposit;
    const account = accountOf(opened);
    const main = this.accounts.find(({ accountId }) => accountId === opened.ownerId);
    if (main) account.isRestricted = main.isRestricted;
    this.accounts.push(account);
  }

  accountOf(accountId: string): AuditedAccount | undefined {
    return this.accounts.find((account) => account.accountId === accountId && !account.isDeleted);
  }

  /**
   * The required outcome of the command; applies its changes. `ids`: those that the engine drew for it, one of which
   * names an opening at once, because positions of one moment differ by their ids alone (A111).
   */
  settle(accountId: string, command: Command, instant: Instant, ids: readonly string[] = []): Verdict {
    this.#ids = ids;
    this.#instant = { book: () => undefined, ...instant };
    const account = this.accountOf(accountId);
    if (!account) return ['not_found'];
    this.#touched = new Set();
    if (command.kind !== 'fund' && this.#isFundingDue(account)) return ['funding_first'];
    const { length: before } = account.fills;
    const verdict = isOfUser(command)
      ? this.#judgeUser(account, command, instant)
      : account.isArchived
        ? ['account_archived']
        : this.#judge(account, command, instant);
    if (verdict.length > 0) return verdict;
    account.version += 1;
    for (const fill of account.fills.slice(before))
      fill.source = this.#instant.quote(fill.of.symbol)?.source ?? null;
    for (const row of this.#touched) {
      row.version += 1;
      row.accountVersion = account.version;
    }
    return verdict;
  }

  /** A command that comes before what is due would let its trader leave without paying (A113). */
  #isFundingDue(account: AuditedAccount): boolean {
    if (account.terms.rules !== 'perpetual') return false;
    return new NetJudge(this.#netTools, account, this.#instant, []).isFundingDue;
  }

  /** Its owner sets limits, which is a change without a decision. */
  setOwn(accountId: string, requested: AuditedOwnLimits, at: number): void {
    const account = this.accountOf(accountId);
    if (!account || account.isArchived) return;
    changeOwn(account, requested, at);
    account.version += 1;
  }

  /** Archives the account, which is a change without a decision. */
  archive(accountId: string): void {
    const account = this.accountOf(accountId);
    if (!account || account.isArchived) return;
    account.isArchived = true;
    account.version += 1;
  }

  /** Accounts that a command about their user has not reached, although it has reached another one of the user. */
  get leftOut(): readonly string[] {
    return [...this.#following.values()].flatMap(({ accounts }) =>
      accounts.map(({ accountId }) => accountId),
    );
  }

  /**
   * A72, A73 and A112: a restriction and a deletion concern all accounts of the user or none. The main account is first,
   * and the others have to follow with the same command.
   */
  #judgeUser(account: AuditedAccount, command: CommandOfUser, instant: Instant): Verdict {
    const { ownerId, accountId } = account;
    const following = this.#following.get(ownerId);
    if (!following) {
      if (accountId !== ownerId) return ['main_account_first'];
      const others = this.accounts.filter(
        (other) => other.ownerId === ownerId && other !== account && !other.isDeleted,
      );
      const faults = [account, ...others].flatMap((one) => this.#userFaults(one, command, instant));
      if (faults.length > 0) return faults;
      if (others.length > 0) this.#following.set(ownerId, { command, accounts: others });
    } else {
      if (following.command !== command || !following.accounts.includes(account)) return ['others_first'];
      const accounts = following.accounts.filter((other) => other !== account);
      if (accounts.length === 0) this.#following.delete(ownerId);
      else this.#following.set(ownerId, { command, accounts });
    }
    if (command.kind === 'restrict') this.#restrict(account, command.restricted);
    else this.#delete(account, instant);
    return accepted;
  }

  #userFaults(account: AuditedAccount, command: CommandOfUser, instant: Instant): readonly string[] {
    const faults = isGoodReason(command.reason) ? [] : ['reason_required'];
    if (command.kind === 'delete') return [...faults, ...endingFaults(account.positions, instant)];
    if (account.isRestricted === command.restricted) faults.push('restriction_unchanged');
    return faults;
  }

  #judge(account: AuditedAccount, command: Exclude<Command, CommandOfUser>, instant: Instant): Verdict {
    if (isAfterContest(account, command.kind, instant.at)) return ['contest_over'];
    const isNet = account.terms.rules === 'perpetual';
    this.#own = isNet ? [] : ownFaults(account, instant.at, (symbol) => instant.quote(symbol)?.price, null);
    const net = isNet ? this.#judgeNet(account, command) : null;
    if (net) return net;
    if (!isNet && statesNetTerms(command)) return ['not_perpetual'];
    switch (command.kind) {
      case 'open':
        return this.#openByClick(account, command, instant);
      case 'place':
        return command.leverage === null
          ? ['leverage_invalid']
          : this.#place(account, { ...command, leverage: command.leverage }, instant);
      case 'fill':
        return this.#fill(account, command.orderId, command.price, instant);
      case 'cancel':
        return this.#cancel(account, command.orderId);
      case 'amend':
        return this.#amend(account, command, instant);
      case 'protect':
        return this.#protect(account, command.positionId, command, instant);
      case 'close':
        return this.#close(account, command, instant);
      case 'reverse':
        return this.#reverse(account, command, instant);
      case 'close_at_reopen':
        return this.#leave(account, command, instant);
      case 'trigger':
        return this.#mark(account, command, instant);
      case 'adjust':
        return this.#adjust(account, command);
      case 'edit':
        return editPosition(this, account, command, instant.at, (position) => this.#touched.add(position));
      case 'set_leverage':
      case 'adjust_margin':
      case 'expire':
      case 'follow':
      case 'fund':
        return ['not_perpetual'];
      case 'reset':
        return this.#reset(account, command, instant);
      case 'close_out':
        return this.#closeOut(account, command.marks, instant);
      case 'judge':
        return this.#judgeChallenge(account, command, instant);
    }
  }

  /** In a copy first, with a house of its own: what is refused changes nothing. */
  #judgeNet(account: AuditedAccount, command: Command): Verdict | null {
    const [copy, house] = [structuredClone(account), { ...this.house }];
    const tried = new NetJudge(this.#netTools, copy, this.#instant, this.#ids).judge(command);
    Object.assign(this.house, house);
    this.#touched = new Set();
    if (tried === null || tried.length > 0) return tried;
    return new NetJudge(this.#netTools, account, this.#instant, this.#ids).judge(command);
  }

  pairOf(symbol: string): AuditedPair | undefined {
    return this.#market.pairs.find((pair) => pair.symbol === symbol);
  }

  /** `order`: the one that it fills. */
  #openAt(
    account: AuditedAccount,
    trade: Trade,
    entry: bigint,
    { at: createdAt, order = null }: { readonly at: number; readonly order?: AuditedOrder | null },
  ): AuditedPosition {
    const position = positionOf(trade, entry, createdAt, account.terms);
    // The release of a reserve has drawn an id before.
    position.id = this.#ids[order && order.type !== 'MARKET' ? 1 : 0] ?? null;
    account.positions.push(position);
    this.#touched.add(position);
    const { side, size, fees: fee } = position;
    const at = {
      price: entry,
      mid: entry,
      value: orderValueOf(entry, size),
      quoteId: null,
      liquidity: 'taker',
    } as const;
    const opened = { pnl: null, of: position, by: order, flippedFrom: null, at: createdAt };
    account.fills.push({ ...at, side, size, fee, ...opened });
    this.#closer.charge(account, fee);
    return position;
  }

  #openByClick(account: AuditedAccount, command: OpenCommand, instant: Instant): Verdict {
    const malformed = inputFaults(command, this.pairOf(command.symbol));
    const pair = this.pairOf(command.symbol);
    if (malformed.length > 0 || !pair) return malformed;
    const trade = tradeOf(command, pair);
    const faults = this.#marketFaults(account, trade, command.expectedPrice, instant);
    const quote = instant.quote(pair.symbol);
    if (faults.length > 0 || !quote) return faults;
    this.#openAt(account, trade, quote.price, { at: instant.at });
    return accepted;
  }

  // Orders

  #place(account: AuditedAccount, command: PlaceCommand, instant: Instant): Verdict {
    const pair = this.pairOf(command.symbol);
    const malformed = placementFaults(command, pair);
    const { type, price } = command;
    if (malformed.length > 0 || !pair) return malformed;
    const trade = tradeOf(command, pair);
    if (command.boundPositionId) return this.#placeOfPosition(account, command, trade, instant);
    const faults = account.isRestricted ? ['account_restricted'] : [];
    let reserved = 0n;
    if (type !== 'MARKET' && price !== null) {
      const waits = { trade, price, isStop: type === 'STOP' };
      faults.push(...waitingFaults(waits, availableIn(account), instant, account.terms));
      faults.push(...this.#limitFaults(account, pair.symbol, instant));
      reserved =
        marginOf(price, trade.size, trade.leverage) + feeOf(price, trade.size, account.terms.feeRate);
    }
    if (faults.length > 0 && !command.keepRejected) return faults;
    const isRejected = faults.length > 0;
    const order = orderOf(command, trade, { reserved, rejections: faults }, instant.at);
    account.orders.push(order);
    this.#touched.add(order);
    if (isRejected) account.notices.push('order_rejected');
    return accepted;
  }

  /** A LIMIT that closes a part of a position: it locks nothing. */
  #placeOfPosition(account: AuditedAccount, command: PlaceCommand, trade: Trade, { at }: Instant): Verdict {
    if (command.type !== 'LIMIT' || !command.reduceOnly) return ['not_perpetual'];
    const { pair, side, size } = trade;
    if (trade.takeProfit !== null || trade.stopLoss !== null) return ['condition_not_expected'];
    const position = account.positions.find(({ id }) => id === command.boundPositionId);
    if (!position || position.symbol !== pair.symbol) return ['position_not_found'];
    const faults = position.closing ? ['position_closed'] : [];
    if (position.side === side) faults.push('nothing_to_reduce');
    const isOffSteps = size % pair.stepSize !== 0n || position.size - size < pair.minQty;
    if (size !== position.size && isOffSteps) faults.push('amount_out_of_range');
    if (faults.length > 0 && !command.keepRejected) return faults;
    if (faults.length > 0) account.notices.push('order_rejected');
    const placed = orderOf(command, trade, { reserved: 0n, rejections: faults }, at);
    const order = { ...placed, leverage: position.leverage, reduceOnly: true, boundTo: position };
    account.orders.push(order);
    this.#touched.add(order);
    return accepted;
  }

  #fillOfPosition(
    account: AuditedAccount,
    order: AuditedOrder,
    position: AuditedPosition,
    tick: bigint,
    { at }: Instant,
  ): Verdict {
    const pair = this.pairOf(order.symbol);
    const closing = { price: tick, source: 'live', reason: 'manual', at } as const;
    if (!position.closing) this.#closer.settleSides(account, order.symbol, closing, true);
    if (position.closing || position.side === order.side || !pair) {
      order.status = 'EXPIRED';
      return accepted;
    }
    const quote = { price: tick, stale: false, held: false, marketOpen: true };
    const isPart =
      order.size !== position.size && closeFaults(position, order.size, pair, quote).length === 0;
    const part = isPart ? this.#closer.takeOff(account, position, order.size) : position;
    this.#closer.closeAt(account, part, closing, 0n, { by: order });
    order.size = part.size;
    order.filled = part.size;
    order.filledValue = orderValueOf(tick, part.size);
    order.status = 'FILLED';
    order.position = part;
    account.notices.push('order_filled');
    return accepted;
  }

  /** Fills a MARKET order at the quote (`tick` null), a waiting one at its tick. */
  #fill(account: AuditedAccount, orderId: string, tick: bigint | null, instant: Instant): Verdict {
    // Right after its placement the id of a MARKET order is unknown.
    const isNamed = ({ id, type }: AuditedOrder): boolean =>
      id === orderId || (tick === null && id === null && type === 'MARKET');
    const order = account.orders.findLast(isNamed);
    if (!order) return ['order_not_found'];
    const pair = this.pairOf(order.symbol);
    if (order.status !== 'NEW') return ['order_not_found', 'order_final'];
    if (!pair) return ['unknown_symbol'];
    if (order.type !== 'MARKET' && (tick === null || !reaches(order, tick))) return ['not_crossed'];
    this.#touched.add(order);
    if (order.boundTo && tick !== null)
      return this.#fillOfPosition(account, order, order.boundTo, tick, instant);
    const trade: Trade = { ...order, pair };
    // Without its reserve the order counts as never placed.
    order.reserved = 0n;
    let faults: string[];
    let price: bigint | undefined;
    if (order.type === 'MARKET') {
      faults = this.#marketFaults(account, trade, order.price, instant);
      price = instant.quote(order.symbol)?.price;
    } else {
      const available = availableIn(account);
      price = tick ?? undefined;
      faults = tick === null ? [] : costFaults(trade, tick, available, account.terms);
      // A LIMIT gets what it reserved for, its own price, unless the tick would end it there at once.
      const isOwnPrice = faults.length > 0 && order.type === 'LIMIT' && tick !== null;
      if (isOwnPrice && order.price !== null && !isLostAt(trade, order.price, tick, account.terms)) {
        price = order.price;
        faults = costFaults(trade, order.price, available, account.terms);
      }
      if (account.isRestricted) faults.push('account_restricted');
      faults.push(...this.#limitFaults(account, order.symbol, instant), ...fullFaults(account));
    }
    if (faults.length > 0 || price === undefined) {
      order.status = 'REJECTED';
      order.rejections = faults;
      account.notices.push('order_rejected');
      return accepted;
    }
    order.status = 'FILLED';
    order.position = this.#openAt(account, trade, price, { at: instant.at, order });
    order.filled = order.size;
    order.filledValue = orderValueOf(price, order.size);
    account.notices.push('order_filled');
    return accepted;
  }

  #release(order: AuditedOrder): void {
    order.status = 'CANCELED';
    order.reserved = 0n;
    this.#touched.add(order);
  }

  #cancel(account: AuditedAccount, orderId: string): Verdict {
    const order = account.orders.find(({ id }) => id === orderId);
    if (!order) return ['order_not_found'];
    if (!isOrderWaiting(order)) return ['order_final'];
    this.#release(order);
    return accepted;
  }

  /** It has to be as valid as a new one at that price, in an account without this one. */
  #amend(account: AuditedAccount, { orderId, price }: AmendCommand, instant: Instant): Verdict {
    const order = account.orders.find(({ id }) => id === orderId);
    if (!order) return ['order_not_found'];
    if (order.status !== 'NEW') return ['order_final'];
    const pair = this.pairOf(order.symbol);
    if (!pair) return ['unknown_symbol'];
    if (isOffGrid(price, pair)) return ['order_price_invalid'];
    const trade: Trade = { ...order, pair };
    if (order.boundTo) {
      order.price = price;
      this.#touched.add(order);
      return accepted;
    }
    const waits = { trade, price, isStop: order.type === 'STOP' };
    const faults = waitingFaults(waits, availableIn(account) + order.reserved, instant, account.terms);
    if (account.isRestricted) faults.push('account_restricted');
    faults.push(...this.#limitFaults(account, order.symbol, instant));
    if (faults.length > 0) return faults;
    order.price = price;
    order.reserved =
      marginOf(price, order.size, order.leverage) + feeOf(price, order.size, account.terms.feeRate);
    this.#touched.add(order);
    return accepted;
  }

  // Positions

  #protect(
    account: AuditedAccount,
    positionId: string,
    {
      takeProfitPrice: takeProfit,
      stopLossPrice: stopLoss,
    }: Pick<ProtectCommand, 'takeProfitPrice' | 'stopLossPrice'>,
    instant: Instant,
  ): Verdict {
    const position = account.positions.find(({ id }) => id === positionId);
    if (!position) return ['position_not_found'];
    if (position.closing) return ['position_closed'];
    const pair = this.pairOf(position.symbol);
    if (!pair) return ['unknown_symbol'];
    const { side, entry, liquidation } = position;
    // Only what the command states is checked; what it does not name stays.
    const protection = { pair, side, takeProfit: takeProfit ?? null, stopLoss: stopLoss ?? null };
    const reference = instant.quote(position.symbol)?.price ?? entry;
    if (isProtectionWrong(protection, reference, liquidation)) return ['protection_invalid'];
    if (takeProfit !== undefined) position.takeProfit = takeProfit;
    if (stopLoss !== undefined) position.stopLoss = stopLoss;
    if (!retainsFirstStop(account)) position.initialStopLoss ??= position.stopLoss;
    this.#touched.add(position);
    return accepted;
  }

  #close(account: AuditedAccount, command: Extract<Command, { kind: 'close' }>, instant: Instant): Verdict {
    const position = account.positions.find(({ id }) => id === command.positionId);
    if (!position) return ['position_not_found'];
    if (position.closing) return ['position_closed'];
    const part = command.size ?? position.size;
    const quote = instant.quote(position.symbol);
    const pair = this.pairOf(position.symbol);
    const faults = closeFaults(position, part, pair, quote);
    if (faults.length > 0) return faults;
    const closing = { ...closePriceOf(position, quote), reason: command.reason, at: instant.at };
    const isWhole = part === position.size;
    const net =
      pair && position.value !== null
        ? netClose(account, pair, { position, size: part, source: closing.source }, this.#instant, false)
        : null;
    if (net) {
      if (net.size === 0n) return ['no_quote'];
      const isTaken = net.size === position.size;
      if (!isTaken && (position.margin * net.size) / position.size === 0n) return ['amount_too_small'];
      this.#closer.closeAt(
        account,
        isTaken ? position : this.#closer.takeOff(account, position, net.size),
        closing,
        0n,
        { arrival: command.arrivalPrice ?? null },
      );
      return accepted;
    }
    this.#closer.settleSides(account, position.symbol, closing, true);
    if (position.closing) return accepted;
    const isPart =
      !isWhole && part !== position.size && closeFaults(position, part, pair, quote).length === 0;
    this.#closer.closeAt(account, isPart ? this.#closer.takeOff(account, position, part) : position, closing);
    return accepted;
  }

  /** Closes and opens in a copy first: a reverse that may not open must leave the account as it was. */
  #reverse(
    account: AuditedAccount,
    { positionId, expectedPrice }: ReverseCommand,
    instant: Instant,
  ): Verdict {
    const at = account.positions.findIndex(({ id }) => id === positionId);
    const position = account.positions[at];
    if (!position) return ['position_not_found'];
    if (position.closing) return ['position_closed'];
    const pair = this.pairOf(position.symbol);
    const quote = instant.quote(position.symbol);
    if (!pair) return ['unknown_symbol'];
    if (!quote) return ['no_price'];
    if (!quote.marketOpen) return ['market_closed'];
    if (quote.stale || quote.held) return ['price_stale'];
    const closing = { price: quote.price, source: 'live', reason: 'manual', at: instant.at } as const;
    /** The size that was left to reverse; null when the other side's loss has closed it. */
    const closeIn = (one: AuditedAccount, closer: AuditedCloser): bigint | null => {
      const whole = one.positions[at];
      closer.settleSides(one, position.symbol, closing, true);
      if (!whole || whole.closing) return null;
      closer.closeAt(one, whole, closing);
      return whole.size;
    };
    const copy = structuredClone(account);
    const size = closeIn(
      copy,
      new AuditedCloser(
        { ...this.house },
        (symbol) => this.pairOf(symbol),
        () => null,
      ),
    );
    // The price may have moved too far as well.
    if (size === null) return ['position_closed', 'price_moved'];
    const side = position.side === 'BUY' ? 'SELL' : 'BUY';
    const trade: Trade = { pair, side, size, leverage: position.leverage, takeProfit: null, stopLoss: null };
    const faults = this.#marketFaults(copy, trade, expectedPrice, instant);
    if (size < pair.minQty || size > pair.maxQty || size % pair.stepSize !== 0n)
      faults.push('amount_out_of_range');
    if (faults.length > 0) return faults;
    closeIn(account, this.#closer);
    const opened = this.#openAt(account, trade, quote.price, { at: instant.at });
    // The opening draws the last ids: its own, one for each of its groups, and that of its execution.
    opened.id = this.#ids.at(opened.fees === 0n ? -3 : -4) ?? null;
    return accepted;
  }

  #leave(account: AuditedAccount, command: CloseAtReopenCommand, instant: Instant): Verdict {
    const position = account.positions.find(({ id }) => id === command.positionId);
    const verdict = wishFaults(position, command.requested, instant);
    if (verdict.length > 0 || !position || position.isLeaving === command.requested) return verdict;
    position.isLeaving = command.requested;
    this.#touched.add(position);
    return accepted;
  }

  /** The effect of the mark price on the position, as in `settle`. */
  #mark(account: AuditedAccount, command: Extract<Command, { kind: 'trigger' }>, instant: Instant): Verdict {
    const { positionId, price, trigger } = command;
    const position = account.positions.find(({ id }) => id === positionId);
    // No notification, and the engine no longer holds a closed position.
    if (!position || position.closing) return ['position_not_found', 'position_closed'];
    const consequences = consequencesOf(position, price);
    const [consequence] = consequences;
    if (!consequence || !consequences.includes(trigger)) return ['not_crossed'];
    this.#touched.add(position);
    if (consequence === 'margin_warning' || consequence === 'margin_recovered') {
      position.isWarned = consequence === 'margin_warning';
    } else {
      const reason = consequence === 'close_at_reopen' ? 'manual' : consequence;
      this.#closer.settleSides(account, position.symbol, { price, source: 'live', at: instant.at }, true);
      if (position.closing) return accepted;
      this.#closer.closeAt(account, position, { price, source: 'live', reason, at: instant.at });
    }
    if (consequence !== 'margin_recovered') account.notices.push(consequence);
    return accepted;
  }

  #fund(account: AuditedAccount, amount: bigint): void {
    account.balance += amount;
    this.house.external -= amount;
    if (amount !== 0n) {
      account.lines.push({ type: amount > 0n ? 'deposit' : 'withdrawal', amount, of: null });
      account.payments.push({ at: this.#instant.at, amount });
    }
  }

  #adjust(account: AuditedAccount, command: Extract<Command, { kind: 'adjust' }>): Verdict {
    const { reason, sets } = command;
    const amount = sets === 'balance' ? command.amount - account.balance : command.amount;
    const faults = fundFaults(account, amount, reason);
    if (sets === 'balance' && command.amount < 0n) faults.push('funds_amount_invalid');
    if (sets === 'balance' && command.amount >= 0n && amount === 0n) {
      return faults.includes('reason_required')
        ? ['reason_required', 'funds_unchanged']
        : ['funds_unchanged'];
    }
    if (faults.length > 0) return faults;
    this.#fund(account, amount);
    account.notices.push('funds_changed');
    return accepted;
  }

  #restrict(account: AuditedAccount, isRestricted: boolean): void {
    account.isRestricted = isRestricted;
    account.notices.push(isRestricted ? 'restricted' : 'restriction_lifted');
    if (!isRestricted) return;
    for (const order of account.orders) {
      if (!isOrderWaiting(order)) continue;
      this.#release(order);
      account.notices.push('order_canceled');
    }
  }

  #end(account: AuditedAccount, reason: 'manual' | 'staff' | 'program_end', instant: Instant): void {
    for (const order of account.orders) if (isOrderWaiting(order)) this.#release(order);
    for (const position of [...account.positions]) {
      if (position.closing) continue;
      const closing = { ...closePriceOf(position, instant.quote(position.symbol)), reason, at: instant.at };
      this.#closer.settleSides(account, position.symbol, closing, false);
      if (!position.closing) this.#closer.closeAt(account, position, closing);
    }
  }

  // Programs

  /** Everything ends at the marks, on no book. */
  #endAt(account: AuditedAccount, marks: Marks, { at }: Instant): void {
    const quote = (symbol: string) => {
      const mark = marks[symbol];
      const [stale, marketOpen] = [mark?.state !== 'live', mark?.state !== 'shut'];
      return mark && { price: mark.price, held: false, stale, marketOpen, source: mark.source };
    };
    this.#instant = { at, quote, book: () => undefined };
    this.#end(account, 'program_end', this.#instant);
  }

  #closeOut(account: AuditedAccount, marks: Marks, instant: Instant): Verdict {
    const { limits } = account.terms;
    const hasEnded =
      limits?.setBy === 'contest' && limits.opensUntil !== null && instant.at >= limits.opensUntil;
    if (!hasEnded) return ['not_due'];
    this.#endAt(account, marks, instant);
    return accepted;
  }

  /** The verdict is of the account as it is by now, at the instant that the command states. */
  #judgeChallenge(account: AuditedAccount, command: JudgeCommand, instant: Instant): Verdict {
    const judged = this.challenges.judge(account, command);
    if ('faults' in judged) return judged.faults;
    this.#endAt(account, command.marks, instant);
    account.verdict = judged.verdict;
    account.isArchived = true;
    account.notices.push(judged.verdict.outcome === 'passed' ? 'challenge_passed' : 'challenge_failed');
    return accepted;
  }

  #limitFaults(account: AuditedAccount, symbol: string, { at }: Instant): readonly string[] {
    return [...lockedFaults(account, symbol, at), ...this.#own];
  }

  #marketFaults(account: AuditedAccount, trade: Trade, expected: bigint | null, instant: Instant): string[] {
    const { tolerancePercent } = this.#market;
    const faults = marketFaults(account, trade, { expected, instant, tolerancePercent });
    return [...faults, ...this.#limitFaults(account, trade.pair.symbol, instant), ...fullFaults(account)];
  }

  #reset(
    account: AuditedAccount,
    { startBalance, reason }: Extract<Command, { kind: 'reset' }>,
    instant: Instant,
  ): Verdict {
    const faults = [
      ...(reason !== undefined && !isGoodReason(reason) ? ['reason_required'] : []),
      ...(account.isRestricted ? ['account_restricted'] : []),
      ...endingFaults(account.positions, instant),
    ];
    if (faults.length > 0) return faults;
    this.#end(account, 'manual', instant);
    this.#fund(account, startBalance - account.balance);
    if (reason !== undefined) account.notices.push('account_reset');
    return accepted;
  }

  #delete(account: AuditedAccount, instant: Instant): void {
    this.#end(account, 'staff', instant);
    this.#fund(account, -account.balance);
    account.isDeleted = true;
  }
}
