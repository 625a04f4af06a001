import { describe, expect, test } from 'vitest';
import {
  checkConfirmation,
  checkEmail,
  checkLogin,
  checkNewPassword,
  checkPhoneNumber,
  checkRegistration,
  checkUsername,
  isValid,
  normaliseEmail,
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
    `${'a'.repeat(250)}@b.cd`,
  ])("AUTH-18: %s gets 'Email is invalid'", (email) => {
    expect(checkEmail(email)).toBe('Email is invalid');
  });

  test('AUTH-18: a simple pattern admits ordinary addresses, blanks around them forgiven', () => {
    expect(checkEmail(' Ada.Lovelace+trading@mail.example.org ')).toBeNull();
    expect(normaliseEmail(' Ada@Example.ORG ')).toBe('ada@example.org');
  });

  test('AUTH-19: a username has at least 3 characters', () => {
    for (const short of ['', 'ab', ' ab ', '😀😀']) {
      expect(checkUsername(short)).toBe('Username must be at least 3 characters');
    }
    expect(checkUsername('abc')).toBeNull();
    expect(checkUsername('a'.repeat(40))).toBeNull();
    expect(checkUsername('a'.repeat(41))).toBe('Username must be at most 40 characters');
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
