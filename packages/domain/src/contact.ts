/**
 * The fields of a visitor's message (CONT-03 to CONT-08) and the transitions of its status (ENT-39, A79). Browser and
 * server use the same rules. Invariants: every field of a valid message has a visible character, and one-line fields
 * hold no control character. A status changes only along `contactTransitions`. Lengths are in UTF-16 units, as a text
 * field counts them; PostgreSQL counts characters, which are never more.
 *
 * Known limitation: a well-formed email need not be the sender's.
 */
import { checkEmail, normaliseEmail, type Objection, type Objections } from './validation.ts';

export const contactLimits = { name: 100, email: 254, subject: 200, message: 5000, reply: 5000 } as const;

/** Texts of the specification, except those of values that are too long. */
const contactTexts = {
  nameRequired: 'Name is required',
  validEmailRequired: 'Valid email is required',
  subjectRequired: 'Subject is required',
  messageRequired: 'Message is required',
  tooLong: (field: 'Name' | 'Subject' | 'Message' | 'Reply', max: number) =>
    `${field} must be at most ${max} characters`,
  replyRequired: 'Reply is required',
} as const;

export interface ContactFields {
  readonly name: string;
  readonly email: string;
  readonly subject: string;
  readonly message: string;
}

/** A visible character; the empty Braille cell is invisible. The database's `app.can_be_seen` is the same rule. */
const seen = /[^\s\p{C}\p{Default_Ignorable_Code_Point}\u2800]/u;
/** Characters that break a line or a header, and those that reverse the text direction. */
const unprintable = /(?![\t\n])[\p{Cc}\p{Bidi_Control}]/gu;

/** The stored form: well-formed, without control characters, with uniform line ends and no blanks around it. */
export const normaliseMessage = (text: string): string =>
  text.toWellFormed().replaceAll(/\r\n?/g, '\n').replaceAll(unprintable, '').trim();
/** The same in one line. */
const oneLine = (text: string): string => normaliseMessage(text).replaceAll(/\s+/gu, ' ');

/** The stored form of a message. */
export const normaliseContact = (fields: ContactFields): ContactFields => ({
  name: oneLine(fields.name),
  email: normaliseEmail(fields.email),
  subject: oneLine(fields.subject),
  message: normaliseMessage(fields.message),
});

/** CONT-05 to CONT-08, in the order of the form. */
export function checkContact(fields: ContactFields): Objections<ContactFields> {
  const { name, email, subject, message } = normaliseContact(fields);
  return {
    name: objectionTo(name, contactTexts.nameRequired, 'Name', contactLimits.name),
    email: checkEmail(email) === null ? null : contactTexts.validEmailRequired,
    subject: objectionTo(subject, contactTexts.subjectRequired, 'Subject', contactLimits.subject),
    message: objectionTo(message, contactTexts.messageRequired, 'Message', contactLimits.message),
  };
}

/** Checks an administrator's answer. */
export const checkReply = (text: string): Objection =>
  objectionTo(normaliseMessage(text), contactTexts.replyRequired, 'Reply', contactLimits.reply);

function objectionTo(
  text: string,
  required: string,
  field: Parameters<typeof contactTexts.tooLong>[0],
  max: number,
): Objection {
  if (!seen.test(text)) return required;
  return text.length > max ? contactTexts.tooLong(field, max) : null;
}

export const contactStatuses = ['new', 'read', 'replied', 'archived'] as const;
export type ContactStatus = (typeof contactStatuses)[number];

/** The statuses that can follow each one; replied and archived are final. */
const contactTransitions: Readonly<Record<ContactStatus, readonly ContactStatus[]>> = {
  new: ['read', 'archived'],
  read: ['replied'],
  replied: [],
  archived: [],
};

export const mayBecome = (from: ContactStatus, to: ContactStatus): boolean =>
  contactTransitions[from].includes(to);

/**
 * Whether a message of status `now` once had a status that could become `to`. True means that another change came
 * first.
 */
export const couldHaveBecome = (now: ContactStatus, to: ContactStatus): boolean =>
  contactStatuses.some((past) => past !== now && mayBecome(past, to) && leadsTo(past, now));

const leadsTo = (from: ContactStatus, to: ContactStatus): boolean =>
  contactTransitions[from].some((next) => next === to || leadsTo(next, to));

/** The subject of an answer: one `Re: `, one line. */
export const replySubject = (subject: string): string =>
  `Re: ${oneLine(subject).replace(/^(?:re: *)+/i, '')}`;
