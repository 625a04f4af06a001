/**
 * The entries of the log: messages with their day dividers and group ends, and inserts between them. Pure. A group is
 * one author's messages within five minutes on one day, with nothing in between.
 */
import type { ChatSide } from '@fulcrum/contract/roles';
import type { ChatMessage, ChatSession, Outgoing } from './types.ts';

export type Entry<Insert> =
  | { readonly kind: 'day'; readonly key: string; readonly iso: string }
  | {
      readonly kind: 'message';
      readonly key: string;
      readonly message: ChatMessage;
      readonly isOwnSide: boolean;
      readonly isFirst: boolean;
      /** Time and state are shown beneath it. */
      readonly isLast: boolean;
    }
  | { readonly kind: 'insert'; readonly key: string; readonly insert: Insert }
  | {
      readonly kind: 'outgoing';
      readonly key: string;
      readonly outgoing: Outgoing;
      readonly isFirst: boolean;
    };

interface InsertPosition {
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

/** A message has one key from its creation on, so a pending and a delivered message share one bubble. */
const keyOf = ({ client_id, id, seq }: ChatMessage): string => client_id ?? id ?? String(seq);

export function buildEntries<Insert extends InsertPosition>(
  side: ChatSide,
  messages: readonly ChatMessage[],
  outgoing: readonly Outgoing[],
  inserts: readonly Insert[],
  /** When the entry above was written; its day is not repeated. */
  afterIso: string | null = null,
): readonly Entry<Insert>[] {
  const entries: Entry<Insert>[] = [];
  const firstSeq = messages[0]?.seq ?? 0;
  // An insert after a message that is not loaded yet appears with that message.
  const sortedInserts = inserts
    .filter(({ afterSeq }) => afterSeq >= firstSeq - 1)
    .toSorted((one, other) => one.afterSeq - other.afterSeq);
  let next = 0;
  const insertUpTo = (seq: number) => {
    for (let insert = sortedInserts[next]; insert && insert.afterSeq <= seq; insert = sortedInserts[next]) {
      entries.push({ kind: 'insert', key: insert.key, insert });
      next += 1;
    }
  };
  insertUpTo(firstSeq - 1);
  messages.forEach((message, at) => {
    const before = messages[at - 1];
    const after = messages[at + 1];
    const isBroken = (sortedInserts[next]?.afterSeq ?? Number.POSITIVE_INFINITY) <= message.seq;
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

/** Whether the other side has read it: by the message's own mark, or by how far that side has read. */
export function isReadByOther(message: ChatMessage, session: ChatSession | null): boolean {
  if (message.sender_role === 'trader') {
    return message.read_at !== null || (session?.support_seen_seq ?? 0) >= message.seq;
  }
  // Agents' messages are stored as read (CHAT-12), so the trader's own mark decides.
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
