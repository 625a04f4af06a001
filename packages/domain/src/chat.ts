/**
 * What a message to or from support may be: its limits, and how what was typed becomes a message (CHAT-07, CHAT-08):
 * trimmed, its lines ended in one way, without control characters. Lengths are in characters (code points), as PostgreSQL counts them.
 */
import { isBlank } from './journal.ts';

export const chatLimits = {
  messageChars: 4_000,
  /** Messages of one person within `paceMs`. */
  paceMessages: 10,
  paceMs: 10_000,
  clientIdChars: 64,
  /** How long a rating can be changed. */
  ratingMs: 24 * 60 * 60_000,
} as const;

export type ParsedMessage =
  | { readonly kind: 'message'; readonly content: string }
  | { readonly kind: 'refused'; readonly fault: 'blank' | 'too long' };

/** Characters as somebody who types counts them. */
export const messageChars = (content: string): number => {
  let chars = 0;
  for (const _ of content) chars += 1;
  return chars;
};

/** Those that no reader sees. */
const controls = /(?![\t\n])\p{Cc}/gu;

/** The message of what was typed, or why it is none. */
export function parseMessage(typed: string): ParsedMessage {
  const content = typed.replaceAll(/\r\n?/g, '\n').replaceAll(controls, '').trim();
  if (isBlank(content)) return { kind: 'refused', fault: 'blank' };
  if (messageChars(content) > chatLimits.messageChars) return { kind: 'refused', fault: 'too long' };
  return { kind: 'message', content };
}
