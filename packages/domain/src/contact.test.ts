import { describe, expect, test } from 'vitest';
import {
  type ContactFields,
  checkContact,
  checkReply,
  contactLimits,
  contactStatuses,
  couldHaveBecome,
  mayBecome,
  normaliseContact,
  replySubject,
} from './contact.ts';
import { isValid } from './validation.ts';

const whole: ContactFields = {
  name: 'Zoe Martin',
  email: 'zoe@example.test',
  subject: 'A question',
  message: 'How do I begin?',
};
const blanks = ['', '   ', '\n\t', '\u200b', '\u2800', '\u202e', '\0'];

describe('the fields', () => {
  test('what is whole may be sent', () => expect(isValid(checkContact(whole))).toBe(true));

  test.each([
    ['CONT-05', 'name', 'Name is required'],
    ['CONT-06', 'email', 'Valid email is required'],
    ['CONT-07', 'subject', 'Subject is required'],
    ['CONT-08', 'message', 'Message is required'],
  ] as const)('%s, ERR-64: %s with nothing to be seen: %s', (_id, field, text) => {
    for (const blank of blanks) {
      expect(checkContact({ ...whole, [field]: blank })).toEqual({
        name: null,
        email: null,
        subject: null,
        message: null,
        [field]: text,
      });
    }
  });

  test.each([
    'zoe',
    'zoe@',
    '@example.test',
    'zoe@example',
    'a b@example.test',
    'a@x.test, b@x.test',
    'Zoe <zoe@x.test>',
  ])('CONT-06: no email: %s', (email) =>
    expect(checkContact({ ...whole, email }).email).toBe('Valid email is required'),
  );

  test.each(['name', 'subject', 'message'] as const)('the length of %s is limited', (field) => {
    const max = contactLimits[field];
    expect(checkContact({ ...whole, [field]: 'x'.repeat(max) })[field]).toBeNull();
    expect(checkContact({ ...whole, [field]: 'x'.repeat(max + 1) })[field]).toContain(
      `at most ${max} characters`,
    );
  });

  test('they are stored without characters that break a line or a header', () => {
    expect(
      normaliseContact({
        name: '  Zoe\r\nBcc: all@example.test ',
        email: ' Zoe@Example.TEST ',
        subject: 'Hi\u202e there\0\u0085',
        message: '\n one\r\ntwo\rthree\ud800 \n',
      }),
    ).toEqual({
      name: 'Zoe Bcc: all@example.test',
      email: 'zoe@example.test',
      subject: 'Hi there',
      message: 'one\ntwo\nthree\ufffd',
    });
  });
});

test('A79, ENT-39: exactly three changes of status', () => {
  const allowed = contactStatuses.flatMap((from) =>
    contactStatuses.filter((to) => mayBecome(from, to)).map((to) => `${from} ${to}`),
  );
  expect(allowed).toEqual(['new read', 'new archived', 'read replied']);
});

test('a status that was overtaken, and one that never was possible', () => {
  const overtaken = contactStatuses.flatMap((now) =>
    contactStatuses.filter((to) => couldHaveBecome(now, to)).map((to) => `${to} of ${now}`),
  );
  expect(overtaken).toEqual([
    'read of read',
    'archived of read',
    'read of replied',
    'replied of replied',
    'archived of replied',
    'read of archived',
    'archived of archived',
  ]);
});

test('a reply has a text; its subject has Re: once', () => {
  expect([checkReply(' \n'), checkReply('Yes.')]).toEqual(['Reply is required', null]);
  expect(['Hi', 'Re: Hi', 'RE:re: Hi', 'Hi\r\nBcc: a@x.test'].map(replySubject)).toEqual([
    'Re: Hi',
    'Re: Hi',
    'Re: Hi',
    'Re: Hi Bcc: a@x.test',
  ]);
});
