import { describe, expect, test } from 'vitest';
import {
  checkKyc,
  checkKycField,
  getAge,
  type KycField,
  type KycFields,
  kycFields,
  kycLimits,
  normaliseKyc,
} from './kyc.ts';
import { disclosedReasons, isReason, kycReasons } from './kyc-reasons.ts';
import { isValid } from './validation.ts';

const today = '2026-11-21';

test('KYC-06: an age is counted in full years, and nothing but a date has one', () => {
  const births = ['1991-04-17', '2000-11-21', '2000-11-22', '2004-02-29', '2004-02-30', '?'];
  expect(births.map((birth) => getAge(birth, today))).toEqual([35, 26, 25, 22, null, null]);
});
const sound: KycFields = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  date_of_birth: '1990-04-23',
  country: 'United Kingdom',
  address: '12 St James’s Square',
  city: 'London',
  postal_code: 'SW1Y 4JH',
  document_type: 'passport',
  document_number: '123 456-789',
};
const objection = (field: KycField, value: string) => checkKycField(field, value, today);

describe('fields', () => {
  test('a complete set is accepted', () => {
    expect(isValid(checkKyc(sound, today))).toBe(true);
  });

  test.each(kycFields)('KYC-07: %s is required', (field) => {
    for (const blank of ['', '  \t']) expect(objection(field, blank)).toMatch(/is required$/);
  });

  test.each(['passport', 'id_card', 'drivers_license'])('KYC-08: %s is a document type', (type) => {
    expect(objection('document_type', type)).toBeNull();
  });

  test('KYC-08: no other is', () => {
    expect(objection('document_type', 'library_card')).toBe('Please choose a document type');
  });

  test.each(kycFields.filter((field) => !['date_of_birth', 'document_type'].includes(field)))(
    '%s accepts its limit of characters and no more, counted as code points',
    (field) => {
      expect(objection(field, '\u{20000}'.repeat(kycLimits[field]))).toBeNull();
      expect(objection(field, 'x'.repeat(kycLimits[field] + 1))).toMatch(/must be at most \d+ characters$/);
    },
  );

  test.each([
    ['a NUL', 'A\0da'],
    ['half of a surrogate pair', 'A\ud800'],
    ['a zero-width space', 'A\u200bda'],
    ['a change of direction', 'A\u202eda'],
    ['a Hangul filler', 'A\u3164'],
    ['an empty Braille cell', 'A\u2800'],
  ])('%s is refused', (_what, value) => {
    expect(objection('first_name', value)).toBe('First name must not contain invisible characters');
  });

  test('names of other scripts are taken, also with the joiners they are written with', () => {
    for (const name of ['مینا\u200cزهرا', 'O’Brien-Šmíd', '王小明', 'José María']) {
      expect(objection('first_name', name)).toBeNull();
    }
  });

  test('a number without a letter or digit is none: all of them would be the same document', () => {
    expect(objection('document_number', '---')).toBe('Document number must contain a letter or a digit');
  });

  test('white space is made even, letters are written in one way', () => {
    const typed = { ...sound, first_name: '  Ada\t Maria ', last_name: 'Lovele\u0301' };
    expect(normaliseKyc(typed)).toEqual({ ...sound, first_name: 'Ada Maria', last_name: 'Lovelé' });
  });
});

describe('date of birth', () => {
  test.each(['1990-04-23', '2000-02-29', '2026-11-20', '1906-11-21'])('%s is taken', (date) => {
    expect(objection('date_of_birth', date)).toBeNull();
  });

  test.each([
    '23.04.1990',
    '1990-02-30',
    '1900-02-29',
    '1990-13-01',
    '1990-00-10',
    '1990-04-00',
    '0090-04-23',
  ])('%s is no date', (date) => {
    expect(objection('date_of_birth', date)).toBe('Date of birth must be a date such as 1990-04-23');
  });

  test.each(['2026-11-21', '2026-11-22', '2990-04-23'])('%s is not in the past', (date) => {
    expect(objection('date_of_birth', date)).toBe('Date of birth must be in the past');
  });

  test('an age above 120 years is refused', () => {
    expect(objection('date_of_birth', '1906-11-20')).toBe('Date of birth must be within the last 120 years');
  });
});

describe('reasons', () => {
  test('codes are unique, texts are whole, and only rejection reasons allow no further attempt', () => {
    expect(new Set(kycReasons.map(({ code }) => code)).size).toBe(kycReasons.length);
    for (const { code, text, label, documents, kind, retryable } of kycReasons) {
      expect(code).toMatch(/^[a-z_]{1,40}$/);
      expect(text).toMatch(/\.$/);
      expect(text.length).toBeLessThanOrEqual(300);
      expect([label.length, documents.length]).not.toContain(0);
      expect(retryable).toBe(kind === 'revision');
    }
  });

  test('a reason belongs to its documents', () => {
    expect(isReason({ document: 'selfie', code: 'no_face' })).toBe(true);
    expect(isReason({ document: 'document_back', code: 'no_face' })).toBe(false);
    expect(isReason({ document: null, code: 'invented' })).toBe(false);
  });

  test('any confidential reasons become one neutral reason', () => {
    const disclosed = disclosedReasons([
      { document: 'document_front', code: 'altered' },
      { document: 'document_back', code: 'altered' },
      { document: null, code: 'watchlist' },
      { document: 'selfie', code: 'blurry' },
      { document: 'selfie', code: 'blurry' },
    ]);
    expect(disclosed).toEqual([
      {
        document: null,
        code: 'not_verified',
        text: 'We could not verify your identity with what was submitted.',
      },
      {
        document: 'selfie',
        code: 'blurry',
        text: 'The picture is blurred. Please take it again and hold still.',
      },
    ]);
  });

  test('no text of a confidential reason differs from another’s', () => {
    const texts = kycReasons.filter(({ confidential }) => confidential).map(({ text }) => text);
    expect(new Set(texts).size).toBe(1);
  });
});
