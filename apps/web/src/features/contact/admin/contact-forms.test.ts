import { expect, test } from 'vitest';
import { type ContactForm, toMailtoUrl } from './contact-forms.ts';

const written = (over: Partial<ContactForm>): ContactForm => ({
  id: '7b0c1c39-6d0e-4f3e-8f6b-0a4f8d3f1c55',
  name: 'Ada',
  email: 'ada@example.test',
  subject: 'Hello',
  message: 'Hi',
  status: 'new',
  created_at: '2026-11-21T10:00:00Z',
  updated_at: '2026-11-21T10:00:00Z',
  user_id: null,
  reply: null,
  replied_by: null,
  replied_at: null,
  version: 1,
  user: null,
  ...over,
});

test('an answer by mail goes to the one address, whatever characters it contains', () => {
  const address = new URL(toMailtoUrl(written({ email: 'a?bcc=b&cc=c%40d@example.test' }), 'Re: Hello'));
  expect(decodeURIComponent(address.pathname)).toBe('a?bcc=b&cc=c%40d@example.test');
  expect([...address.searchParams.keys()]).toEqual(['subject', 'body']);
});

test.each([0, 1])('a long message can be cut anywhere, also within a character (%i)', (shift) => {
  const message = 'x'.repeat(shift) + '\u{1f600}'.repeat(2_000);
  expect(new URL(toMailtoUrl(written({ message }), 'Re: Hello')).searchParams.get('body')).toContain(
    '\u{1f600}',
  );
});
