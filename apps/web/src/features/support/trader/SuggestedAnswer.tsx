/**
 * A passage of the help that may answer the trader's last message, while no agent has written yet. It is no message and no row: it goes
 * when support answers, and no one else sees it.
 */

import X from 'lucide-react/icons/x';
import { useState } from 'react';
import { Link } from 'react-router';
import { Badge, IconButton } from '../../../shared/ui/index.ts';
import { type ChatMessage, useSuggestedAnswer } from '../conversation/index.ts';

/** The last message of a trader whom no agent has answered; null otherwise. */
export function findUnanswered(messages: readonly ChatMessage[]): ChatMessage | null {
  const last = messages.at(-1);
  if (last === undefined || messages.some(({ sender_role: role }) => role !== 'trader')) return null;
  return last.content.trim() === '' ? null : last;
}

export function SuggestedAnswer({ message }: { readonly message: ChatMessage }) {
  const [dismissed, setDismissed] = useState<string | null>(null);
  const passage = useSuggestedAnswer(message);
  if (passage === null || dismissed === passage.id) return null;
  return (
    <section
      aria-label="Suggested answer"
      className="relative mb-2 max-h-48 overflow-y-auto rounded-panel border border-line bg-inset p-3 pr-12"
    >
      <p className="flex flex-wrap items-center gap-2 text-13 font-semibold">
        <Badge>Suggestion</Badge>
        {passage.title}
      </p>
      <p className="mt-1 text-13 text-text-2">{passage.text}</p>
      <p className="mt-1 text-12 text-text-3">
        {'From the help, not from support. '}
        {passage.path === null || passage.path === '/chat' ? null : (
          <>
            <Link to={passage.path} className="text-accent hover:underline">
              Open the page
            </Link>
            {'. '}
          </>
        )}
        An agent reads your message all the same.
      </p>
      <IconButton
        label="Dismiss the suggestion"
        onClick={() => setDismissed(passage.id)}
        className="!absolute top-1 right-1"
      >
        <X size={16} aria-hidden="true" />
      </IconButton>
    </section>
  );
}
