/**
 * The file of an import of users: CSV with a head, separated by commas or semicolons (RFC 4180), with or without a byte order mark.
 * Invariant: a row is judged by its own fields and the rows before it; what the server knows of it comes later.
 */
import { addedTraderBalance, practiceBalance } from './accounts.ts';
import { asMoney, type Money, NO_MONEY, parseDecimal, toDecimalString } from './money.ts';
import {
  checkEmail,
  checkPhoneNumber,
  checkUsernameByStaff,
  MAX_USERNAME_LENGTH,
  normaliseEmail,
  normaliseUsername,
  type Objection,
} from './validation.ts';

/** The columns of the file; only `email` has to be there. */
export const importColumns = [
  'email',
  'username',
  'role',
  'manager',
  'start_balance',
  'phone',
  'class',
] as const;
type ImportColumn = (typeof importColumns)[number];
/** A row as it is written; an empty field is absent. */
export type ImportRow = Readonly<Record<ImportColumn, string>>;

/** Rows of one file. */
export const importRowsMax = 2000;
/** Characters of one file. */
export const importFileMax = 2 * 2 ** 20;
/** Characters of one cell. */
export const importCellMax = 254;
/** An administrator is created by an administrator, who proves their identity. */
export const importableRoles = ['trader', 'manager', 'support'] as const;
type ImportableRole = (typeof importableRoles)[number];

/** A row that can be imported as far as its own fields tell, in its normal form. */
export interface ImportedUser {
  readonly email: string;
  readonly username: string;
  readonly role: ImportableRole;
  /** Username or email of the manager; null for none. */
  readonly manager: string | null;
  /** USDT in 1e-8; of staff zero. */
  readonly startBalance: Money;
  readonly phoneNumber: string | null;
  /** The name of the class; null for none. */
  readonly className: string | null;
}

interface CsvRecord {
  /** The line of the text on which it begins, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** Records of a CSV text, or why it is none. Quotes are as in RFC 4180; a blank line is left out. */
export function parseCsv(
  text: string,
): { readonly records: readonly CsvRecord[] } | { readonly objection: string } {
  const body = text.replace(/^\uFEFF/, '');
  const [head = ''] = body.trimStart().split(/\r?\n/, 1);
  const separator = head.split(';').length > head.split(',').length ? ';' : ',';
  const records: CsvRecord[] = [];
  let cells: string[] = [];
  let field = '';
  let isQuoted = false;
  let line = 1;
  let beginsAt = 1;
  let quotedAt = 1;
  const endField = () => {
    cells.push(field);
    field = '';
  };
  const endRecord = () => {
    endField();
    if (cells.some((cell) => cell.trim() !== '')) records.push({ line: beginsAt, cells });
    cells = [];
    beginsAt = line;
  };
  for (let i = 0; i < body.length; i += 1) {
    const char = body[i] as string;
    if (char === '\n') line += 1;
    if (isQuoted) {
      if (char !== '"') field += char;
      else if (body[i + 1] === '"') {
        field += char;
        i += 1;
      } else isQuoted = false;
    } else if (char === '"' && field === '') {
      isQuoted = true;
      quotedAt = line;
    } else if (char === separator) endField();
    else if (char === '\n') endRecord();
    else if (char !== '\r') field += char;
  }
  if (isQuoted) return { objection: `The quote that opens on line ${quotedAt} is not closed.` };
  endRecord();
  return { records };
}

export interface ReadRow {
  /** The line of the file on which it begins, from 1. */
  readonly number: number;
  readonly row: ImportRow;
  /** Why it cannot be imported, or null. */
  readonly objection: Objection;
}

/** The rows of a file, or why it is none. */
export function readImportFile(
  text: string,
): { readonly rows: readonly ReadRow[] } | { readonly objection: string } {
  if (text.length > importFileMax) {
    return { objection: `The file is larger than ${importFileMax / 2 ** 20} MiB. Split it.` };
  }
  // What a decoder puts where bytes are no UTF-8.
  const misreadAt = text.indexOf('\uFFFD');
  if (misreadAt !== -1) {
    const line = text.slice(0, misreadAt).split('\n').length;
    return {
      objection: `Line ${line} has letters that are not in UTF-8. In Excel save the file as "CSV UTF-8", elsewhere choose the encoding UTF-8.`,
    };
  }
  const parsed = parseCsv(text);
  if ('objection' in parsed) return parsed;
  const [head, ...records] = parsed.records;
  if (!head) return { objection: 'The file is empty.' };
  const columns = head.cells.map((name) => name.trim().toLowerCase());
  const unknown = columns.find((name) => !importColumns.some((column) => column === name));
  if (unknown !== undefined) {
    return { objection: `The column "${unknown}" is unknown. Columns are ${importColumns.join(', ')}.` };
  }
  const repeated = columns.find((name, i) => columns.indexOf(name) !== i);
  if (repeated !== undefined) return { objection: `The file has two columns "${repeated}".` };
  if (!columns.includes('email')) return { objection: 'The file has no column "email".' };
  if (records.length === 0) return { objection: 'The file has no rows.' };
  if (records.length > importRowsMax) {
    return {
      objection: `The file has ${records.length} rows. At most ${importRowsMax} are imported at once.`,
    };
  }
  const emails = new Set<string>();
  const names = new Set<string>();
  const rows = records.map(({ line: number, cells }): ReadRow => {
    // A file of ours has an apostrophe before what a spreadsheet would take for a formula.
    const cell = (column: ImportColumn) =>
      (cells[columns.indexOf(column)] ?? '').trim().replace(/^'(?=[=+\-@])/, '');
    const row: ImportRow = {
      email: cell('email'),
      username: cell('username'),
      role: cell('role'),
      manager: cell('manager'),
      start_balance: cell('start_balance'),
      phone: cell('phone'),
      class: cell('class'),
    };
    const read = readImportRow(row);
    if ('objection' in read) return { number, row, objection: read.objection };
    const { email, username } = read.user;
    const objection = emails.has(email)
      ? 'This email is in the file already.'
      : names.has(username.toLowerCase())
        ? 'This username is in the file already.'
        : null;
    emails.add(email);
    names.add(username.toLowerCase());
    return { number, row, objection };
  });
  return { rows };
}

/** A row in its normal form, or why it cannot be imported. Without a username it has the mailbox of its email. */
export function readImportRow(
  row: ImportRow,
): { readonly user: ImportedUser } | { readonly objection: string } {
  const email = normaliseEmail(row.email);
  const [mailbox = ''] = email.split('@', 1);
  const username = normaliseUsername(row.username || [...mailbox].slice(0, MAX_USERNAME_LENGTH).join(''));
  const role = importableRoles.find((one) => one === (row.role || 'trader').toLowerCase());
  const balance = readBalance(row.start_balance, role ?? 'trader');
  const isStaff = role !== 'trader';
  const objection =
    checkCells(row) ??
    checkEmail(email) ??
    checkUsernameByStaff(username) ??
    (role === undefined ? `The role is one of ${importableRoles.join(', ')}.` : null) ??
    (balance === null ? balanceObjection() : null) ??
    (row.phone === '' ? null : checkPhoneNumber(row.phone)) ??
    (isStaff && row.manager !== '' ? 'Only a trader has a manager.' : null) ??
    (isStaff && row.class !== '' ? 'Only a trader joins a class.' : null) ??
    (isStaff && row.start_balance !== '' ? 'Only a trader has a start balance.' : null);
  if (objection !== null || role === undefined || balance === null) return { objection: objection ?? '' };
  return {
    user: {
      ...{ email, username, role, startBalance: balance },
      manager: row.manager || null,
      phoneNumber: row.phone || null,
      className: row.class || null,
    },
  };
}

/** Bounds of every cell, whatever it is for: a request with a cell beyond them is refused as a whole. */
function checkCells(row: ImportRow): Objection {
  const long = importColumns.find((column) => row[column].length > importCellMax);
  if (long !== undefined) return `The cell "${long}" has more than ${importCellMax} characters.`;
  const unreadable = importColumns.find(
    (column) => row[column].includes('\0') || !row[column].isWellFormed(),
  );
  return unreadable === undefined ? null : `The cell "${unreadable}" has characters that are no text.`;
}

const balanceObjection = () => `The start balance is from 0 to ${toDecimalString(practiceBalance.max)} USDT.`;

/** Null for a text that is no start balance. */
function readBalance(text: string, role: ImportableRole): Money | null {
  if (role !== 'trader') return NO_MONEY;
  if (text === '') return addedTraderBalance;
  try {
    const balance = asMoney(parseDecimal(text));
    return balance >= 0n && balance <= practiceBalance.max ? balance : null;
  } catch {
    return null;
  }
}
