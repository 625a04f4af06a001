/**
 * A labelled input with error and hint. `aria-describedby` links the texts to the input, so that screen readers announce the
 * error. The forms are `noValidate`; these are the only messages.
 */
import Eye from 'lucide-react/icons/eye';
import EyeOff from 'lucide-react/icons/eye-off';
import { type ComponentProps, type ReactNode, useId, useState } from 'react';

interface FieldProps {
  readonly label: string;
  readonly error?: string | undefined;
  readonly hint?: string | undefined;
  /** A control at the right of the label. */
  readonly action?: ReactNode;
  readonly children: (tied: {
    id: string;
    'aria-describedby': string | undefined;
    'aria-invalid': true | undefined;
  }) => ReactNode;
}

export function Field({ label, error, hint, action, children }: FieldProps) {
  const id = useId();
  const [errorId, hintId] = [`${id}-error`, `${id}-hint`];
  const described = [error && errorId, hint && hintId].filter(Boolean).join(' ');
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex items-baseline justify-between gap-4">
        <label htmlFor={id} className="text-13 font-medium">
          {label}
        </label>
        {action}
      </div>
      {children({ id, 'aria-describedby': described || undefined, 'aria-invalid': error ? true : undefined })}
      {error ? (
        <p id={errorId} className="text-12 text-down">
          {error}
        </p>
      ) : null}
      {hint ? (
        <p id={hintId} className="text-12 text-text-3">
          {hint}
        </p>
      ) : null}
    </div>
  );
}

const input = 'control h-11 w-full px-3.5 text-14 max-md:text-16 pointer-coarse:text-16';

type TextFieldProps = Omit<FieldProps, 'children'> &
  Omit<ComponentProps<'input'>, 'className' | 'id' | 'children'>;

export function TextField({ label, error, hint, action, ...rest }: TextFieldProps) {
  return (
    <Field label={label} error={error} hint={hint} action={action}>
      {(tied) => <input {...rest} {...tied} className={input} />}
    </Field>
  );
}

/** A password with a button that shows it. */
export function PasswordField({ label, error, hint, action, ...rest }: Omit<TextFieldProps, 'type'>) {
  const [shown, setShown] = useState(false);
  const Icon = shown ? EyeOff : Eye;
  return (
    <Field label={label} error={error} hint={hint} action={action}>
      {(tied) => (
        <div className="relative">
          <input {...rest} {...tied} type={shown ? 'text' : 'password'} className={`${input} pr-12`} />
          <button
            type="button"
            onClick={() => setShown(!shown)}
            aria-pressed={shown}
            aria-label={`Show ${label.toLowerCase()}`}
            className="absolute inset-y-1 right-1 grid w-9 place-items-center rounded-control text-text-2 hover:text-text max-md:inset-y-0 max-md:right-0 max-md:w-11"
          >
            <Icon size={16} aria-hidden="true" />
          </button>
        </div>
      )}
    </Field>
  );
}
