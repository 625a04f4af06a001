/**
 * The limits of a support message and the parser of typed text (CHAT-07, CHAT-08). The parser trims, normalises line
 * ends and removes control characters. Lengths are in characters (code points), as PostgreSQL counts them.
 */
import { isBlank } from './journal.ts';
import { dayMs } from './time.ts';

export const chatStatuses = ['open', 'closed'] as const;
export type ChatStatus = (typeof chatStatuses)[number];

/** The states of a support agent; the first two are present. */
export const presentSupportStatuses = ['available', 'busy'] as const;
export type PresentSupportStatus = (typeof presentSupportStatuses)[number];
export const supportStatuses = [...presentSupportStatuses, 'offline'] as const;
export type SupportStatus = (typeof supportStatuses)[number];

export const chatLimits = {
  messageChars: 4_000,
  /** Messages of one user within `paceMs`. */
  paceMessages: 10,
  paceMs: 10_000,
  clientIdChars: 64,
  pictureBytes: 10 * 1024 * 1024,
  /** The words of a transfer; the internal note that it becomes has at most 4,000. */
  transferNoteChars: 2_000,
  /** The team's tags, and those of one conversation. */
  tags: 30,
  tagsOfSession: 5,
  /** How far ahead a conversation can be snoozed. */
  snoozeMs: 30 * dayMs,
  /** How long a rating can be changed. */
  ratingMs: dayMs,
} as const;

/** The text of a message that has a picture and nothing else. */
export const pictureText = 'Picture';

type ParsedMessage =
  | { readonly kind: 'message'; readonly content: string }
  | { readonly kind: 'refused'; readonly fault: 'blank' | 'too long' };

/** Length in code points, as a reader counts characters. */
export const messageChars = (content: string): number => {
  let chars = 0;
  for (const _ of content) chars += 1;
  return chars;
};

/** Control characters, which are invisible. */
const controls = /(?![\t\n])\p{Cc}/gu;

/** The message of a typed text, or why there is none. */
export function parseMessage(typed: string): ParsedMessage {
  const content = typed.replaceAll(/\r\n?/g, '\n').replaceAll(controls, '').trim();
  if (isBlank(content)) return { kind: 'refused', fault: 'blank' };
  if (messageChars(content) > chatLimits.messageChars) return { kind: 'refused', fault: 'too long' };
  return { kind: 'message', content };
}
