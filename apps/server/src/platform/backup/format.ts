/**
 * The file format of a logical backup. Invariant: a reader recognises a foreign, newer, truncated or changed file before
 * it uses any of its content, and holds neither the file nor a table in memory.
 *
 *     fulcrum-backup 1                           the format's version, in plain text
 *     <one gzip member>                          which holds, in UTF-8:
 *       {"madeAt":…,"migrations":…,"tables":…}     the head (`Head`), one line of JSON
 *       {"table":"app.users","columns":[…]}        for each table of the head, in its order: one line of JSON,
 *       …                                          its rows as COPY text (tab-separated, `\N` for null),
 *       \.                                         and COPY's own end mark
 *       {"rows":…,"ledger":…,"sequences":…}        the foot (`Foot`), one line of JSON
 *     sha256 <64 hex digits>                     over every byte before this line, in plain text
 *
 * `tail -c +18 FILE | head -c -72 | gunzip` shows the inside on a machine without Fulcrum.
 *
 * Known limitation: the digest finds damage, not forgery; an attacker who can write the file can also write its digest.
 * Encrypted (`encryption.ts`), a file of this format lies inside another one.
 */
import { z } from 'zod';
import { StartError } from '../start-error.ts';

export const formatVersion = 1;
export const magic = 'fulcrum-backup ';
export const prelude = Buffer.from(`${magic}${formatVersion}\n`);
/** The last line of the file: its label, the digest and a line feed. */
export const sealLength = 'sha256 '.length + 64 + 1;
export const sealOf = (digest: string): Buffer => Buffer.from(`sha256 ${digest}\n`);
/** Ends the rows of a table. COPY text escapes every backslash of a value, so no row looks like it. */
export const endOfRows = Buffer.from('\\.\n');

/** A refusal with a one-line reason that the operator can act on. */
export class BackupRefusal extends StartError {
  override readonly name = 'BackupRefusal';
}

/** A table as the catalogue has it, without generated columns; `name` is `schema.table`. */
const table = z.strictObject({ name: z.string(), columns: z.array(z.string()) });
export type BackupTable = z.infer<typeof table>;

const head = z.strictObject({
  /** ISO 8601 UTC, the instant of the snapshot. */
  madeAt: z.iso.datetime(),
  /** `server_version` of the PostgreSQL that was read. */
  postgresql: z.string(),
  migrations: z.array(z.strictObject({ name: z.string(), checksum: z.string() })),
  tables: z.array(table),
  /** Text of `secrets.json`; null when DATA_DIR had none. */
  secrets: z.string().nullable(),
});
export type Head = z.infer<typeof head>;

export const section = z.strictObject({ table: z.string(), columns: z.array(z.string()) });

const ledgerSummary = z.strictObject({
  rows: z.int(),
  /** SHA-256 over the rows in id order, as COPY text: equal for equal ledgers on every machine and version. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** Sum of all amounts in USDT, a decimal string; zero when the ledger is balanced. */
  sum: z.string(),
});
export type LedgerSummary = z.infer<typeof ledgerSummary>;

const foot = z.strictObject({
  /** Rows per table. */
  rows: z.record(z.string(), z.int()),
  ledger: ledgerSummary,
  /** `lastValue` as a decimal string; null when the sequence was never used. */
  sequences: z.array(z.strictObject({ name: z.string(), lastValue: z.string().nullable() })),
});
export type Foot = z.infer<typeof foot>;

export const parseHead = (line: string): Head => parse(head, line);
export const parseSection = (line: string): z.infer<typeof section> => parse(section, line);
export const parseFoot = (line: string): Foot => parse(foot, line);

/** @throws BackupRefusal when the line does not match the format. */
function parse<Shape>(schema: z.ZodType<Shape>, line: string): Shape {
  try {
    return schema.parse(JSON.parse(line));
  } catch (error) {
    throw new BackupRefusal('the backup does not keep to its own format', { cause: error });
  }
}

export const jsonLine = (content: Head | Foot | z.infer<typeof section>): Buffer =>
  Buffer.from(`${JSON.stringify(content)}\n`);

export const sameTables = (one: readonly BackupTable[], other: readonly BackupTable[]): boolean =>
  JSON.stringify(one.map(({ name, columns }) => [name, columns])) ===
  JSON.stringify(other.map(({ name, columns }) => [name, columns]));

/** Counts the rows in a piece of COPY text: each row ends in a line feed, and line feeds inside values are escaped. */
export function countRows(text: Buffer): number {
  let rows = 0;
  for (let at = text.indexOf(10); at !== -1; at = text.indexOf(10, at + 1)) rows += 1;
  return rows;
}
