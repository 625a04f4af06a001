/** The messages of a conversation, `role="log"`. */
import type { ReactNode } from 'react';
import type { Conversation, Side } from './index.ts';

/** Something that stands between two messages, such as an internal note or a close. */
export interface Insert {
  readonly key: string;
  /** It stands after the message of that `seq`. */
  readonly afterSeq: number;
  readonly node: ReactNode;
}

export interface LogProps {
  readonly conversation: Conversation;
  /** Who looks. */
  readonly side: Side;
  readonly inserts?: readonly Insert[];
}

export function Log({ conversation }: LogProps) {
  return <div role="log">{conversation.messages.length}</div>;
}
