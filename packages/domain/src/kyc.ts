/**
 * The fields of an identity check (KYC-06 to KYC-09, A59, A63), their limits and the objection to each. Browser and
 * server use the same rules. Invariants: a check reads nothing but its arguments, and migration 0013 accepts what it
 * accepts.
 *
 * Known limitations: a country is the chosen or typed name, not a code, since the specification states names. A
 * submission has no minimum age, since the specification states none; the reviewer reads whether the user is younger
 * than `MIN_AGE`.
 */
import type { Objection, Objections } from './validation.ts';

/** The states of a user's identity check as a whole. */
export const kycStatuses = ['unverified', 'pending', 'verified', 'rejected'] as const;
export type KycStatus = (typeof kycStatuses)[number];
/** A decision on an attempt, and the states of an attempt. */
export const kycDecisions = ['approved', 'rejected'] as const;
export type KycDecision = (typeof kycDecisions)[number];
export const kycAttemptStatuses = ['pending', ...kycDecisions] as const;
export type KycAttemptStatus = (typeof kycAttemptStatuses)[number];
/** What the review's queue can be narrowed to: a user's first attempt, or later ones. */
export const kycAttemptFilters = ['first', 'repeated'] as const;
export type KycAttemptFilter = (typeof kycAttemptFilters)[number];
/** Whether a rejected user may try again. */
export const kycRejectTypes = ['retry', 'final'] as const;
export type KycRejectType = (typeof kycRejectTypes)[number];

export const kycPictures = ['document_front', 'document_back', 'selfie'] as const;
export type KycPicture = (typeof kycPictures)[number];

/** A picture has at most 10 MB (A59). */
export const kycPictureBytesMax = 10 * 1024 * 1024;

export const kycDocumentTypes = ['passport', 'id_card', 'drivers_license'] as const;
export type KycDocumentType = (typeof kycDocumentTypes)[number];
/** The labels on the screen. */
export const kycDocumentTypeLabels = {
  passport: 'Passport',
  id_card: 'ID card',
  drivers_license: 'Driver’s license',
} as const satisfies Record<KycDocumentType, string>;

/** In the order of the form. */
export const kycFields = [
  'first_name',
  'last_name',
  'date_of_birth',
  'country',
  'address',
  'city',
  'postal_code',
  'document_type',
  'document_number',
] as const;
export type KycField = (typeof kycFields)[number];
export type KycFields = Readonly<Record<KycField, string>>;

/** In characters (code points), as PostgreSQL counts them. */
export const kycLimits = {
  first_name: 100,
  last_name: 100,
  date_of_birth: 10,
  country: 60,
  address: 200,
  city: 100,
  postal_code: 20,
  document_type: 20,
  document_number: 50,
} as const satisfies Record<KycField, number>;

export const kycLabels = {
  first_name: 'First name',
  last_name: 'Last name',
  date_of_birth: 'Date of birth',
  country: 'Country',
  address: 'Address',
  city: 'City',
  postal_code: 'Postal code',
  document_type: 'Document type',
  document_number: 'Document number',
} as const satisfies Record<KycField, string>;

/** The highest recorded age is 122. */
const KYC_MAX_AGE_YEARS = 120;

/**
 * Control and format characters except two joiners that some scripts need in names, and fillers without a shape.
 * Without them two different names cannot look alike.
 */
const invisible = /(?![\u200c\u200d])[\p{C}\p{Default_Ignorable_Code_Point}\u2800]/u;
const letterOrDigit = /[\p{L}\p{N}]/u;

/** One line: trimmed, every run of white space one space, letters written in one way. */
const normalised = (text: string): string => text.normalize('NFC').trim().replaceAll(/\s+/gu, ' ');

/** The fields as they are stored. */
export const normaliseKyc = (typed: KycFields): KycFields => ({
  first_name: normalised(typed.first_name),
  last_name: normalised(typed.last_name),
  date_of_birth: normalised(typed.date_of_birth),
  country: normalised(typed.country),
  address: normalised(typed.address),
  city: normalised(typed.city),
  postal_code: normalised(typed.postal_code),
  document_type: normalised(typed.document_type),
  document_number: normalised(typed.document_number),
});

/** The objection to one field. `today` is a date of UTC, `2026-11-21`. */
export function checkKycField(field: KycField, typed: string, today: string): Objection {
  const value = normalised(typed);
  const label = kycLabels[field];
  if (value === '') return `${label} is required`;
  if (field === 'date_of_birth') return checkBirthDate(value, today);
  if (field === 'document_type') return isDocumentType(value) ? null : 'Please choose a document type';
  if ([...value].length > kycLimits[field]) return `${label} must be at most ${kycLimits[field]} characters`;
  if (invisible.test(value)) return `${label} must not contain invisible characters`;
  return letterOrDigit.test(value) ? null : `${label} must contain a letter or a digit`;
}

const isDocumentType = (value: string): boolean => kycDocumentTypes.some((known) => known === value);

const datePattern = /^([1-9]\d{3})-(\d{2})-(\d{2})$/;
/** Of the Gregorian calendar; 0 for a month that there is not. */
function daysOf(year: number, month: number): number {
  if (month < 1 || month > 12) return 0;
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

function checkBirthDate(value: string, today: string): Objection {
  const [, , day] = parseDate(value);
  if (day < 1) return 'Date of birth must be a date such as 1990-04-23';
  if (value >= today) return 'Date of birth must be in the past';
  const oldest = `${Number(today.slice(0, 4)) - KYC_MAX_AGE_YEARS}${today.slice(4)}`;
  return value < oldest ? `Date of birth must be within the last ${KYC_MAX_AGE_YEARS} years` : null;
}

/** Age in full years on `today`, both dates such as `1991-04-17`; null for an invalid date. */
export function getAge(birth: string, today: string): number | null {
  const [[year, month, day], [thisYear, thisMonth, thisDay]] = [parseDate(birth), parseDate(today)];
  if (day === 0 || thisDay === 0) return null;
  const hadBirthday = thisMonth > month || (thisMonth === month && thisDay >= day);
  return thisYear - year - (hadBirthday ? 0 : 1);
}

/** Year, month and day; zeros for no date. */
function parseDate(date: string): readonly [year: number, month: number, day: number] {
  const [, year = 0, month = 0, day = 0] = (datePattern.exec(date) ?? []).map(Number);
  return [year, month, day > daysOf(year, month) ? 0 : day];
}

/** How long a claim of an identity check lasts, unless its reviewer renews it. */
export const kycClaimMinutes = 10;
/** Waiting time of an identity check from which the list warns. */
export const kycWaitingWarningHours = 24;

/** The objection to each field; every field is required (KYC-07). */
export const checkKyc = (typed: KycFields, today: string): Objections<KycFields> => {
  const check = (field: KycField) => checkKycField(field, typed[field], today);
  return {
    first_name: check('first_name'),
    last_name: check('last_name'),
    date_of_birth: check('date_of_birth'),
    country: check('country'),
    address: check('address'),
    city: check('city'),
    postal_code: check('postal_code'),
    document_type: check('document_type'),
    document_number: check('document_number'),
  };
};
