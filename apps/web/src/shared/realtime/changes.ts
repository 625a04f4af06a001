/**
 * How an announced row changes the lists a screen holds. Events may repeat, overtake an answer and go missing: a row
 * replaces only an older version of itself, and `hasGap` tells when the account has to be read again.
 */
import type { Notification, Order, Position } from '../supabase/rows.ts';

/** Closed positions kept in memory by live updates; older ones are read page by page. */
export const closedListLimit = 500;
export const pastOrdersLimit = 500;
export const notificationsLimit = 50;

/**
 * The account's version rises by one with every change, and all rows of one change carry the same. `known` is the latest
 * this page has seen.
 */
export const hasGap = (known: number | undefined, announced: number): boolean =>
  known !== undefined && announced > known + 1;

interface Versioned {
  readonly id: string;
  readonly version: number;
}

const isNewer = (row: Pick<Versioned, 'version'>, held: Pick<Versioned, 'version'> | undefined): boolean =>
  held === undefined || row.version > held.version;

/** The newer of a held and an announced row. */
export const newest = <Row extends { readonly version: number }>(
  held: Row | null | undefined,
  row: Row,
): Row => (isNewer(row, held ?? undefined) ? row : (held ?? row));

/** A list of what is still open, newest first, after `row` was announced. */
function keepOpen<Row extends Versioned>(open: readonly Row[], row: Row, isOpen: boolean): readonly Row[] {
  const held = open.find(({ id }) => id === row.id);
  if (!isOpen) return held ? open.filter((one) => one !== held) : open;
  if (!isNewer(row, held)) return open;
  if (held) return open.map((one) => (one === held ? row : one));
  return [row, ...open];
}

/** A list of what is over, latest first, after `row` was announced. */
function keepPast<Row extends Versioned>(past: readonly Row[], row: Row, limit: number): readonly Row[] {
  const held = past.find(({ id }) => id === row.id);
  if (!isNewer(row, held)) return past;
  if (held) return past.map((one) => (one === held ? row : one));
  return [row, ...past].slice(0, limit);
}

/** Open positions, newest first, after `row` was announced. The same array when nothing changed. */
export const applyToOpen = (open: readonly Position[], row: Position): readonly Position[] =>
  keepOpen(open, row, row.status === 'open');

/** Closed positions, latest closing first, after `row` was announced. The same array when nothing changed. */
export const applyToClosed = (closed: readonly Position[], row: Position): readonly Position[] =>
  row.status === 'closed' ? keepPast(closed, row, closedListLimit) : closed;

/** Orders that wait, newest first, after `row` was announced. The same array when nothing changed. */
export const applyToOpenOrders = (open: readonly Order[], row: Order): readonly Order[] =>
  keepOpen(open, row, row.status === 'NEW');

/** Final orders, latest outcome first, after `row` was announced. The same array when nothing changed. */
export const applyToPastOrders = (past: readonly Order[], row: Order): readonly Order[] =>
  row.status === 'NEW' ? past : keepPast(past, row, pastOrdersLimit);

/** Notifications, newest first, after `row` was announced. One that was read stays read. */
export function applyToNotifications(
  held: readonly Notification[],
  row: Notification,
): readonly Notification[] {
  const known = held.find(({ id }) => id === row.id);
  if (!known) return [row, ...held].slice(0, notificationsLimit);
  if (known.readAt !== null || row.readAt === null) return held;
  return held.map((one) => (one === known ? row : one));
}
