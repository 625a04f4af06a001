/** A checkbox of a form or a filter, with its label at the right; for an option that applies at once see `Switch`. */
import Check from 'lucide-react/icons/check';
import { type ReactNode, useId } from 'react';

interface CheckboxProps {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly children: ReactNode;
}

export function Checkbox({ checked, onChange, children }: CheckboxProps) {
  const id = useId();
  return (
    <span className="inline-flex min-h-6 items-center gap-2 max-lg:min-h-11">
      <span className="relative grid size-4 shrink-0 place-items-center">
        <input
          id={id}
          type="checkbox"
          checked={checked}
          onChange={(event) => onChange(event.target.checked)}
          className="peer absolute inset-0 size-4 cursor-pointer appearance-none rounded-[4px] border border-line-control bg-inset checked:border-accent checked:bg-accent"
        />
        <Check
          size={12}
          strokeWidth={3}
          aria-hidden="true"
          className="pointer-events-none relative hidden text-on-fill peer-checked:block"
        />
      </span>
      <label htmlFor={id} className="flex cursor-pointer items-center self-stretch text-12 text-text-2">
        {children}
      </label>
    </span>
  );
}
