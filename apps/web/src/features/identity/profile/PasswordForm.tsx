/** Sets a new password after a check of the current one (PROF-04). This session continues, every other one ends. */
import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { useSubmission } from '../../../shared/form/index.ts';
import { OwnerSection } from '../../../shared/owner-section/OwnerSection.tsx';
import { queryKeys } from '../../../shared/query/index.ts';
import { useSignedIn } from '../../../shared/session/index.ts';
import { Button, FormError, PasswordField, showToast } from '../../../shared/ui/index.ts';
import { LogInAgainButton } from '../LogInAgainButton.tsx';
import {
  changePassword,
  checkPasswordChange,
  type PasswordDraft,
  type PasswordFormCopy,
  passwordFields,
} from './password-change.ts';

interface PasswordSectionProps {
  readonly copy: PasswordFormCopy;
}

function Form({ copy }: PasswordSectionProps) {
  const { user, supabase } = useSignedIn();
  const cache = useQueryClient();
  const element = useRef<HTMLFormElement>(null);
  const send = async (draft: PasswordDraft) => {
    const refusal = await changePassword(supabase, draft);
    if (refusal !== null) return refusal;
    element.current?.reset();
    showToast('success', 'Password changed', { description: 'Other devices have to log in again.' });
    void cache.invalidateQueries({ queryKey: queryKeys.sessions(user.id) });
    return null;
  };
  const { fieldOf, failure, isSessionOver, pending, form } = useSubmission({
    names: passwordFields,
    check: (draft) => checkPasswordChange(draft, copy),
    send,
  });
  return (
    <form {...form} ref={element} aria-label="Change password" className="flex flex-col gap-5">
      {/* Names the password's account for a password manager. */}
      <input type="email" name="email" autoComplete="username" value={user.email} readOnly hidden />
      <div className="grid items-start gap-x-4 gap-y-4 md:grid-cols-2">
        <div className="md:col-span-2 md:w-[calc(50%-8px)]">
          <PasswordField
            label="Current password"
            {...fieldOf('currentPassword')}
            autoComplete="current-password"
          />
        </div>
        <PasswordField label="New password" {...fieldOf('newPassword')} autoComplete="new-password" />
        <PasswordField
          label="Confirm new password"
          {...fieldOf('confirmPassword')}
          autoComplete="new-password"
        />
      </div>
      <Button type="submit" tone="primary" pending={pending} className="self-start">
        Change password
      </Button>
      <FormError>{failure}</FormError>
      {isSessionOver ? <LogInAgainButton /> : null}
    </form>
  );
}

export function PasswordSection({ copy }: PasswordSectionProps) {
  return (
    <OwnerSection
      title="Change Password"
      lead="At least 6 characters. Every other device has to log in again."
    >
      <Form copy={copy} />
    </OwnerSection>
  );
}
