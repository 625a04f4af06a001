/** A labelled native select. */
import ChevronDown from 'lucide-react/icons/chevron-down';
import type { ComponentProps } from 'react';
import { Field } from '../ui/index.ts';

interface SelectFieldProps extends Omit<ComponentProps<'select'>, 'className' | 'id' | 'onChange'> {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
  readonly onChange: (value: string) => void;
}

export function SelectField({ label, hint, error, onChange, children, ...rest }: SelectFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(fieldProps) => (
        <div className="relative">
          <select
            {...rest}
            {...fieldProps}
            onChange={(event) => onChange(event.target.value)}
            className="control h-11 w-full appearance-none pr-10 pl-3.5 text-14 max-md:text-16 pointer-coarse:text-16"
          >
            {children}
          </select>
          <ChevronDown
            size={16}
            aria-hidden="true"
            className="pointer-events-none absolute inset-y-0 right-3.5 my-auto text-text-2"
          />
        </div>
      )}
    </Field>
  );
}
