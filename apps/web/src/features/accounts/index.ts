/** What other features take from accounts: the parts of one's own settings, and a form's way to the server. */
export { EmailField, NewPasswordFields, UsernameField } from './fields.tsx';
export { AppearanceSection } from './profile/Appearance.tsx';
export { PasswordSection } from './profile/PasswordForm.tsx';
export { ProfileSection } from './profile/ProfileForm.tsx';
export { SessionsSection } from './profile/Sessions.tsx';
export { type Refusal, useSubmission } from './useSubmission.ts';
