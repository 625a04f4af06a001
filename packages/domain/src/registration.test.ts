import { describe, expect, test } from 'vitest';
import { formatInvitationCode, isDomainAllowed, parseInvitationCode } from './registration.ts';

describe('the code of an invitation (A117)', () => {
  test('is read in any case, with blanks, hyphens and letters that look like digits', () => {
    for (const text of ['ABCDE-01234', 'abcde01234', ' abcde o1234 ', 'ABCDE-0I234', 'abcde-ol234']) {
      expect(parseInvitationCode(text)).toBe('ABCDE01234');
    }
    expect(formatInvitationCode('ABCDE01234')).toBe('ABCDE-01234');
  });

  test('is refused with another length or another letter', () => {
    for (const text of ['', 'ABCDE-0123', 'ABCDE-012345', 'ABCDE-0123U', 'ABCDE_01234']) {
      expect(parseInvitationCode(text)).toBeNull();
    }
  });
});

test('A117: a mail domain is the listed one or, with *., any below it', () => {
  const domains = ['school.example', '*.uni.example'];
  const allowed = (email: string) => isDomainAllowed(email, domains);
  expect(['a@school.example', 'a@cs.uni.example', 'a@x.y.uni.example'].map(allowed)).toEqual([
    true,
    true,
    true,
  ]);
  expect(
    ['a@x.school.example', 'a@uni.example', 'a@evilschool.example', 'a@school.example.evil'].map(allowed),
  ).toEqual([false, false, false, false]);
  expect(isDomainAllowed('a@anywhere.example', [])).toBe(true);
});
