/**
 * Compares stored rows with the answers to the traders of the streams: each acknowledged command is stored once, a refused
 * one left no row, and there is no row without a command. The invariants of the ledger cover what the market did meanwhile
 * (fills, liquidations, stop losses, take profits).
 */
import { expect } from 'vitest';
import { checkInvariants } from '../../src/features/wallet/index.ts';
import { isRightful, type Request } from './command-stream.ts';

interface StoredPosition {
  readonly id: string;
  readonly status: 'open' | 'closed';
  readonly closeReason: string | null;
  readonly splitFrom: string | null;
  readonly takeProfit: number | null;
  readonly stopLoss: number | null;
}
interface StoredOrder {
  readonly id: string;
  readonly status: string;
  readonly clientId: string;
  readonly positionId: string | null;
}
export interface Session {
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[]; rowCount: number | null }>;
}

const sorted = (ids: readonly string[]): string[] => ids.toSorted();
const pricesOf = ([takeProfit, stopLoss]: readonly [number | null, number | null]): string =>
  `${takeProfit} ${stopLoss}`;

async function read<Row>(session: Session, text: string): Promise<readonly Row[]> {
  return (await session.query(text)).rows as Row[];
}

/**
 * Of the main accounts. @throws when something acknowledged is lost, done twice, or half-done. No request may be without an answer by
 * now.
 */
export async function expectStored(
  session: Session,
  requests: readonly Request[],
  isRight: (request: Request) => boolean = isRightful,
): Promise<void> {
  const done = requests.filter(({ outcome }) => outcome === 'done');
  expect(requests.filter(({ outcome }) => outcome === 'unknown')).toEqual([]);
  const wrongly = requests.filter((request) => request.outcome === 'refused' && !isRight(request));
  expect(new Set(wrongly.map(({ intent, refusal }) => `${intent.kind}: ${refusal}`))).toEqual(new Set());
  const answeredWith = (kind: Request['intent']['kind']) =>
    done.filter(({ intent }) => intent.kind === kind).flatMap(({ rows }) => rows.map(({ id }) => id));

  // One snapshot: the market fills and closes positions meanwhile.
  await session.query('begin isolation level repeatable read');
  const stored = await read<{ clientId: string }>(
    session,
    `select client_id as "clientId" from app.commands where user_id in (select id from app.users)`,
  );
  expect(sorted(stored.map(({ clientId }) => clientId))).toEqual(
    sorted(done.flatMap(({ clientIds }) => clientIds)),
  );

  const orders = await read<StoredOrder>(
    session,
    `select id, status, client_id as "clientId", position_id as "positionId" from app.orders
     where user_id in (select id from app.users)`,
  );
  expect(sorted(orders.map(({ id }) => id))).toEqual(sorted(answeredWith('insert')));
  expect(new Set(orders.map(({ clientId }) => clientId)).size).toBe(orders.length);
  const canceled = done.flatMap(({ intent }) => (intent.kind === 'cancel' ? [intent.orderId] : []));
  expect(sorted(orders.filter(({ status }) => status === 'CANCELED').map(({ id }) => id))).toEqual(
    sorted(canceled),
  );

  const positions = await read<StoredPosition>(
    session,
    `select id, status, close_reason as "closeReason", split_from as "splitFrom",
            take_profit_price::float8 as "takeProfit", stop_loss_price::float8 as "stopLoss"
     from app.positions where user_id in (select id from app.users)`,
  );
  await session.query('commit');
  const filled = orders.flatMap(({ positionId }) => positionId ?? []);
  const parts = done.flatMap(({ intent, rows }) =>
    intent.kind === 'close' ? rows.map(({ id }) => id).filter((id) => id !== intent.positionId) : [],
  );
  const expected = [...answeredWith('open'), ...filled];
  const liquidated = positions.filter(({ closeReason }) => closeReason === 'liquidation');
  // Parts of the engine's own making paid for what the other side of their symbol lost (A111).
  const paying = liquidated.flatMap(({ id, splitFrom }) =>
    splitFrom !== null && expected.includes(splitFrom) ? [id] : [],
  );
  expect(sorted(positions.map(({ id }) => id))).toEqual(sorted([...expected, ...parts, ...paying]));
  // Whole and part: each manual close is answered as closed, once. A position that had paid with all it had before the manual
  // close is answered as it closed.
  const paid = new Set(liquidated.map(({ id }) => id));
  expect(sorted(positions.filter(({ closeReason }) => closeReason === 'manual').map(({ id }) => id))).toEqual(
    sorted(answeredWith('close').filter((id) => !paid.has(id))),
  );
  expectProtected(positions, requests);

  const ledger = {
    query: async <Row>(text: string, values: readonly unknown[] = []) => {
      const { rows, rowCount } = await session.query(text, [...values]);
      return { rows: rows as Row[], rowCount: rowCount ?? 0 };
    },
  };
  expect(await checkInvariants(ledger)).toMatchObject({ ok: true, violations: [] });
}

/** A position has the last protection that was acknowledged; where one went unanswered, one of those that were sent. */
function expectProtected(positions: readonly StoredPosition[], requests: readonly Request[]): void {
  const stored = new Map(positions.map((position) => [position.id, position]));
  const byPosition = new Map<string, Request[]>();
  for (const request of requests) {
    const { intent, rows, outcome } = request;
    if (outcome !== 'done') continue;
    const id =
      intent.kind === 'protect' ? intent.positionId : intent.kind === 'open' ? rows[0]?.id : undefined;
    if (id !== undefined) byPosition.set(id, [...(byPosition.get(id) ?? []), request]);
  }
  for (const [id, protections] of byPosition) {
    const { takeProfit = null, stopLoss = null } = stored.get(id) ?? {};
    const pairs = protections.map(({ intent }) =>
      pricesOf(('bracket' in intent && intent.bracket) || [null, null]),
    );
    const isSure = protections.every(({ wasUnanswered }) => !wasUnanswered);
    expect(isSure ? pairs.slice(-1) : pairs).toContain(pricesOf([takeProfit, stopLoss]));
  }
}
