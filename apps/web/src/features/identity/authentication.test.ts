import { expect, test } from 'vitest';
import { loginFailureText, registrationFailureText } from './authentication.ts';

test('AUTH-10: wrong credentials', () => {
  expect(loginFailureText({ message: 'whatever', status: 400, code: 'invalid_credentials' })).toBe(
    'Invalid login credentials',
  );
});
test('AUTH-11: an answer without a user', () => {
  const error = {
    message: 'Auth session or user missing',
    status: 500,
    name: 'AuthInvalidTokenResponseError',
  };
  expect(loginFailureText(error)).toBe('User not found');
});
test('AUTH-13: any other login failure has the default text', () => {
  expect(loginFailureText({ message: 'boom', status: 500 })).toBe('An error occurred during login');
  expect(loginFailureText({ message: 'Failed to fetch', status: 0 })).toBe('An error occurred during login');
});
test('a rate limit states how long to wait', () => {
  const message = 'Too many attempts. Please try again in 30 seconds.';
  expect(loginFailureText({ message, status: 429, code: 'over_request_rate_limit' })).toBe(message);
  expect(registrationFailureText({ message, status: 429 })).toBe(message);
});
test('AUTH-27: a registration refused by a rule shows its text, a fault the default', () => {
  expect(registrationFailureText({ message: 'This username is taken.', status: 422 })).toBe(
    'This username is taken.',
  );
  expect(registrationFailureText({ message: 'boom', status: 500 })).toBe('An error occurred');
  expect(registrationFailureText({ message: '', status: 400 })).toBe('An error occurred');
});
test('ERR-44: each reason of a weak password is listed, and a refusal without reasons keeps its message', () => {
  const weak = { message: 'Password is too weak', status: 422, code: 'weak_password' };
  expect(registrationFailureText({ ...weak, reasons: ['length', 'pwned'] })).toBe(
    'Password must be at least 6 characters. Password is known from a leak.',
  );
  expect(registrationFailureText({ ...weak, reasons: [] })).toBe('Password is too weak');
  expect(registrationFailureText({ ...weak, reasons: ['unheard_of'] })).toBe('Password is too weak');
});
