/**
 * The rating of an agent after a conversation is closed. One tap stores it; another tap, or a comment, replaces it.
 * It shows a rating as stored only after the server accepted it.
 */
import Star from 'lucide-react/icons/star';
import X from 'lucide-react/icons/x';
import { type FormEvent, useId, useRef, useState } from 'react';
import { log as appLog } from '../../../shared/log/log.ts';
import { useSupabase } from '../../../shared/supabase/context.ts';
import { getErrorMessage, unwrap } from '../../../shared/supabase/index.ts';
import { Button, IconButton } from '../../../shared/ui/index.ts';
import type { ChatSession } from '../conversation/index.ts';

const log = appLog.of('chat');
const scoreLabels = ['Poor', 'Fair', 'Okay', 'Good', 'Great'] as const;
const commentMax = 500;
const rateFailed = 'Failed to save your rating. Please try again.';

interface RatingCardProps {
  readonly session: ChatSession;
  /** The agent who answered last; null when no name is known. */
  readonly agent: string | null;
  readonly onDismiss: () => void;
}

export function RatingCard({ session, agent, onDismiss }: RatingCardProps) {
  const supabase = useSupabase();
  const id = useId();
  const [score, setScore] = useState(session.rating ?? 0);
  const [comment, setComment] = useState(session.rating_comment ?? '');
  const [savedText, setSavedText] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [pending, setPending] = useState(false);
  /** Requests run one after the other, so that the last tap wins. */
  const lastAttempt = useRef<Promise<unknown>>(Promise.resolve());

  const rate = (chosen: number) => {
    setScore(chosen);
    setError(null);
    setPending(true);
    const text = comment.trim();
    const rating = { p_session_id: session.id, p_score: chosen, p_comment: text === '' ? null : text };
    const request = lastAttempt.current.then(() => unwrap(supabase.rest.rpc('rate_chat_session', rating)));
    const attempt = request
      .then(() => setSavedText('Saved, thank you.'))
      .catch((cause: unknown) => {
        log.warn('A rating could not be saved', cause);
        setSavedText('');
        setError(getErrorMessage(cause, rateFailed));
      })
      .finally(() => {
        if (lastAttempt.current === attempt) setPending(false);
      });
    lastAttempt.current = attempt;
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (score > 0 && !pending) rate(score);
  };
  const label = scoreLabels[score - 1];

  return (
    <section
      aria-labelledby={`${id}-title`}
      className="relative mx-auto mt-3 mb-2 w-full max-w-[420px] rounded-panel border border-line bg-surface p-4"
    >
      <h2 id={`${id}-title`} className="pr-9 text-14 font-semibold">
        {agent === null ? 'How did we do?' : `How did ${agent} do?`}
      </h2>
      <p className="text-12 text-text-2">One tap, seen by the support team</p>
      <IconButton
        label="Dismiss the rating"
        onClick={onDismiss}
        className="!absolute top-2 right-2 max-md:top-1 max-md:right-1"
      >
        <X size={16} aria-hidden="true" />
      </IconButton>
      <fieldset className="mt-2">
        <legend className="sr-only">Rating</legend>
        <div className="flex justify-between">
          {scoreLabels.map((name, at) => {
            const value = at + 1;
            return (
              <label
                key={name}
                className="grid size-12 place-items-center rounded-control hover:bg-raised has-focus-visible:outline-2 has-focus-visible:outline-accent"
              >
                <input
                  type="radio"
                  name={`${id}-score`}
                  value={value}
                  checked={score === value}
                  onChange={() => rate(value)}
                  className="sr-only"
                />
                <span className="sr-only">
                  {name}, {value} of 5
                </span>
                <Star
                  size={24}
                  strokeWidth={1.75}
                  aria-hidden="true"
                  className={value <= score ? 'fill-accent text-accent' : 'text-text-3'}
                />
              </label>
            );
          })}
        </div>
      </fieldset>
      <div className="grid h-5 grid-cols-3 text-12 text-text-3">
        <span aria-hidden="true">Poor</span>
        <span aria-hidden="true" className="text-center font-semibold whitespace-nowrap text-accent">
          {label ? `${label}, ${score} of 5` : ''}
        </span>
        <span aria-hidden="true" className="text-right">
          Great
        </span>
      </div>
      <form onSubmit={onSubmit} className="mt-3 flex gap-2">
        <input
          aria-label="Comment, optional"
          placeholder="Add a comment, optional"
          maxLength={commentMax}
          value={comment}
          onChange={(event) => setComment(event.target.value)}
          className="control h-9 min-w-0 grow px-3 text-13 max-md:h-11 max-md:text-16"
        />
        {comment.trim() === '' ? null : (
          <Button type="submit" muted={score === 0} pending={pending} aria-describedby={`${id}-state`}>
            Save
          </Button>
        )}
      </form>
      <p
        id={`${id}-state`}
        role="status"
        className={`min-h-5 pt-1 text-12 ${error ? 'text-down' : 'text-text-2'}`}
      >
        {error ?? (score === 0 && comment.trim() !== '' ? 'Choose the stars first.' : savedText)}
      </p>
    </section>
  );
}
