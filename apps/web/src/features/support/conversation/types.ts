/** The types of a conversation, for its protocol and its screens. */
import type { Row } from '@fulcrum/contract/database';

export type ChatSession = Row<'chat_sessions'>;
export type ChatMessage = Row<'chat_messages'>;

/**
 * A message from this page that the server has not confirmed. It survives a reload; the order is the sending order.
 */
export interface Outgoing {
  readonly clientId: string;
  readonly content: string;
  readonly hasPicture: boolean;
  readonly writtenAt: string;
  /** `waiting`: behind one that failed. */
  readonly state: 'pending' | 'failed' | 'waiting';
  /** The error to show for a failed message. */
  readonly error: string | null;
}

export interface Conversation {
  readonly status: 'loading' | 'ready' | 'failed';
  /** The specification's text after a failed read. */
  readonly error: string | null;
  readonly session: ChatSession | null;
  /** By `seq`, without a gap. */
  readonly messages: readonly ChatMessage[];
  readonly outgoing: readonly Outgoing[];
  /** The queue is full and accepts no more messages; the text stays in the field. */
  readonly isFull: boolean;
  readonly hasEarlier: boolean;
  readonly loadEarlier: () => void;
  readonly isLoadingEarlier: boolean;
  /** The channel is joined and all missed messages have been read. */
  readonly isLive: boolean;
  /** It no longer exists: an empty conversation is replaced by the next (A65). */
  readonly isGone: boolean;
  /** Whether the other side has the conversation open, and is typing. */
  readonly otherIsHere: boolean;
  readonly otherIsTyping: boolean;
  /** Trims the text; a blank text does nothing. `attachmentId` is the stored version of a picture. */
  readonly send: (content: string, attachmentId: string | null) => void;
  readonly retry: (clientId: string) => void;
  readonly discard: (clientId: string) => void;
  /** Call it with each keystroke. */
  readonly typed: () => void;
  /** Reports that this side has the message of that `seq` in view. */
  readonly seen: (seq: number) => void;
  readonly reload: () => void;
  /** The storage key of the draft; null where writing is not possible. */
  readonly draftKey: string | null;
  /** The conversation that continues this closed one (A66). */
  readonly continuedIn: string | null;
}
