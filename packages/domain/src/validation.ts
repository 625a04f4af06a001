/**
 * Checks of the fields of login and registration with the stated texts (document 1 §5), the same in the browser and on
 * the server. Invariant: a check answers null or the text to show, and reads nothing but its arguments.
 *
 * Known limitation: the email check is the simple pattern that is asked for, not the mail standard.
 */

export const MIN_USERNAME_LENGTH = 3;
export const MIN_PASSWORD_LENGTH = 6;
/** What the users table holds. No text is stated for longer ones. */
export const MAX_EMAIL_LENGTH = 254;
export const MAX_USERNAME_LENGTH = 40;

export const validationTexts = {
  emailRequired: 'Email is required',
  emailInvalid: 'Email is invalid',
  passwordRequired: 'Password is required',
  passwordTooShort: `Password must be at least ${MIN_PASSWORD_LENGTH} characters`,
  passwordsDiffer: 'Passwords do not match',
  usernameTooShort: `Username must be at least ${MIN_USERNAME_LENGTH} characters`,
  usernameTooLong: `Username must be at most ${MAX_USERNAME_LENGTH} characters`,
  /** Staff who edit somebody else (A81). */
  usernameRequired: 'Username is required',
  validEmailRequired: 'Valid email is required',
  usernameUnreadable: 'Username must not contain invisible characters',
  phoneInvalid: 'Please enter a valid phone number in international format (e.g., +12345678900)',
} as const;

/** The text to show, or null when there is nothing to object to. */
export type Objection = string | null;

/** Without what RFC 5322 allows between quotes or brackets only: a list of two, or a name with an address, is no email. */
const EMAIL = /^[^\s@<>()[\],;:\\"]+@[^\s@<>()[\],;:\\"]+\.[^\s@<>()[\],;:\\"]+$/;
/**
 * Control, format and filler characters, and every blank but the space: two names, or two emails, must not look alike
 * because of them.
 */
const INVISIBLE = /[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u2800]|(?! )\p{Zs}/u;
const PHONE = /^\+[1-9]\d{1,14}$/;

/** The form in which emails are stored and compared: unique whatever the case (A46). */
export const normaliseEmail = (email: string): string => email.trim().toLowerCase();
/** The form in which usernames are stored: one way to write each letter, so that two names that look alike are alike. */
export const normaliseUsername = (username: string): string => username.trim().normalize('NFC');

/** Characters as people and PostgreSQL count them: code points, not UTF-16 units. */
const lengthOf = (text: string): number => [...text].length;

/** AUTH-17, AUTH-18. */
export function checkEmail(email: string): Objection {
  const normal = normaliseEmail(email);
  if (normal === '') return validationTexts.emailRequired;
  const isReadable = normal.length <= MAX_EMAIL_LENGTH && EMAIL.test(normal) && !INVISIBLE.test(normal);
  if (!isReadable) return validationTexts.emailInvalid;
  return null;
}

/** AUTH-19: an empty one has the same single text (A46). */
export function checkUsername(username: string): Objection {
  const normal = normaliseUsername(username);
  const length = lengthOf(normal);
  if (length < MIN_USERNAME_LENGTH) return validationTexts.usernameTooShort;
  if (length > MAX_USERNAME_LENGTH) return validationTexts.usernameTooLong;
  if (INVISIBLE.test(normal)) return validationTexts.usernameUnreadable;
  return null;
}

/** ADMIN-36, ADMIN-47: when staff add or edit somebody, one text for no email and for a wrong one. */
export const checkEmailByStaff = (email: string): Objection =>
  checkEmail(email) === null ? null : validationTexts.validEmailRequired;

/**
 * ADMIN-35, ADMIN-46: staff may give shorter names than people give themselves (A81). What nobody sees is no name for anybody: in
 * a dialog that asks before money moves it would turn or hide the words beside it.
 */
export function checkUsernameByStaff(username: string): Objection {
  const normal = normaliseUsername(username);
  const length = lengthOf(normal);
  if (length === 0) return validationTexts.usernameRequired;
  if (length > MAX_USERNAME_LENGTH) return validationTexts.usernameTooLong;
  return INVISIBLE.test(normal) ? validationTexts.usernameUnreadable : null;
}

/** AUTH-22, AUTH-23: E.164. */
export const checkPhoneNumber = (phoneNumber: string): Objection =>
  PHONE.test(phoneNumber) ? null : validationTexts.phoneInvalid;

/** AUTH-20: a new password; blanks count, nothing is trimmed. */
export const checkNewPassword = (password: string): Objection =>
  lengthOf(password) < MIN_PASSWORD_LENGTH ? validationTexts.passwordTooShort : null;

/** AUTH-21. */
export const checkConfirmation = (password: string, confirmation: string): Objection =>
  password === confirmation ? null : validationTexts.passwordsDiffer;

export interface LoginFields {
  readonly email: string;
  readonly password: string;
}

export interface RegistrationFields {
  readonly email: string;
  readonly username: string;
  readonly phoneNumber: string;
  readonly password: string;
  readonly confirmPassword: string;
}

/** The objection to each field; a form may be sent when all are null (`isValid`). */
export type Objections<Fields> = { readonly [Field in keyof Fields]: Objection };

/** AUTH-04, AUTH-05: only presence; whether they are right is for the server to say. */
export const checkLogin = ({ email, password }: LoginFields): Objections<LoginFields> => ({
  email: email.trim() === '' ? validationTexts.emailRequired : null,
  password: password === '' ? validationTexts.passwordRequired : null,
});

/** AUTH-17 to AUTH-23, in the order of the form. */
export const checkRegistration = (fields: RegistrationFields): Objections<RegistrationFields> => ({
  email: checkEmail(fields.email),
  username: checkUsername(fields.username),
  phoneNumber: checkPhoneNumber(fields.phoneNumber),
  password: checkNewPassword(fields.password),
  confirmPassword: checkConfirmation(fields.password, fields.confirmPassword),
});

/** Whether no field has an objection. */
export const isValid = (objections: Readonly<Record<string, Objection>>): boolean =>
  Object.values(objections).every((objection) => objection === null);
