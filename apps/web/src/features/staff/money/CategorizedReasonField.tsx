/** A reason field: chips for the category and a required text. */
import { useId } from 'react';
import { type Reason, reasonTextMax } from './reasons.ts';

interface CategorizedReasonFieldProps<Kind extends string> {
  readonly kinds: readonly Kind[];
  readonly reason: Reason<Kind>;
  readonly onChange: (reason: Reason<Kind>) => void;
  readonly placeholder: string;
  readonly error: string | null;
  /** States who sees the reason. */
  readonly hint: string;
}

export function CategorizedReasonField<Kind extends string>({
  kinds,
  reason,
  onChange,
  placeholder,
  error,
  hint,
}: CategorizedReasonFieldProps<Kind>) {
  const id = useId();
  const textMax = reasonTextMax(reason.kind);
  const left = textMax - reason.text.trim().length;
  const message = left < 0 ? `${-left} ${left === -1 ? 'character' : 'characters'} too many.` : error;
  return (
    <div className="flex flex-col gap-2">
      <label htmlFor={id} className="text-13 font-semibold">
        Reason
      </label>
      <div role="radiogroup" aria-label="Reason category" className="flex flex-wrap gap-1.5">
        {kinds.map((kind) => (
          <label
            key={kind}
            className={`relative inline-flex h-7 items-center rounded-control border px-2.5 text-12 font-medium transition-colors max-md:h-11 max-md:px-3.5 ${
              kind === reason.kind
                ? 'border-accent bg-accent-weak text-text'
                : 'border-line-control text-text-2 hover:border-text-3 hover:text-text'
            }`}
          >
            {kind}
            <input
              type="radio"
              name={`${id}-kind`}
              checked={kind === reason.kind}
              onChange={() => onChange({ ...reason, kind })}
              onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
              className="absolute inset-0 m-0 cursor-pointer appearance-none rounded-control"
            />
          </label>
        ))}
      </div>
      <div
        className="control flex flex-col focus-within:border-accent"
        aria-invalid={message !== null || undefined}
      >
        <textarea
          id={id}
          rows={2}
          value={reason.text}
          placeholder={placeholder}
          aria-required="true"
          aria-invalid={message !== null || undefined}
          aria-describedby={`${message === null ? '' : `${id}-error `}${id}-hint`}
          onChange={(event) => onChange({ ...reason, text: event.target.value })}
          className="min-h-14 w-full resize-none bg-transparent px-3 pt-2 text-13 outline-none max-md:text-16"
        />
        <span aria-hidden="true" className="figures self-end px-3 pb-1.5 text-11 text-text-3">
          {left < 0 ? '' : `${left} left`}
        </span>
      </div>
      {message === null ? null : (
        <p id={`${id}-error`} className="text-12 text-down">
          {message}
        </p>
      )}
      <p id={`${id}-hint`} className="text-12 text-text-3">
        {hint}
      </p>
    </div>
  );
}
