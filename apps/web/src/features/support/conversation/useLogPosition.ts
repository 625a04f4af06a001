/**
 * The scroll position of the log. At its end it stays at the end, whatever is added. Elsewhere the visible messages
 * do not move, also when earlier messages load above them.
 */
import type { ChatSide } from '@fulcrum/contract/roles';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { ChatMessage, Conversation } from './types.ts';

/** Within this distance the log counts as at its end. */
const slackPx = 48;
const earlierWithinPx = 120;

/** The last message whose bubble has come into view. */
function lastSeqInView(box: HTMLElement, sessionId: string): number {
  const bottom = box.getBoundingClientRect().bottom;
  // The previous conversation may be in the same log, with its own numbers.
  const shown = box.querySelectorAll<HTMLElement>(`[data-session="${sessionId}"]`);
  for (let at = shown.length - 1; at >= 0; at -= 1) {
    const one = shown[at];
    if (one !== undefined && one.getBoundingClientRect().top + 16 < bottom) return Number(one.dataset.seq);
  }
  return 0;
}

/** `foundSeq`: the message to open at; earlier pages are loaded until it is there. */
export function useLogPosition(conversation: Conversation, side: ChatSide, foundSeq: number | null = null) {
  const { messages, outgoing, status, hasEarlier, loadEarlier } = conversation;
  const sessionId = conversation.session?.id ?? null;
  const box = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef<boolean>(true);
  const height = useRef(0);
  const top = useRef(0);
  const first = useRef(0);
  const lastOutgoing = useRef<string | null>(null);
  const reached = useRef<string | null>(null);
  const [isScrolled, setScrolled] = useState(false);
  const [lastInView, setLastInView] = useState(0);
  /** The last message when the user left the end; null at the end. */
  const [leftAt, setLeftAt] = useState<number | null>(null);
  /** The last announced message; messages before the first read are history. */
  const [announcedUpTo, setAnnouncedUpTo] = useState<number | null>(null);
  const [arrived, setArrived] = useState<ChatMessage | null>(null);
  const lastSeq = messages.at(-1)?.seq ?? 0;

  const measure = useCallback(() => {
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
    measure();
    setLeftAt(null);
    element.focus({ preventScroll: true });
  }, [measure]);

  const onScroll = () => {
    measure();
    if (isAtEnd.current) setLeftAt(null);
    else setLeftAt((seq) => seq ?? lastSeq);
    if (hasEarlier && top.current < earlierWithinPx) loadEarlier();
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: any change of the content moves the end
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const written = outgoing.at(-1)?.clientId ?? null;
    const hasWritten = written !== null && written !== lastOutgoing.current;
    const firstSeq = messages[0]?.seq ?? 0;
    const hasEarlierCome = first.current > 0 && firstSeq < first.current;
    // At the very top the browser does not anchor the scroll position, and some browsers never do.
    const hasScrollAnchoring = top.current >= 1 && CSS.supports('overflow-anchor', 'auto');
    if (hasWritten || isAtEnd.current) element.scrollTop = element.scrollHeight;
    else if (hasEarlierCome && !hasScrollAnchoring) {
      element.scrollTop = top.current + element.scrollHeight - height.current;
    }
    lastOutgoing.current = written;
    first.current = firstSeq;
    if (hasWritten) setLeftAt(null);
    measure();
  }, [messages, outgoing, status, measure]);

  useEffect(() => {
    const element = box.current;
    const target = foundSeq === null || sessionId === null ? null : `${sessionId} ${foundSeq}`;
    if (element === null || target === null || reached.current === target || status !== 'ready') return;
    const firstSeq = messages[0]?.seq ?? 0;
    if (foundSeq !== null && foundSeq < firstSeq) return loadEarlier();
    reached.current = target;
    element
      .querySelector(`[data-session="${sessionId}"][data-seq="${foundSeq}"]`)
      ?.scrollIntoView({ block: 'center' });
    measure();
  }, [foundSeq, sessionId, status, messages, loadEarlier, measure]);

  // Reacts to a phone's keyboard, a growing composer, and content beneath the messages.
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => {
      if (isAtEnd.current) element.scrollTop = element.scrollHeight;
      measure();
    });
    observer.observe(element);
    const [content] = element.children;
    if (content) observer.observe(content);
    return () => observer.disconnect();
  }, [measure]);

  useEffect(() => {
    if (status !== 'ready') return;
    if (announcedUpTo !== null && lastSeq > announcedUpTo) {
      const newest = messages.findLast((one) => one.seq > announcedUpTo && one.sender_role !== side);
      if (newest) setArrived(newest);
    }
    setAnnouncedUpTo(lastSeq);
  }, [status, messages, lastSeq, announcedUpTo, side]);

  const newCount =
    leftAt === null ? 0 : messages.filter((one) => one.seq > leftAt && one.sender_role !== side).length;
  return { box, onScroll, toEnd, isScrolled, lastInView, newCount, arrived };
}
