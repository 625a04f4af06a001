/** Identity's public interface for other features: the parts of the user's own settings. */
export { EmailField, NewPasswordFields, UsernameField } from './fields.tsx';
export { AppearanceSection } from './profile/Appearance.tsx';
export { PasswordSection } from './profile/PasswordForm.tsx';
export { ProfileSection } from './profile/ProfileForm.tsx';
export { SessionsSection } from './profile/Sessions.tsx';
