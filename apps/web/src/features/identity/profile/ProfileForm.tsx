/**
 * Username, email and phone number (PROF-03). Untouched fields follow the account, so that a change by staff is
 * shown. A changed email requires the current password.
 */
import { texts } from '@fulcrum/contract/texts';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useSubmission } from '../../../shared/form/index.ts';
import { queryKeys } from '../../../shared/query/index.ts';
import { useSignedIn } from '../../../shared/session/index.ts';
import type { Profile } from '../../../shared/supabase/index.ts';
import { formatDay } from '../../../shared/time/dates.ts';
import {
  Button,
  FormError,
  ImpersonationNotice,
  PasswordField,
  Section,
  showToast,
} from '../../../shared/ui/index.ts';
import { EmailField, PhoneField, UsernameField } from '../fields.tsx';
import {
  checkChanges,
  getProfileChanges,
  type ProfileDraft,
  type ProfileField,
  profileFields,
  toProfileDraft,
  updateProfile,
} from './profile-change.ts';

type Fields = Readonly<Record<ProfileField, string>>;

function Form() {
  const { user, supabase } = useSignedIn();
  const cache = useQueryClient();
  const [typed, setTyped] = useState<Partial<ProfileDraft>>({});
  const draft = { ...toProfileDraft(user), ...typed };
  const changes = getProfileChanges(user, draft);
  const isChanged = Object.keys(changes).length > 0;
  const type = (name: keyof ProfileDraft) => ({
    name,
    value: draft[name],
    onChange: (event: { readonly target: { readonly value: string } }) =>
      setTyped({ ...typed, [name]: event.target.value }),
  });

  const send = async ({ currentPassword, ...edited }: Fields) => {
    const changes = getProfileChanges(user, edited);
    if (Object.keys(changes).length === 0) return null;
    const refusal = await updateProfile({ supabase, userId: user.id, changes, currentPassword });
    if (refusal !== null) return refusal;
    setTyped({});
    showToast('success', 'Profile updated', {
      ...(changes.email !== undefined && {
        description: `Log in with ${changes.email} from now on. Other devices have to log in again.`,
      }),
    });
    void cache.invalidateQueries({ queryKey: queryKeys.sessions(user.id) });
    return null;
  };
  const check = ({ currentPassword, ...edited }: Fields) =>
    checkChanges(getProfileChanges(user, edited), currentPassword);
  const first = useRef<HTMLInputElement>(null);
  const discard = () => {
    setTyped({});
    // Reset here and not by the button, because the button disappears with the focus.
    first.current?.form?.reset();
    first.current?.focus();
  };
  const { errorOf, fieldOf, failure, pending, form } = useSubmission({ names: profileFields, check, send });

  return (
    <form {...form} aria-label="Profile" className="flex flex-col gap-5">
      <div className="grid items-start gap-x-4 gap-y-4 md:grid-cols-2">
        <UsernameField
          {...type('username')}
          ref={first}
          autoComplete="nickname"
          error={errorOf('username')}
        />
        <EmailField {...type('email')} autoComplete="email" error={errorOf('email')} />
        <PhoneField {...type('phoneNumber')} error={errorOf('phoneNumber')} />
        {changes.email === undefined ? null : (
          <PasswordField
            label="Your password"
            {...fieldOf('currentPassword')}
            autoComplete="current-password"
            hint="Required to change your email."
          />
        )}
      </div>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button type="submit" tone="primary" muted={!isChanged} pending={pending}>
          Save changes
        </Button>
        {isChanged && !pending ? (
          <Button tone="quiet" onClick={discard}>
            Discard
          </Button>
        ) : null}
      </div>
      <FormError>{failure}</FormError>
    </form>
  );
}

const facts = [
  ['Username', ({ username }: Profile) => username],
  ['Email', ({ email }: Profile) => email],
  ['Phone number', ({ phoneNumber }: Profile) => phoneNumber ?? 'None'],
] as const;

/** The same values, read-only. */
function Facts({ user }: { readonly user: Profile }) {
  return (
    <>
      <ImpersonationNotice>{texts.notWhileImpersonating}</ImpersonationNotice>
      <dl className="mt-3 divide-y divide-line/65">
        {facts.map(([label, shownOf]) => (
          <div key={label} className="flex justify-between gap-6 py-2 text-13">
            <dt className="text-text-2">{label}</dt>
            <dd className="min-w-0 truncate font-medium">{shownOf(user)}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

export function ProfileSection() {
  const { user, impersonation } = useSignedIn();
  const lead = (
    <dl className="grid grid-cols-[auto_1fr] gap-x-3">
      <dt>Member since</dt>
      <dd className="figures">{formatDay(user.createdAt)}</dd>
      <dt>Last login</dt>
      <dd className="figures">{formatDay(user.lastLogin)}</dd>
    </dl>
  );
  return (
    <Section title="Profile" lead={lead}>
      {impersonation === null ? <Form /> : <Facts user={user} />}
    </Section>
  );
}
