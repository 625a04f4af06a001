/**
 * What is held of a conversation and how it grows. Pure: rows come in any order, twice, late and with gaps between them.
 * Invariant: `messages` runs from one `seq` to a later one without a hole and none twice; what lies beyond a gap waits in
 * `ahead` until the gap is filled; the session never goes back to an older version. Limit: `aheadMax` rows wait, and what is
 * beyond them is read from the server in its turn.
 */
import type { ChatMessage, ChatSession } from './terms.ts';

export interface Timeline {
  readonly session: ChatSession | null;
  readonly messages: readonly ChatMessage[];
  readonly ahead: ReadonlyMap<number, ChatMessage>;
  /** A first page has been read: only then it is known where the list begins. */
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

/** The `seq` up to which everything is there; 0 without a message. */
export const lastSeqOf = ({ messages }: Timeline): number => messages.at(-1)?.seq ?? 0;

export const hasEarlier = ({ messages }: Timeline): boolean => (messages[0]?.seq ?? 1) > 1;

/** Something is known of that has not been read: the server has to be asked. */
export const hasGap = (timeline: Timeline): boolean =>
  timeline.isOpened && (timeline.ahead.size > 0 || (timeline.session?.last_seq ?? 0) > lastSeqOf(timeline));

export function withSession(timeline: Timeline, session: ChatSession): Timeline {
  const held = timeline.session;
  if (held !== null && session.version <= held.version) return timeline;
  return { ...timeline, session };
}

/** A message is never changed but for when it was read, and that never goes back. */
const newer = (held: ChatMessage, row: ChatMessage): ChatMessage =>
  held.read_at === null && row.read_at !== null ? { ...held, read_at: row.read_at } : held;

function withHeldAgain(timeline: Timeline, row: ChatMessage): Timeline {
  const { messages } = timeline;
  const at = row.seq - (messages[0]?.seq ?? 0);
  const held = messages[at];
  if (held === undefined) return timeline;
  const next = newer(held, row);
  return next === held ? timeline : { ...timeline, messages: messages.with(at, next) };
}

/** Takes what waits as far as it now follows on. */
function drained(timeline: Timeline): Timeline {
  const messages = [...timeline.messages];
  const ahead = new Map(timeline.ahead);
  let last = lastSeqOf(timeline);
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
  ahead.set(row.seq, waiting === undefined ? row : newer(waiting, row));
  return { ...timeline, ahead };
}

/** A row that was announced, or came as the answer to a send. */
export function withMessage(timeline: Timeline, row: ChatMessage): Timeline {
  if (!timeline.isOpened) return withAhead(timeline, row);
  const last = lastSeqOf(timeline);
  if (row.seq <= last) return withHeldAgain(timeline, row);
  const next = withAhead(timeline, row);
  return row.seq === last + 1 ? drained(next) : next;
}

/** The latest messages there were when it was opened, and on top of them what was announced meanwhile. */
export function opened(timeline: Timeline, page: Page): Timeline {
  const messages = page.messages.map((row) => {
    const announced = timeline.ahead.get(row.seq);
    return announced === undefined ? row : newer(row, announced);
  });
  return drained(withSession({ ...timeline, messages, isOpened: true }, page.session));
}

/** A page of messages that were asked for after the `seq` of `after`. */
export function continued(timeline: Timeline, after: number, page: Page): Timeline {
  const withState = withSession(timeline, page.session);
  // What was asked for after an older place than is held now brings nothing that would leave a hole.
  if (after > lastSeqOf(withState)) return withState;
  return page.messages.reduce(withMessage, withState);
}

/** A page of messages before the first one held. */
export function preceded(timeline: Timeline, page: Page): Timeline {
  const first = timeline.messages[0];
  const withState = withSession(timeline, page.session);
  if (first === undefined || page.messages.at(-1)?.seq !== first.seq - 1) return withState;
  return { ...withState, messages: [...page.messages, ...withState.messages] };
}
