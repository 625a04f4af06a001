import { describe, expect, test } from 'vitest';
import {
  checkConfirmation,
  checkEmail,
  checkEmailByStaff,
  checkLogin,
  checkNewPassword,
  checkPhoneNumber,
  checkRegistration,
  checkUsername,
  checkUsernameByStaff,
  isValid,
  normaliseEmail,
  normaliseUsername,
} from './validation.ts';

describe('login', () => {
  test("AUTH-04: an empty email is refused with 'Email is required'", () => {
    expect(checkLogin({ email: '  ', password: 'x' })).toEqual({
      email: 'Email is required',
      password: null,
    });
  });

  test("AUTH-05: an empty password is refused with 'Password is required'", () => {
    expect(checkLogin({ email: 'a@b.c', password: '' })).toEqual({
      email: null,
      password: 'Password is required',
    });
  });

  test('what is there is not judged before the server has seen it', () => {
    expect(isValid(checkLogin({ email: 'anything', password: ' ' }))).toBe(true);
  });
});

describe('registration', () => {
  const ada = {
    email: 'ada@example.org',
    username: 'ada',
    phoneNumber: '+12345678900',
    password: 'secret',
    confirmPassword: 'secret',
  };

  test('a complete form has no objections', () => {
    expect(isValid(checkRegistration(ada))).toBe(true);
  });

  test('an empty form has one objection per field', () => {
    const empty = { email: '', username: '', phoneNumber: '', password: '', confirmPassword: '' };
    expect(checkRegistration(empty)).toEqual({
      email: 'Email is required',
      username: 'Username must be at least 3 characters',
      phoneNumber: 'Please enter a valid phone number in international format (e.g., +12345678900)',
      password: 'Password must be at least 6 characters',
      confirmPassword: null,
    });
  });

  test('AUTH-17: email is required', () => {
    expect(checkEmail(' ')).toBe('Email is required');
  });

  test.each([
    'ada',
    'ada@',
    '@example.org',
    'ada@example',
    'a b@example.org',
    'a@b@c.d',
    'ada,bob@example.org',
    'ada;bob@example.org',
    'Ada <ada@example.org>',
    '<ada@example.org>',
    '"ada"@example.org',
    'ada(home)@example.org',
    'ada:@example.org',
    'a\\da@example.org',
    'ada@[192.0.2.1]',
    'ada@example.org,bob@example.org',
    `${'a'.repeat(250)}@b.cd`,
  ])("AUTH-18: %s gets 'Email is invalid'", (email) => {
    expect(checkEmail(email)).toBe('Email is invalid');
  });

  test.each([
    ['a zero-width space', 'ada\u200b@example.org'],
    ['a soft hyphen', 'ada@exam\u00adple.org'],
    ['a direction override', 'ada\u202e@example.org'],
    ['a control character', 'ada\u0007@example.org'],
    ['half a character', 'ada\ud800@example.org'],
  ])('AUTH-18: an email with %s, which resembles another one, is invalid', (_, email) => {
    expect(checkEmail(email)).toBe('Email is invalid');
  });

  test('AUTH-18: a simple pattern admits ordinary addresses, blanks around them forgiven', () => {
    expect(checkEmail(' Ada.Lovelace+trading@mail.example.org ')).toBeNull();
    expect(normaliseEmail(' Ada@Example.ORG ')).toBe('ada@example.org');
  });

  test('AUTH-18: what a mail address may have besides letters is admitted', () => {
    expect(checkEmail("o'hara!#$%&*+-/=?^_`{|}~@example.org")).toBeNull();
  });

  test('A46: a username is written one way, however its letters were typed', () => {
    expect(normaliseUsername(' Zoe\u0308 ')).toBe('Zo\u00eb');
    expect(normaliseUsername('Zo\u00eb')).toBe('Zo\u00eb');
  });

  test('AUTH-19: a username has at least 3 characters', () => {
    for (const short of ['', 'ab', ' ab ', '😀😀']) {
      expect(checkUsername(short)).toBe('Username must be at least 3 characters');
    }
    expect(checkUsername('abc')).toBeNull();
    expect(checkUsername('a'.repeat(40))).toBeNull();
    expect(checkUsername('a'.repeat(41))).toBe('Username must be at most 40 characters');
  });

  test.each([
    ['a zero-width space', 'ad\u200bmin'],
    ['a zero-width joiner', 'ad\u200dmin'],
    ['a direction override', 'nimda\u202e'],
    ['a soft hyphen', 'ad\u00admin'],
    ['a variation selector', 'admin\ufe0f'],
    ['a Hangul filler', '\u3164\u3164\u3164'],
    ['an empty Braille cell', 'admin\u2800x'],
    ['a no-break space', 'ad\u00a0min'],
    ['a line separator', 'ad\u2028min'],
    ['a tag character', 'admin\u{e0061}'],
    ['a control character', 'ad\tmin'],
    ['half a character', 'admin\ud800'],
  ])('AUTH-19, ADMIN-35, ADMIN-46: a username with %s is refused', (_, username) => {
    expect(checkUsername(username)).toBe('Username must not contain invisible characters');
    // Staff may give shorter names, but no names that resemble another user's.
    expect(checkUsernameByStaff(username)).toBe('Username must not contain invisible characters');
  });

  test('AUTH-19: letters of every script, marks, spaces and symbols are visible', () => {
    for (const username of ['Zoë Müller', 'नमस्ते', '张伟明', 'Łukasz_1', 'محمد علي', 'trader 🚀']) {
      expect(checkUsername(username)).toBeNull();
      expect(checkUsernameByStaff(username)).toBeNull();
    }
  });

  test('AUTH-20: a password has at least 6 characters', () => {
    expect(checkNewPassword('12345')).toBe('Password must be at least 6 characters');
    expect(checkNewPassword('      ')).toBeNull();
  });

  test('AUTH-21: the confirmation equals the password', () => {
    expect(checkConfirmation('secret', 'Secret')).toBe('Passwords do not match');
    expect(checkRegistration({ ...ada, confirmPassword: '' }).confirmPassword).toBe('Passwords do not match');
  });

  test.each(['+12', '+123456789012345', '+4915112345678'])('AUTH-22: %s is a phone number', (phone) => {
    expect(checkPhoneNumber(phone)).toBeNull();
  });

  test.each([
    '',
    '12345678900',
    '+02345678900',
    '+1',
    '+1234567890123456',
    '+1 234 567',
    '+1234567x',
    '+12\n',
  ])('AUTH-22, AUTH-23: %j gets the stated text', (phone) => {
    expect(checkPhoneNumber(phone)).toBe(
      'Please enter a valid phone number in international format (e.g., +12345678900)',
    );
  });
});

describe('staff who add or edit a user', () => {
  test('ADMIN-35, ADMIN-46: only a blank username is refused, or one that does not fit', () => {
    expect(checkUsernameByStaff('  ')).toBe('Username is required');
    expect(checkUsernameByStaff('x')).toBeNull();
    expect(checkUsernameByStaff('x'.repeat(41))).toBe('Username must be at most 40 characters');
  });

  test.each(['', 'ada', 'ada@example'])("ADMIN-36, ADMIN-47: %j gets 'Valid email is required'", (email) => {
    expect(checkEmailByStaff(email)).toBe('Valid email is required');
    expect(checkEmailByStaff('ada@example.org')).toBeNull();
  });
});
