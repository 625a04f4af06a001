/**
 * What a visitor's message may be (CONT-03 to CONT-08), and what becomes of it (ENT-39, A79). The same rules in the
 * browser and on the server. Invariants: what may be sent has something to be seen in every field, and its one-line fields
 * hold no control character; a status changes along `contactTransitions` and no other way. Lengths are in UTF-16 units, as
 * a text field counts them; PostgreSQL counts characters, which are never more.
 *
 * Known limitation: that an email has the form of one does not say that it is the sender's.
 */
import { checkEmail, normaliseEmail, type Objection, type Objections } from './validation.ts';

export const contactLimits = { name: 100, email: 254, subject: 200, message: 5000, reply: 5000 } as const;

/** Stated, but for those of what is too long. */
export const contactTexts = {
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

/** A character with a shape; the empty Braille cell has none. The database's `app.can_be_seen` says the same. */
const seen = /[^\s\p{C}\p{Default_Ignorable_Code_Point}\u2800]/u;
/** Those that break a line or a header, and those that turn the rest of a line around. */
const unprintable = /(?![\t\n])[\p{Cc}\p{Bidi_Control}]/gu;

/** As it is kept: well-formed, without control characters, lines ended in one way, nothing blank around it. */
export const normaliseMessage = (text: string): string =>
  text.toWellFormed().replaceAll(/\r\n?/g, '\n').replaceAll(unprintable, '').trim();
/** The same in one line. */
const oneLine = (text: string): string => normaliseMessage(text).replaceAll(/\s+/gu, ' ');

/** The form in which a message is kept. */
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

/** What an administrator answers. */
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

/** What each status can become; replied and archived are the end. */
export const contactTransitions: Readonly<Record<ContactStatus, readonly ContactStatus[]>> = {
  new: ['read', 'archived'],
  read: ['replied'],
  replied: [],
  archived: [],
};

export const mayBecome = (from: ContactStatus, to: ContactStatus): boolean =>
  contactTransitions[from].includes(to);

/** Whether a message of status `now` was once one that could become `to`: whoever saw it then has been overtaken. */
export const couldBecome = (now: ContactStatus, to: ContactStatus): boolean =>
  contactStatuses.some((past) => past !== now && mayBecome(past, to) && leadsTo(past, now));

const leadsTo = (from: ContactStatus, to: ContactStatus): boolean =>
  contactTransitions[from].some((next) => next === to || leadsTo(next, to));

/** The subject of an answer: `Re: ` once, in one line, however often it went to and fro. */
export const replySubject = (subject: string): string =>
  `Re: ${oneLine(subject).replace(/^(?:re: *)+/i, '')}`;
