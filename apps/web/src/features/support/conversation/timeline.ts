/**
 * The loaded part of a conversation and how rows are added to it. Pure: rows arrive in any order, twice, late and
 * with gaps. Invariant: `messages` covers a range of `seq` without gaps or duplicates. Rows beyond a gap wait in
 * `ahead` until it is filled. The session is never replaced by an older version. Limit: `aheadMax` rows wait; further
 * ones are read from the server later.
 */
import type { ChatMessage, ChatSession } from './types.ts';

export interface Timeline {
  readonly session: ChatSession | null;
  readonly messages: readonly ChatMessage[];
  readonly ahead: ReadonlyMap<number, ChatMessage>;
  /** A first page has been read: only then the list's start is known. */
  readonly isOpened: boolean;
}

/** One answer of `get_chat_updates`. */
export interface Page {
  readonly session: ChatSession;
  readonly messages: readonly ChatMessage[];
  readonly has_more: boolean;
}

const aheadMax = 500;
export const emptyTimeline: Timeline = { session: null, messages: [], ahead: new Map(), isOpened: false };

/** The `seq` up to which all messages are loaded; 0 without a message. */
export const getLastSeq = ({ messages }: Timeline): number => messages.at(-1)?.seq ?? 0;

export const hasEarlier = ({ messages }: Timeline): boolean => (messages[0]?.seq ?? 1) > 1;

/** Whether a known message is not loaded: the server must be read. */
export const hasGap = (timeline: Timeline): boolean =>
  timeline.isOpened && (timeline.ahead.size > 0 || (timeline.session?.last_seq ?? 0) > getLastSeq(timeline));

export function withSession(timeline: Timeline, session: ChatSession): Timeline {
  const current = timeline.session;
  if (current !== null && session.version <= current.version) return timeline;
  return { ...timeline, session };
}

/** Only a message's read time changes, and it never goes back. */
const pickNewer = (current: ChatMessage, row: ChatMessage): ChatMessage =>
  current.read_at === null && row.read_at !== null ? { ...current, read_at: row.read_at } : current;

function withUpdated(timeline: Timeline, row: ChatMessage): Timeline {
  const { messages } = timeline;
  const at = row.seq - (messages[0]?.seq ?? 0);
  const current = messages[at];
  if (current === undefined) return timeline;
  const next = pickNewer(current, row);
  return next === current ? timeline : { ...timeline, messages: messages.with(at, next) };
}

/** Moves the waiting rows that now follow without a gap. */
function drainAhead(timeline: Timeline): Timeline {
  const messages = [...timeline.messages];
  const ahead = new Map(timeline.ahead);
  let last = getLastSeq(timeline);
  for (let next = ahead.get(last + 1); next !== undefined; next = ahead.get(last + 1)) {
    messages.push(next);
    last = next.seq;
  }
  for (const seq of ahead.keys()) if (seq <= last) ahead.delete(seq);
  return { ...timeline, messages, ahead };
}

function withAhead(timeline: Timeline, row: ChatMessage): Timeline {
  const waiting = timeline.ahead.get(row.seq);
  if (waiting === undefined && timeline.ahead.size >= aheadMax) return timeline;
  const ahead = new Map(timeline.ahead);
  ahead.set(row.seq, waiting === undefined ? row : pickNewer(waiting, row));
  return { ...timeline, ahead };
}

/** Adds a row from a broadcast or from the answer to a send. */
export function withMessage(timeline: Timeline, row: ChatMessage): Timeline {
  if (!timeline.isOpened) return withAhead(timeline, row);
  const last = getLastSeq(timeline);
  if (row.seq <= last) return withUpdated(timeline, row);
  const next = withAhead(timeline, row);
  return row.seq === last + 1 ? drainAhead(next) : next;
}

/** Adds the latest page at opening, and the rows that were broadcast meanwhile. */
export function withFirstPage(timeline: Timeline, page: Page): Timeline {
  const messages = page.messages.map((row) => {
    const announced = timeline.ahead.get(row.seq);
    return announced === undefined ? row : pickNewer(row, announced);
  });
  return drainAhead(withSession({ ...timeline, messages, isOpened: true }, page.session));
}

/** Adds the page of messages after the `seq` of `after`. */
export function withNextPage(timeline: Timeline, after: number, page: Page): Timeline {
  const withState = withSession(timeline, page.session);
  // A page after a position that is not loaded any more could leave a gap, so it is dropped.
  if (after > getLastSeq(withState)) return withState;
  return page.messages.reduce(withMessage, withState);
}

/** Adds the page of messages before the first loaded one. */
export function withEarlierPage(timeline: Timeline, page: Page): Timeline {
  const first = timeline.messages[0];
  const withState = withSession(timeline, page.session);
  if (first === undefined || page.messages.at(-1)?.seq !== first.seq - 1) return withState;
  return { ...withState, messages: [...page.messages, ...withState.messages] };
}
