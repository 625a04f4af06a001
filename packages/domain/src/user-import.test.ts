import { describe, expect, test } from 'vitest';
import { parseDecimal } from './money.ts';
import {
  type ImportRow,
  importCellMax,
  importFileMax,
  importRowsMax,
  parseCsv,
  readImportFile,
  readImportRow,
} from './user-import.ts';

const row = (more: Partial<ImportRow> = {}): ImportRow => ({
  ...{ email: 'kira@school.example', username: '', role: '', manager: '', start_balance: '' },
  ...{ phone: '', class: '' },
  ...more,
});

describe('CSV (RFC 4180)', () => {
  test('reads quotes, line ends of every kind, a byte order mark and semicolons', () => {
    const records = [
      { line: 1, cells: ['a', 'b'] },
      { line: 2, cells: ['1,5', 'cry "hi"\nthere'] },
    ];
    expect(parseCsv('\uFEFFa,b\r\n"1,5","cry ""hi""\nthere"\r\n')).toEqual({ records });
    expect(parseCsv('a;b\n1,5;"cry ""hi""\nthere"\n\n')).toEqual({ records });
  });

  test('states the line on which a record begins, past blank lines and line breaks in quotes', () => {
    const parsed = parseCsv('\na;b\n\n"one\ntwo";2\r\n\r\n;\n3;4');
    expect(parsed).toEqual({
      records: [
        { line: 2, cells: ['a', 'b'] },
        { line: 4, cells: ['one\ntwo', '2'] },
        { line: 8, cells: ['3', '4'] },
      ],
    });
  });
});

describe('the file of an import', () => {
  test('has rows in any order of columns; a row without a username has its mailbox', () => {
    const file = readImportFile('Username,EMAIL\nKira,Kira@School.Example\n,leo@school.example\n');
    expect(file).toEqual({
      rows: [
        { number: 2, row: row({ email: 'Kira@School.Example', username: 'Kira' }), objection: null },
        { number: 3, row: row({ email: 'leo@school.example' }), objection: null },
      ],
    });
    expect(readImportRow(row({ email: 'Leo@School.Example' }))).toEqual({
      user: {
        ...{ email: 'leo@school.example', username: 'leo', role: 'trader', manager: null, className: null },
        ...{ phoneNumber: null, startBalance: parseDecimal('10000') },
      },
    });
  });

  test('refuses what is no import, in words', () => {
    const objection = (text: string) => {
      const file = readImportFile(text);
      return 'objection' in file ? file.objection : null;
    };
    expect(objection('')).toBe('The file is empty.');
    expect(objection('email\n')).toBe('The file has no rows.');
    expect(objection('username\nkira\n')).toBe('The file has no column "email".');
    expect(objection('email,password\na@b.c,secret\n')).toContain('"password" is unknown');
    expect(objection('email,Email\na@b.c,d@e.f\n')).toBe('The file has two columns "email".');
    expect(objection('email\na@b.c\n"d@e.f\ng@h.i\n')).toBe('The quote that opens on line 3 is not closed.');
    // A file in Windows-1252, read as UTF-8.
    const misread = new TextDecoder().decode(
      Uint8Array.of(...Buffer.from('email,username\n\na@b.c,J'), 0xfc),
    );
    expect(objection(misread)).toContain('Line 3 has letters that are not in UTF-8. In Excel save');
    expect(objection(`email\n${'a'.repeat(importFileMax)}`)).toBe('The file is larger than 2 MiB. Split it.');
    const many = Array.from({ length: importRowsMax + 1 }, (_, i) => `a${i}@b.example`);
    expect(objection(`email\n${many.join('\n')}`)).toContain('At most 2000');
    expect(objection(`email\n${many.slice(1).join('\n')}`)).toBeNull();
  });

  test('has an objection to a row, the second of two equal ones included', () => {
    const file = readImportFile(
      'email,username,phone\nkira@b.example,kira,\nKIRA@b.example,other,\nleo@b.example,Kira,\nno-email,,\nmia@b.example,,12\n',
    );
    expect('rows' in file && file.rows.map(({ objection }) => objection)).toEqual([
      null,
      'This email is in the file already.',
      'This username is in the file already.',
      'Email is invalid',
      'Please enter a valid phone number in international format (e.g., +12345678900)',
    ]);
  });

  test('refuses an admin, and what only a trader has', () => {
    const objectionOf = (more: Partial<ImportRow>) => {
      const read = readImportRow(row(more));
      return 'objection' in read ? read.objection : null;
    };
    expect(objectionOf({ role: 'admin' })).toBe('The role is one of trader, manager, support.');
    expect(objectionOf({ role: 'Manager' })).toBeNull();
    expect(objectionOf({ role: 'manager', manager: 'mona' })).toBe('Only a trader has a manager.');
    expect(objectionOf({ role: 'support', start_balance: '5' })).toBe('Only a trader has a start balance.');
    expect(objectionOf({ role: 'support', class: '9b' })).toBe('Only a trader joins a class.');
    for (const start_balance of ['-1', 'much', '10000000.1', '0.123456789']) {
      expect(objectionOf({ start_balance })).toBe('The start balance is from 0 to 10000000 USDT.');
    }
    const long = 'a'.repeat(importCellMax + 1);
    expect(objectionOf({ manager: long })).toBe('The cell "manager" has more than 254 characters.');
    expect(objectionOf({ class: long })).toBe('The cell "class" has more than 254 characters.');
    expect(objectionOf({ manager: long.slice(1) })).toBeNull();
    for (const text of ['a\0b', 'a\uD800b']) {
      expect(objectionOf({ manager: text })).toBe('The cell "manager" has characters that are no text.');
      expect(objectionOf({ class: text })).toBe('The cell "class" has characters that are no text.');
    }
    expect(objectionOf({ start_balance: '2500.50', phone: '+12025550111' })).toBeNull();
  });
});
