/** The admin's own password, shown when the server requires it. The field takes the focus when it appears. */
import { useEffect, useRef } from 'react';
import { PasswordField } from '../../../shared/ui/index.ts';

interface OwnPasswordFieldProps {
  readonly error: string | undefined;
}

export function OwnPasswordField({ error }: OwnPasswordFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <PasswordField
      ref={field}
      label="Your password"
      name="currentPassword"
      autoComplete="current-password"
      hint="Required to change an admin account."
      error={error}
    />
  );
}
