/** A native select of a fixed list of choices, and the same with a label. */
import ChevronDown from 'lucide-react/icons/chevron-down';
import type { ComponentProps } from 'react';
import { Field } from '../ui/Field.tsx';

/** As a `Segmented` has them. */
export interface Option<Value extends string = string> {
  readonly value: Value;
  readonly label: string;
}

interface SelectProps<Value extends string> extends Omit<ComponentProps<'select'>, 'children' | 'onChange'> {
  readonly value?: Value;
  readonly options: readonly Option<Value>[];
  readonly onChange?: (value: Value) => void;
}

export function Select<Value extends string>({ options, onChange, ...rest }: SelectProps<Value>) {
  return (
    <select
      {...rest}
      onChange={({ target }) => {
        const chosen = options.find(({ value }) => value === target.value);
        if (chosen) onChange?.(chosen.value);
      }}
    >
      {options.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  );
}

interface SelectFieldProps<Value extends string> extends Omit<SelectProps<Value>, 'className' | 'id'> {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
}

export function SelectField<Value extends string>({ label, hint, error, ...rest }: SelectFieldProps<Value>) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(fieldProps) => (
        <div className="relative">
          <Select
            {...rest}
            {...fieldProps}
            className="control h-11 w-full appearance-none pr-10 pl-3.5 text-14 max-md:text-16 pointer-coarse:text-16"
          />
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

/** The options of a table of texts, in the order of `values`. */
export const optionsOf = <Value extends string>(
  values: readonly Value[],
  texts: Readonly<Record<Value, string>>,
): Option<Value>[] => values.map((value) => ({ value, label: texts[value] }));

/** One for each row, after the one that is none of them. */
export const namedOptions = (
  none: string,
  rows: readonly { readonly id: string; readonly name: string }[] = [],
): Option[] => [{ value: '', label: none }, ...rows.map(({ id, name }) => ({ value: id, label: name }))];
