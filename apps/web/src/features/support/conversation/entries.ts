/**
 * What stands in the log, line by line: messages with the day they begin, where a group ends, and what else stands between
 * them. Pure. A group is what one person wrote within five minutes on one day without anything between.
 */
import type { ChatMessage, ChatSession, Outgoing, Side } from './terms.ts';

export type Entry<Insert> =
  | { readonly kind: 'day'; readonly key: string; readonly iso: string }
  | {
      readonly kind: 'message';
      readonly key: string;
      readonly message: ChatMessage;
      readonly isOwnSide: boolean;
      readonly isFirst: boolean;
      /** Its time and state stand beneath it. */
      readonly isLast: boolean;
    }
  | { readonly kind: 'insert'; readonly key: string; readonly insert: Insert }
  | {
      readonly kind: 'outgoing';
      readonly key: string;
      readonly outgoing: Outgoing;
      readonly isFirst: boolean;
    };

interface Placed {
  readonly key: string;
  readonly afterSeq: number;
}

const groupMs = 5 * 60_000;
const dayOf = (iso: string): string => new Date(iso).toDateString();

const isSameGroup = (one: ChatMessage, next: ChatMessage): boolean =>
  one.sender_role === next.sender_role &&
  one.sender_id === next.sender_id &&
  dayOf(one.created_at) === dayOf(next.created_at) &&
  Date.parse(next.created_at) - Date.parse(one.created_at) < groupMs;

/** A message keeps its key from when it is written: what waits and what arrived is one bubble. */
const keyOf = ({ client_id, id, seq }: ChatMessage): string => client_id ?? id ?? String(seq);

export function entriesOf<Insert extends Placed>(
  side: Side,
  messages: readonly ChatMessage[],
  outgoing: readonly Outgoing[],
  inserts: readonly Insert[],
  /** When what stands above was written; its day is not said again. */
  afterIso: string | null = null,
): readonly Entry<Insert>[] {
  const entries: Entry<Insert>[] = [];
  const firstSeq = messages[0]?.seq ?? 0;
  // What stands after a message that is not read yet comes with it.
  const placed = inserts
    .filter(({ afterSeq }) => afterSeq >= firstSeq - 1)
    .toSorted((one, other) => one.afterSeq - other.afterSeq);
  let next = 0;
  const insertUpTo = (seq: number) => {
    for (let insert = placed[next]; insert && insert.afterSeq <= seq; insert = placed[next]) {
      entries.push({ kind: 'insert', key: insert.key, insert });
      next += 1;
    }
  };
  insertUpTo(firstSeq - 1);
  messages.forEach((message, at) => {
    const before = messages[at - 1];
    const after = messages[at + 1];
    const isBroken = (placed[next]?.afterSeq ?? Number.POSITIVE_INFINITY) <= message.seq;
    const aboveIso = before?.created_at ?? afterIso;
    if (aboveIso === null || dayOf(aboveIso) !== dayOf(message.created_at)) {
      entries.push({ kind: 'day', key: `day-${message.seq}`, iso: message.created_at });
    }
    entries.push({
      kind: 'message',
      key: keyOf(message),
      message,
      isOwnSide: message.sender_role === side,
      isFirst: entries.at(-1)?.kind !== 'message' || before === undefined || !isSameGroup(before, message),
      isLast: isBroken || after === undefined || !isSameGroup(message, after),
    });
    insertUpTo(message.seq);
  });
  insertUpTo(Number.POSITIVE_INFINITY);
  outgoing.forEach((item, at) => {
    entries.push({ kind: 'outgoing', key: item.clientId, outgoing: item, isFirst: at === 0 });
  });
  return entries;
}

/** Whether the other side has seen it: its own mark, or how far that side has seen the conversation. */
export function isReadByOther(message: ChatMessage, session: ChatSession | null): boolean {
  if (message.sender_role === 'trader') {
    return message.read_at !== null || (session?.support_seen_seq ?? 0) >= message.seq;
  }
  // Agents' messages are stored as read (CHAT-12): only the trader's own mark tells.
  return (session?.trader_seen_seq ?? 0) >= message.seq;
}

/** `Today`, `Yesterday`, else null. */
export function nearDay(iso: string, nowMs: number): 'Today' | 'Yesterday' | null {
  const day = dayOf(iso);
  if (day === new Date(nowMs).toDateString()) return 'Today';
  const before = new Date(nowMs);
  before.setDate(before.getDate() - 1);
  return day === before.toDateString() ? 'Yesterday' : null;
}
