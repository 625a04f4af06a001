import type { SendMailOptions } from 'nodemailer';
import type { Letter } from './index.ts';

/** A letter as nodemailer takes it. Addresses are given as parts, which it never reads as a list. */
export const composed = ({
  from,
  to,
  replyTo,
  subject,
  text,
  html,
  writtenBy,
  date,
}: Letter): SendMailOptions => ({
  from: { name: from.name, address: from.address },
  to: { name: '', address: to },
  envelope: { from: from.address, to: [to] },
  subject,
  text,
  ...(html === undefined ? {} : { html }),
  ...(replyTo === undefined ? {} : { replyTo: { name: '', address: replyTo } }),
  date,
  // RFC 3834: no holiday notice is sent back to a machine.
  headers: writtenBy === 'person' ? {} : { 'Auto-Submitted': 'auto-generated' },
  disableFileAccess: true,
  disableUrlAccess: true,
});
