/** The fields that identify a user, shared by every account form, with their keyboard and autocomplete hints. */
import type { ComponentProps } from 'react';
import { PasswordField, TextField } from '../../shared/ui/index.ts';

type FieldProps = Omit<ComponentProps<typeof TextField>, 'label' | 'type'>;

export function EmailField(props: FieldProps) {
  return (
    <TextField
      name="email"
      {...props}
      label="Email"
      type="email"
      inputMode="email"
      autoCapitalize="none"
      spellCheck={false}
    />
  );
}

export function UsernameField(props: FieldProps) {
  return <TextField name="username" {...props} label="Username" autoCapitalize="none" spellCheck={false} />;
}

export function PhoneField(props: FieldProps) {
  return (
    <TextField
      name="phoneNumber"
      {...props}
      label="Phone number"
      type="tel"
      inputMode="tel"
      autoComplete="tel"
      placeholder="+12345678900"
    />
  );
}

interface NewPasswordFieldsProps {
  readonly errorOf: (field: 'password' | 'confirmPassword') => string | undefined;
}

/** A new password and its repetition. */
export function NewPasswordFields({ errorOf }: NewPasswordFieldsProps) {
  return (
    <>
      <PasswordField
        label="Password"
        name="password"
        autoComplete="new-password"
        error={errorOf('password')}
      />
      <PasswordField
        label="Confirm password"
        name="confirmPassword"
        autoComplete="new-password"
        error={errorOf('confirmPassword')}
      />
    </>
  );
}
