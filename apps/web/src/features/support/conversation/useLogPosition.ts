/**
 * Where the log stands. At its end it stays at its end, whatever grows; elsewhere what is looked at stays where it is, also
 * when earlier messages come in above it.
 */
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { ChatMessage, Conversation, Side } from './terms.ts';

/** So near to the end it counts as there. */
const slackPx = 48;
const earlierWithinPx = 120;

/** The last message whose bubble has come into view. */
function lastSeqInView(box: HTMLElement, sessionId: string): number {
  const bottom = box.getBoundingClientRect().bottom;
  // Beside it another conversation may stand, with numbers of its own.
  const shown = box.querySelectorAll<HTMLElement>(`[data-session="${sessionId}"]`);
  for (let at = shown.length - 1; at >= 0; at -= 1) {
    const one = shown[at];
    if (one !== undefined && one.getBoundingClientRect().top + 16 < bottom) return Number(one.dataset.seq);
  }
  return 0;
}

export function useLogPosition(conversation: Conversation, side: Side) {
  const { messages, outgoing, status, hasEarlier, loadEarlier } = conversation;
  const sessionId = conversation.session?.id ?? null;
  const box = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef<boolean>(true);
  const height = useRef(0);
  const top = useRef(0);
  const first = useRef(0);
  const lastOutgoing = useRef<string | null>(null);
  const [isScrolled, setScrolled] = useState(false);
  const [lastInView, setLastInView] = useState(0);
  /** The last message when somebody left the end; null at the end. */
  const [leftAt, setLeftAt] = useState<number | null>(null);
  /** What the last reading brought; what came before the first one is history. */
  const [heardUpTo, setHeardUpTo] = useState<number | null>(null);
  const [arrived, setArrived] = useState<ChatMessage | null>(null);
  const lastSeq = messages.at(-1)?.seq ?? 0;

  const look = useCallback(() => {
    const element = box.current;
    if (element === null) return;
    isAtEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < slackPx;
    top.current = element.scrollTop;
    height.current = element.scrollHeight;
    setScrolled(element.scrollTop > 0);
    setLastInView(sessionId === null ? 0 : lastSeqInView(element, sessionId));
  }, [sessionId]);

  const toEnd = useCallback(() => {
    const element = box.current;
    if (element === null) return;
    element.scrollTop = element.scrollHeight;
    look();
    setLeftAt(null);
    element.focus({ preventScroll: true });
  }, [look]);

  const onScroll = () => {
    look();
    if (isAtEnd.current) setLeftAt(null);
    else setLeftAt((seq) => seq ?? lastSeq);
    if (hasEarlier && top.current < earlierWithinPx) loadEarlier();
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever changes what is shown moves the end
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const written = outgoing.at(-1)?.clientId ?? null;
    const hasWritten = written !== null && written !== lastOutgoing.current;
    const firstSeq = messages[0]?.seq ?? 0;
    const hasEarlierCome = first.current > 0 && firstSeq < first.current;
    // At the very top the browser keeps no place, and some browsers never do.
    const keepsPlace = top.current >= 1 && CSS.supports('overflow-anchor', 'auto');
    if (hasWritten || isAtEnd.current) element.scrollTop = element.scrollHeight;
    else if (hasEarlierCome && !keepsPlace) {
      element.scrollTop = top.current + element.scrollHeight - height.current;
    }
    lastOutgoing.current = written;
    first.current = firstSeq;
    if (hasWritten) setLeftAt(null);
    look();
  }, [messages, outgoing, status, look]);

  // The keyboard of a phone, a composer that grows, what stands beneath the messages.
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => {
      if (isAtEnd.current) element.scrollTop = element.scrollHeight;
      look();
    });
    observer.observe(element);
    const [content] = element.children;
    if (content) observer.observe(content);
    return () => observer.disconnect();
  }, [look]);

  useEffect(() => {
    if (status !== 'ready') return;
    if (heardUpTo !== null && lastSeq > heardUpTo) {
      const news = messages.findLast((one) => one.seq > heardUpTo && one.sender_role !== side);
      if (news) setArrived(news);
    }
    setHeardUpTo(lastSeq);
  }, [status, messages, lastSeq, heardUpTo, side]);

  const newCount =
    leftAt === null ? 0 : messages.filter((one) => one.seq > leftAt && one.sender_role !== side).length;
  return { box, onScroll, toEnd, isScrolled, lastInView, newCount, arrived };
}
