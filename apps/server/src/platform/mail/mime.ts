import type { SendMailOptions } from 'nodemailer';
import type { MailMessage } from './types.ts';

/** Builds a mail for nodemailer. Addresses are objects, which nodemailer never parses as a list. */
export const buildMime = ({
  from,
  to,
  replyTo,
  subject,
  text,
  html,
  writtenBy,
  date,
}: MailMessage): SendMailOptions => ({
  from: { name: from.name, address: from.address },
  to: { name: '', address: to },
  envelope: { from: from.address, to: [to] },
  subject,
  text,
  ...(html === undefined ? {} : { html }),
  ...(replyTo === undefined ? {} : { replyTo: { name: '', address: replyTo } }),
  date,
  // RFC 3834: prevents automatic replies to a machine.
  headers: writtenBy === 'user' ? {} : { 'Auto-Submitted': 'auto-generated' },
  disableFileAccess: true,
  disableUrlAccess: true,
});
