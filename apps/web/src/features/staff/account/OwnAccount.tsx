/** The settings of whoever is signed in: who they are, their password, where they are signed in, how it looks. */
import { AppearanceSection, PasswordSection, ProfileSection, SessionsSection } from '../../accounts/index.ts';

export function OwnAccount() {
  return (
    <div className="flex flex-col gap-4">
      <ProfileSection />
      <PasswordSection />
      <SessionsSection />
      <AppearanceSection />
    </div>
  );
}
