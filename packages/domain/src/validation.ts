/**
 * Checks of the fields of login and registration with the stated texts (AUTH-04 to AUTH-23), the same in the browser
 * and on the server. Invariant: a check returns null or the text to show, and reads nothing but its arguments.
 *
 * Known limitation: the email check is the simple pattern of the specification, not the mail standard.
 */

const MIN_USERNAME_LENGTH = 3;
const MIN_PASSWORD_LENGTH = 6;
/** The limit of the users table. The specification states no text for longer emails. */
const MAX_EMAIL_LENGTH = 254;
export const MAX_USERNAME_LENGTH = 40;

export const validationTexts = {
  emailRequired: 'Email is required',
  emailInvalid: 'Email is invalid',
  passwordRequired: 'Password is required',
  passwordTooShort: `Password must be at least ${MIN_PASSWORD_LENGTH} characters`,
  passwordsDiffer: 'Passwords do not match',
  usernameTooShort: `Username must be at least ${MIN_USERNAME_LENGTH} characters`,
  usernameTooLong: `Username must be at most ${MAX_USERNAME_LENGTH} characters`,
  /** For staff who edit a user (A81). */
  usernameRequired: 'Username is required',
  validEmailRequired: 'Valid email is required',
  usernameUnreadable: 'Username must not contain invisible characters',
  phoneInvalid: 'Please enter a valid phone number in international format (e.g., +12345678900)',
} as const;

/** The text to show, or null when there is nothing to object to. */
export type Objection = string | null;

/**
 * Excludes what RFC 5322 allows only between quotes or brackets: a list of two, or a name with an address, is no
 * email.
 */
const EMAIL = /^[^\s@<>()[\],;:\\"]+@[^\s@<>()[\],;:\\"]+\.[^\s@<>()[\],;:\\"]+$/;
/**
 * Control, format and filler characters, and every blank but the space. They could make two different names or emails
 * look alike.
 */
const INVISIBLE = /[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u2800]|(?! )\p{Zs}/u;
/** Whether a text has a character that a reader cannot see, so that two texts could look alike. */
export const hasInvisible = (text: string): boolean => INVISIBLE.test(text);
const PHONE = /^\+[1-9]\d{1,14}$/;

/** The form in which emails are stored and compared: unique without regard to case (A46). */
export const normaliseEmail = (email: string): string => email.trim().toLowerCase();
/** The form in which usernames are stored: one encoding per letter, so that equal-looking names are equal. */
export const normaliseUsername = (username: string): string => username.trim().normalize('NFC');

/** Length in code points, as PostgreSQL counts characters. */
const lengthOf = (text: string): number => [...text].length;

/** Checks that an email is present and well-formed (AUTH-17, AUTH-18). */
export function checkEmail(email: string): Objection {
  const normal = normaliseEmail(email);
  if (normal === '') return validationTexts.emailRequired;
  const isReadable = normal.length <= MAX_EMAIL_LENGTH && EMAIL.test(normal) && !hasInvisible(normal);
  if (!isReadable) return validationTexts.emailInvalid;
  return null;
}

/** AUTH-19: an empty one has the same single text (A46). */
export function checkUsername(username: string): Objection {
  const normal = normaliseUsername(username);
  const length = lengthOf(normal);
  if (length < MIN_USERNAME_LENGTH) return validationTexts.usernameTooShort;
  if (length > MAX_USERNAME_LENGTH) return validationTexts.usernameTooLong;
  if (hasInvisible(normal)) return validationTexts.usernameUnreadable;
  return null;
}

/** ADMIN-36, ADMIN-47: for staff who add or edit a user; a missing and a malformed email have one text. */
export const checkEmailByStaff = (email: string): Objection =>
  checkEmail(email) === null ? null : validationTexts.validEmailRequired;

/**
 * ADMIN-35, ADMIN-46: staff may set shorter names than users may choose (A81). Invisible characters are refused: in a
 * confirmation dialog they could reverse or hide the text beside the name.
 */
export function checkUsernameByStaff(username: string): Objection {
  const normal = normaliseUsername(username);
  const length = lengthOf(normal);
  if (length === 0) return validationTexts.usernameRequired;
  if (length > MAX_USERNAME_LENGTH) return validationTexts.usernameTooLong;
  return hasInvisible(normal) ? validationTexts.usernameUnreadable : null;
}

/** Checks a phone number in the international form E.164 (AUTH-22, AUTH-23). */
export const checkPhoneNumber = (phoneNumber: string): Objection =>
  PHONE.test(phoneNumber) ? null : validationTexts.phoneInvalid;

/** AUTH-20: a new password; blanks count, nothing is trimmed. */
export const checkNewPassword = (password: string): Objection =>
  lengthOf(password) < MIN_PASSWORD_LENGTH ? validationTexts.passwordTooShort : null;

/** Checks that the confirmation equals the password (AUTH-21). */
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

/** AUTH-04, AUTH-05: presence only; the server verifies the values. */
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
