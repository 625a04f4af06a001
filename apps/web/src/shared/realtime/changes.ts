/**
 * Applies an announced row to the cached lists. Events may repeat, overtake an answer or get lost: a row replaces only an older
 * version of itself, and `hasGap` tells when the account has to be read again.
 */
import { isWaiting } from '@fulcrum/domain';
import type { Notification, Order, Position } from '../supabase/rows.ts';

/** The maximum of closed positions in memory; older ones are read page by page. */
export const closedListLimit = 500;
export const pastOrdersLimit = 500;
export const notificationsLimit = 50;

/**
 * Whether changes were missed. The account's version rises by one with every change, and all rows of one change have the same
 * version. `known` is the latest version this page has seen.
 */
export const hasGap = (known: number | undefined, announced: number): boolean =>
  known !== undefined && announced > known + 1;

interface Versioned {
  readonly id: string;
  readonly version: number;
}

const isNewer = (row: Pick<Versioned, 'version'>, cached: Pick<Versioned, 'version'> | undefined): boolean =>
  cached === undefined || row.version > cached.version;

/** The newer of a cached and an announced row. */
export const newerOf = <Row extends { readonly version: number }>(
  cached: Row | null | undefined,
  row: Row,
): Row => (isNewer(row, cached ?? undefined) ? row : (cached ?? row));

/** A list of open items, newest first, after `row` was announced. */
function mergeOpen<Row extends Versioned>(open: readonly Row[], row: Row, isOpen: boolean): readonly Row[] {
  const cached = open.find(({ id }) => id === row.id);
  if (!isOpen) return cached ? open.filter((one) => one !== cached) : open;
  if (!isNewer(row, cached)) return open;
  if (cached) return open.map((one) => (one === cached ? row : one));
  return [row, ...open];
}

/**
 * The latest rows, at most `limit`, with a further one: in order of time and then of id. The same array when the row is older
 * than all of a full list. Times of the wire have one zone and no trailing zeros, so they sort as text.
 */
function insertByTime<Row extends { readonly id: string }>(
  rows: readonly Row[],
  row: Row,
  timeOf: (row: Row) => string,
  limit: number,
): readonly Row[] {
  const at = timeOf(row);
  const next = rows.findIndex((one) => timeOf(one) < at || (timeOf(one) === at && one.id < row.id));
  if (next >= 0) return rows.toSpliced(next, 0, row).slice(0, limit);
  return rows.length < limit ? [...rows, row] : rows;
}

/** A list of finished items, latest first, after `row` was announced. An item may change long after its end. */
function mergePast<Row extends Versioned>(
  past: readonly Row[],
  row: Row,
  timeOf: (row: Row) => string,
  limit: number,
): readonly Row[] {
  const cached = past.find(({ id }) => id === row.id);
  if (!isNewer(row, cached)) return past;
  const others = cached ? past.filter((one) => one !== cached) : past;
  return insertByTime(others, row, timeOf, limit);
}

const toClosedAt = ({ closedAt }: Position): string => closedAt ?? '';
const toUpdatedAt = ({ updatedAt }: Order): string => updatedAt;
const toCreatedAt = ({ createdAt }: Notification): string => createdAt;

/** Open positions, newest first, after `row` was announced. The same array when nothing changed. */
export const applyToOpen = (open: readonly Position[], row: Position): readonly Position[] =>
  mergeOpen(open, row, row.status === 'open');

/** Closed positions, latest closing first, after `row` was announced. The same array when nothing changed. */
export const applyToClosed = (closed: readonly Position[], row: Position): readonly Position[] =>
  row.status === 'closed' ? mergePast(closed, row, toClosedAt, closedListLimit) : closed;

/** Open orders, newest first, after `row` was announced. The same array when nothing changed. */
export const applyToOpenOrders = (open: readonly Order[], row: Order): readonly Order[] =>
  mergeOpen(open, row, isWaiting(row.status));

/** Final orders, latest outcome first, after `row` was announced. The same array when nothing changed. */
export const applyToPastOrders = (past: readonly Order[], row: Order): readonly Order[] =>
  isWaiting(row.status) ? past : mergePast(past, row, toUpdatedAt, pastOrdersLimit);

/**
 * Notifications, newest first, after `row` was announced: one that was created, or an older one that was read elsewhere. A
 * read notification stays read.
 */
export function applyToNotifications(
  cached: readonly Notification[],
  row: Notification,
): readonly Notification[] {
  const known = cached.find(({ id }) => id === row.id);
  if (!known) return insertByTime(cached, row, toCreatedAt, notificationsLimit);
  if (known.readAt !== null || row.readAt === null) return cached;
  return cached.map((one) => (one === known ? row : one));
}
