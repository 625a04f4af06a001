/**
 * Texts of the system's mails, plain and as simple HTML. Invariant: they contain nothing that a user chose (a name, a
 * device), so no user can send words of their own to a stranger.
 */
import type { MailContent } from '../../platform/mail/index.ts';

type Written = Pick<MailContent, 'subject' | 'text' | 'html'>;

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** A paragraph, or a link on its own line. */
type Part = string | { readonly label: string; readonly href: string };

function written(subject: string, parts: readonly Part[]): Written {
  const text = parts.map((part) => (typeof part === 'string' ? part : part.href)).join('\n\n');
  const html = parts
    .map((part) =>
      typeof part === 'string'
        ? `<p>${escaped(part)}</p>`
        : `<p><a href="${escaped(part.href)}">${escaped(part.label)}</a></p>`,
    )
    .join('\n');
  return {
    subject,
    text: `${text}\n`,
    html: `<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8"><title>${escaped(subject)}</title></head>\n<body>\n${html}\n</body>\n</html>\n`,
  };
}

export const recoveryMail = (link: string, lifetimeMinutes: number): Written =>
  written('Choose a new Fulcrum password', [
    'A new password was requested, most likely by you, for the Fulcrum account with this email address.',
    'Open this link to choose one:',
    { label: 'Choose a new password', href: link },
    `The link works once, for ${lifetimeMinutes} minutes. If you requested several links, use the newest mail only.`,
    'If you did not request this, do nothing and do not share the link: your password stays unchanged. If such mails continue, change your password under Profile.',
  ]);

export const invitationMail = (link: string, lifetimeDays: number): Written =>
  written('Your Fulcrum account is ready', [
    'An account for simulated trading was created for this email address, most likely by your school or firm.',
    'Open this link to choose your password:',
    { label: 'Choose your password', href: link },
    `The link works once, for ${lifetimeDays} days. After that, request a new one with “Forgot password?” on the login page.`,
    'If you did not expect this, do nothing: without the link no one can sign in to the account.',
  ]);

export const passwordChangedMail = (publicUrl: string): Written =>
  written('Your Fulcrum password was changed', [
    'The password of the Fulcrum account with this email address has just been changed.',
    'If that was you, there is nothing to do.',
    'If it was not, choose a new password at once. That also ends every other session of your account:',
    { label: 'Reset the password', href: `${publicUrl}/reset-password` },
  ]);

/** To the address that the account had before. */
export const emailChangedMail = (publicUrl: string): Written =>
  written('Your Fulcrum email address was changed', [
    'The Fulcrum account that used this email address now uses another one. Signing in and resetting the password work with the new address only.',
    'If that was you, there is nothing to do. If it was not, please contact support at once:',
    { label: 'Contact support', href: `${publicUrl}/contact` },
  ]);
