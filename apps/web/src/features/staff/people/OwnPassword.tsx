/** Asked for when the server wants to know that it is really the admin who sits there. It takes the focus as it comes. */
import { useEffect, useRef } from 'react';
import { PasswordField } from '../../../shared/ui/index.ts';

interface OwnPasswordProps {
  readonly error: string | undefined;
}

export function OwnPassword({ error }: OwnPasswordProps) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <PasswordField
      ref={field}
      label="Your password"
      name="currentPassword"
      autoComplete="current-password"
      hint="An act on an admin’s account needs it."
      error={error}
    />
  );
}
