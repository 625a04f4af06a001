/**
 * Compares the stored rows of an account with net positions (A113, A114) with the answers to its trader: each acknowledged command is
 * stored once, a refused one left nothing, and what is open is the sum of the executions, each of which has one command or one
 * trigger. Liquidation prices are those of the auditor of the simulator, which shares no code with the domain.
 */
import { parseDecimal } from '@fulcrum/domain';
import { expect } from 'vitest';
import { netLiquidation } from '../simulation/audited-net-formulas.ts';
import { isRightful, type Request } from './command-stream.ts';
import type { NetTradingStream, SentOrder } from './net-trading-stream.ts';
import type { Session } from './stored-trades.ts';

interface StoredOrder {
  readonly id: string;
  readonly clientId: string;
  readonly symbol: string;
  readonly type: string;
  readonly side: string;
  readonly price: number | null;
  readonly size: number;
  readonly leverage: number;
  readonly status: string;
  readonly timeInForce: string;
  readonly reduceOnly: boolean;
  readonly filledSize: number;
  readonly takes: number;
  readonly makes: number;
  /** Whether size and value of what it filled are the sums of its executions. */
  readonly isSum: boolean;
}
interface StoredPosition {
  readonly id: string;
  readonly symbol: string;
  readonly side: 'BUY' | 'SELL';
  readonly status: 'open' | 'closed';
  readonly closeReason: string | null;
  readonly size: string;
  readonly value: string;
  readonly margin: string;
  readonly liquidation: string;
}
interface StoredFill {
  readonly orderId: string | null;
  readonly positionId: string;
  readonly flippedFrom: string | null;
}

const sorted = (ids: readonly string[]): string[] => ids.toSorted();
const isFinal = (status: string): boolean => status !== 'NEW' && status !== 'PARTIALLY_FILLED';
const byTrigger = new Set(['liquidation', 'stop_loss', 'take_profit']);

/** @throws when something acknowledged is lost, done twice, or half-done. No request may be without an answer by now. */
export async function expectNetStored(
  session: Session,
  { accountId, requests, sent }: NetTradingStream,
): Promise<void> {
  const done = requests.filter(({ outcome }) => outcome === 'done');
  expect(requests.filter(({ outcome }) => outcome === 'unknown')).toEqual([]);
  const wrongly = requests.filter((request) => request.outcome === 'refused' && !isRightful(request));
  expect(new Set(wrongly.map(({ intent, refusal }) => `${intent.kind}: ${refusal}`))).toEqual(new Set());

  // One snapshot: the market fills and closes meanwhile.
  await session.query('begin isolation level repeatable read');
  const read = async <Row>(text: string) => (await session.query(text, [accountId])).rows as readonly Row[];
  const commands = await read<{ clientId: string }>(
    'select client_id as "clientId" from app.commands where user_id = $1',
  );
  const orders = await read<StoredOrder>(ordersQuery);
  const positions = await read<StoredPosition>(
    `select id, symbol, side, status, close_reason as "closeReason", size::text, entry_value::text as value, margin::text,
            liquidation_price::text as liquidation
     from app.positions where user_id = $1`,
  );
  const fills = await read<StoredFill>(
    `select order_id as "orderId", position_id as "positionId", flipped_from as "flippedFrom"
     from app.executions where user_id = $1`,
  );
  const leverages = await read<{ symbol: string; leverage: number }>(
    'select symbol, leverage from app.symbol_leverages where user_id = $1',
  );
  const margins = await read<{ amount: number }>(
    `select amount::float8 as amount from app.ledger_entries
     where user_id = $1 and kind = 'margin' and account = 'user:margin'`,
  );
  const offBalance = await read<{ symbol: string }>(sumsQuery);
  await session.query('commit');

  expect(sorted(commands.map(({ clientId }) => clientId))).toEqual(
    sorted(done.flatMap(({ clientIds }) => clientIds)),
  );
  for (const order of orders) expectAsSent(order, sent.get(order.clientId));
  expectOrders(orders, done);
  expectFills(fills, positions, done);
  expectPositions(positions);
  expect(offBalance).toEqual([]);
  const moved = done.flatMap(({ intent }) => (intent.kind === 'margin' ? [intent.amount] : []));
  expect(margins.map(({ amount }) => amount).toSorted()).toEqual(moved.toSorted());
  expectLeverages(new Map(leverages.map(({ symbol, leverage }) => [symbol, leverage])), done);
}

const ordersQuery = `
  select o.id, o.client_id as "clientId", o.symbol, o.type, o.side, o.price::float8 as price, o.size::float8 as size, o.leverage,
         o.status, o.time_in_force as "timeInForce", o.reduce_only as "reduceOnly", o.filled_size::float8 as "filledSize",
         count(e.id) filter (where e.liquidity = 'taker')::int as takes,
         count(e.id) filter (where e.liquidity = 'maker')::int as makes,
         coalesce(sum(e.size), 0) = o.filled_size and coalesce(sum(e.value), 0) = o.filled_value as "isSum"
  from app.orders o left join app.executions e on e.user_id = o.user_id and e.order_id = o.id
  where o.user_id = $1 group by o.id`;

/**
 * Symbols whose open position is not what was bought less what was sold, or whose results are not what was received less what was
 * paid: results, less what the insurance bore of them, and what the open position was paid for.
 */
const sumsQuery = `
  with traded as (
    select symbol, sum(case side when 'BUY' then size else -size end) as size,
           sum(case side when 'BUY' then -value else value end) as received
    from app.executions where user_id = $1 group by symbol
  ), held as (
    select p.symbol, sum(case when p.status = 'closed' then 0 when p.side = 'BUY' then p.size else -p.size end) as size,
           sum(case when p.status = 'closed' then 0 when p.side = 'BUY' then -p.entry_value else p.entry_value end) as value,
           sum(coalesce(p.realized_pnl, 0)) as pnl,
           sum(coalesce((select sum(l.amount) from app.ledger_entries l
                         where l.source_id = p.id and l.kind = 'close' and l.account = 'insurance'), 0)) as insured
    from app.positions p where p.user_id = $1 group by p.symbol
  )
  select symbol from traded full join held using (symbol)
  where traded.size is distinct from held.size or traded.received is distinct from held.value + held.pnl + held.insured`;

function expectAsSent(order: StoredOrder, sent: SentOrder | undefined): void {
  if (!sent) throw new Error(`no user sent order ${order.clientId}`);
  const {
    symbol,
    type,
    side,
    leverage,
    time_in_force: timeInForce = 'GTC',
    reduce_only: reduceOnly = false,
  } = sent;
  expect(order).toMatchObject({ symbol, type, side, leverage, timeInForce, reduceOnly, isSum: true });
}

function expectOrders(orders: readonly StoredOrder[], done: readonly Request[]): void {
  const inserted = done.filter(({ intent }) => intent.kind === 'insert').flatMap(({ rows }) => rows);
  expect(sorted(orders.map(({ id }) => id))).toEqual(sorted(inserted.map(({ id }) => id)));
  expect(new Set(orders.map(({ clientId }) => clientId)).size).toBe(orders.length);
  const canceled = done.flatMap(({ intent }) => (intent.kind === 'cancel' ? [intent.orderId] : []));
  expect(sorted(orders.filter(({ status }) => status === 'CANCELED').map(({ id }) => id))).toEqual(
    sorted([...new Set(canceled)]),
  );
  /** The answers about each order: that to its placement, and those to its amendments. */
  const answers = Map.groupBy(
    done
      .filter(({ intent }) => intent.kind === 'insert' || intent.kind === 'amend')
      .flatMap((request) => request.rows.map((row) => ({ request, row }))),
    ({ row }) => row.id,
  );
  for (const order of orders) {
    const { id, price, size, status, timeInForce, filledSize, takes, makes } = order;
    const answered = answers.get(id) ?? [];
    const amendments = answered.filter(({ request }) => request.intent.kind === 'amend');
    // As the last of them says; where one went unanswered, as one of them does.
    const isSure = amendments.every(({ request }) => !request.wasUnanswered);
    const states = (amendments.length === 0 ? answered : amendments).map(({ row }) =>
      'price' in row ? `${row.price} ${row.size}` : '',
    );
    expect(isSure ? states.slice(-1) : states).toContain(`${price} ${size}`);

    // Each order and each amendment takes once at the most; a post-only order never does, and one that waits for nothing never makes.
    expect(takes).toBeLessThanOrEqual(timeInForce === 'GTX' ? 0 : 1 + amendments.length);
    if (timeInForce === 'IOC' || timeInForce === 'FOK' || order.type === 'MARKET') {
      expect(makes).toBe(0);
      expect(isFinal(status)).toBe(true);
    }
    // The account can pay for all of them, so that one that waits without reducing only fills or is canceled.
    const isReported = answered.some(({ row }) => row.status === status);
    if ((timeInForce === 'GTC' || timeInForce === 'GTX') && order.type === 'LIMIT' && !order.reduceOnly)
      expect(isReported || (status !== 'EXPIRED' && status !== 'REJECTED')).toBe(true);
    if (timeInForce === 'FOK') expect([0, size]).toContain(filledSize);
    for (const { row } of answered) {
      if (!('filled_size' in row)) continue;
      expect(filledSize).toBeGreaterThanOrEqual(row.filled_size);
      if (isFinal(row.status))
        expect(order).toMatchObject({ status: row.status, filledSize: row.filled_size });
    }
  }
}

/** An execution without an order has one command or one trigger, and each of them one execution. */
function expectFills(
  fills: readonly StoredFill[],
  positions: readonly StoredPosition[],
  done: readonly Request[],
): void {
  const traded = done.flatMap(({ intent, rows }) =>
    intent.kind === 'open' || intent.kind === 'close' || intent.kind === 'reverse' ? rows : [],
  );
  const triggered = positions.filter(({ closeReason }) => byTrigger.has(closeReason ?? ''));
  const ofNoOrder = fills.filter(({ orderId }) => orderId === null).map(({ positionId }) => positionId);
  expect(sorted(ofNoOrder)).toEqual(sorted([...traded, ...triggered].map(({ id }) => id)));
  const filled = fills.flatMap(({ positionId, flippedFrom }) => [positionId, flippedFrom ?? positionId]);
  expect(sorted(positions.map(({ id }) => id))).toEqual(sorted([...new Set(filled)]));
}

function expectPositions(positions: readonly StoredPosition[]): void {
  const open = positions.filter(({ status }) => status === 'open');
  expect(new Set(open.map(({ symbol }) => symbol)).size).toBe(open.length);
  for (const { side, size, value, margin, liquidation } of open) {
    const figures = { size: parseDecimal(size), value: parseDecimal(value), margin: parseDecimal(margin) };
    // Both symbols of the streams have ticks of a cent.
    const pair = { type: 'crypto', tickSize: 1_000_000n };
    expect(parseDecimal(liquidation)).toBe(netLiquidation({ side, ...figures }, pair));
  }
}

/** Of each symbol the last one that was acknowledged; where one went unanswered, one of those that were sent. */
function expectLeverages(stored: ReadonlyMap<string, number>, done: readonly Request[]): void {
  const bySymbol = new Map<string, { leverage: number; isSure: boolean }[]>();
  for (const { intent, wasUnanswered } of done) {
    if (intent.kind !== 'leverage') continue;
    const { symbol, leverage } = intent;
    bySymbol.set(symbol, [...(bySymbol.get(symbol) ?? []), { leverage, isSure: !wasUnanswered }]);
  }
  for (const [symbol, sets] of bySymbol) {
    const possible = sets.every(({ isSure }) => isSure) ? sets.slice(-1) : sets;
    expect(possible.map(({ leverage }) => leverage)).toContain(stored.get(symbol));
  }
}
