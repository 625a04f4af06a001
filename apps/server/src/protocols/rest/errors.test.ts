import { expect, test } from 'vitest';
import { answerTo } from './errors.ts';

const failure = (code: string) => Object.assign(new Error('connect /tmp/secret.sock'), { code });

test('without PostgreSQL the answer is busy and does not reveal how it is reached', () => {
  for (const code of ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT']) {
    const answer = answerTo(failure(code));
    expect(answer).toMatchObject({ status: 503, code: 'busy' });
    expect(answer?.body().message).toBe('The service is busy. Please try again shortly.');
  }
});

test('what a concurrent transaction, a lock or a stopping PostgreSQL undid may be tried again', () => {
  for (const code of ['40001', '40P01', '55P03', '57P01', '53300', '08006', '25P03']) {
    expect(answerTo(failure(code))).toMatchObject({ status: 503, code });
  }
});

test('a cancelled statement retains PostgreSQL’s code, and an unknown failure is a fault', () => {
  expect(answerTo(failure('57014'))).toMatchObject({ status: 503, code: '57014' });
  expect(answerTo(failure('ENOENT'))).toBeNull();
  expect(answerTo(new Error('anything'))).toBeNull();
});
