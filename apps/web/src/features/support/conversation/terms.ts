/** The words of a conversation, for its protocol and for its screens. */
import type { Row } from '@fulcrum/contract/database';

export type Side = 'trader' | 'support';
export type ChatSession = Row<'chat_sessions'>;
export type ChatMessage = Row<'chat_messages'>;

/** Written here and not yet confirmed by the server. Kept through a reload, sent in this order. */
export interface Outgoing {
  readonly clientId: string;
  readonly content: string;
  readonly writtenAt: string;
  /** `waiting`: behind one that failed. */
  readonly state: 'pending' | 'failed' | 'waiting';
  /** What to tell of a failed one. */
  readonly error: string | null;
}

export interface Conversation {
  readonly status: 'loading' | 'ready' | 'failed';
  /** The specification's text when it could not be read. */
  readonly error: string | null;
  readonly session: ChatSession | null;
  /** By `seq`, without a gap. */
  readonly messages: readonly ChatMessage[];
  readonly outgoing: readonly Outgoing[];
  /** So many wait that no more are taken: what is typed stays where it is. */
  readonly isFull: boolean;
  readonly hasEarlier: boolean;
  readonly loadEarlier: () => void;
  readonly isLoadingEarlier: boolean;
  /** The channel is joined and everything that was missed has been read. */
  readonly isLive: boolean;
  /** It is no more: an empty one makes room for the next (A65). */
  readonly isGone: boolean;
  /** Whether the other side has the conversation open, and is typing. */
  readonly otherIsHere: boolean;
  readonly otherIsTyping: boolean;
  /** Trims; a blank text does nothing. */
  readonly send: (content: string) => void;
  readonly retry: (clientId: string) => void;
  readonly discard: (clientId: string) => void;
  /** To be called with each keystroke. */
  readonly typed: () => void;
  /** This side has the message of that `seq` in view. */
  readonly seen: (seq: number) => void;
  readonly reload: () => void;
  /** Under which key a text that was not sent yet is kept; null where nothing can be written. */
  readonly draftKey: string | null;
  /** A66: it was closed, and what was written then began that one. */
  readonly continuedIn: string | null;
}
