/** The user's progress: details, pictures, review. */
import Check from 'lucide-react/icons/check';

export interface Step {
  readonly label: string;
  /** The text beneath the label, such as `7 of 9`. */
  readonly detail: string;
  readonly isDone: boolean;
}

export function Steps({ steps }: { readonly steps: readonly Step[] }) {
  const current = steps.findIndex(({ isDone }) => !isDone);
  return (
    <ol aria-label="Steps of the verification" className="grid grid-cols-3 gap-3 max-md:gap-2">
      {steps.map(({ label, detail, isDone }, index) => (
        <li
          key={label}
          aria-current={index === current ? 'step' : undefined}
          className={`group flex min-w-0 flex-col border-t-2 pt-2 ${
            isDone ? 'border-up' : index === current ? 'border-accent' : 'border-line-strong'
          }`}
        >
          <span className="flex items-center gap-1.5 text-13 font-medium text-text-2 group-aria-[current=step]:text-text">
            {isDone ? (
              <Check size={14} aria-hidden="true" className="shrink-0 text-up" />
            ) : (
              <span aria-hidden="true" className="figures">{`${index + 1}.`}</span>
            )}
            <span className="truncate">{label}</span>
            {isDone ? <span className="sr-only"> (done)</span> : null}
          </span>
          <span className="figures text-12 text-text-3">{detail}</span>
        </li>
      ))}
    </ol>
  );
}
