/** The settings of the signed-in user: profile, password, sessions, appearance. */
import { AppearanceSection, PasswordSection, ProfileSection, SessionsSection } from '../../identity/index.ts';

export function OwnProfile() {
  return (
    <div className="flex flex-col gap-4">
      <ProfileSection />
      <PasswordSection copy="staff" />
      <SessionsSection />
      <AppearanceSection />
    </div>
  );
}
