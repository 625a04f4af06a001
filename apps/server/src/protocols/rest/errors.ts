/**
 * Errors of `/rest/v1` in PostgREST's shape, `{code, message, details, hint}`, which supabase-js hands to its users
 * unchanged. Codes are PostgREST's (`PGRST…`), PostgreSQL's (`42501`, `22P02` …) or the contract's own (`AppError`).
 * Invariant: an answer never carries the text of a fault; what is not in this file is logged and answered 500.
 */
import { AppError, constraintTexts, texts } from '@fulcrum/contract';
import { isOverload } from '../../platform/database/index.ts';

interface ErrorBody {
  readonly code: string;
  readonly message: string;
  readonly details: string | null;
  readonly hint: string | null;
}

export class RestError extends Error {
  readonly code: string;
  readonly status: number;
  readonly details: string | null;
  readonly hint: string | null;
  constructor(
    status: number,
    code: string,
    message: string,
    more: { details?: string | null; hint?: string | null } = {},
  ) {
    super(message);
    this.name = 'RestError';
    this.status = status;
    this.code = code;
    this.details = more.details ?? null;
    this.hint = more.hint ?? null;
  }
  body(): ErrorBody {
    return { code: this.code, message: this.message, details: this.details, hint: this.hint };
  }
}

/** The query string or a header cannot be read, or asks for something outside the grammar. */
export const malformed = (message: string, more: { details?: string; hint?: string } = {}) =>
  new RestError(400, 'PGRST100', message, more);

export const badBody = (message: string) => new RestError(400, 'PGRST102', message);

export const noSuchTable = (table: string) =>
  new RestError(404, 'PGRST205', `Could not find the table 'public.${table}' in the schema cache`);

export const noSuchProcedure = (procedure: string) =>
  new RestError(404, 'PGRST202', `Could not find the function public.${procedure} in the schema cache`);

export const noSuchColumn = (table: string, column: string) =>
  new RestError(400, '42703', `column ${table}.${column} does not exist`);

export const noSuchRelation = (table: string, target: string) =>
  new RestError(
    400,
    'PGRST200',
    `Could not find a relationship between '${table}' and '${target}' in the schema cache`,
  );

/** A filter or order names an embed that the select does not have. */
export const notEmbedded = (name: string) =>
  new RestError(400, 'PGRST108', `'${name.slice(0, 63)}' is not an embedded resource in this request`, {
    hint: `Verify that '${name.slice(0, 63)}' is included in the 'select' query parameter.`,
  });

/** 401 asks an anonymous caller to sign in; 403 states that the role of a signed-in one does not suffice. */
export const denied = (role: string, object: string) =>
  new RestError(role === 'anon' ? 401 : 403, '42501', `permission denied for ${object}`);

export const badValue = (type: string, value: string) =>
  new RestError(400, '22P02', `invalid input syntax for type ${type}: "${value.slice(0, 100)}"`);

export const notOneRow = (rows: number) =>
  new RestError(406, 'PGRST116', 'Cannot coerce the result to a single JSON object', {
    details: `The result contains ${rows} rows`,
  });

/** A write that would reach more rows than one request may. Nothing was written. */
export const tooManyRows = (rowsMax: number) =>
  new RestError(400, 'PGRST124', `One request writes at most ${rowsMax} rows`, {
    hint: 'Narrow the filter.',
  });

export const missingValue = (column: string) =>
  new RestError(400, '23502', `null value in column "${column}" violates not-null constraint`);

const pgCode = (error: unknown): string | null =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;

/** The contract's text for the constraint that PostgreSQL named, if there is one. */
function constraintText(error: unknown): string | undefined {
  const isNamed = error instanceof Error && 'constraint' in error && typeof error.constraint === 'string';
  return isNamed ? constraintTexts.get(String(error.constraint)) : undefined;
}

/** What a client can cause in PostgreSQL with a well-formed row. */
const violations: Readonly<Record<string, { status: number; message: string }>> = {
  '21000': { status: 400, message: 'two rows of one upsert have the same key' },
  '23502': { status: 400, message: 'a required column has no value' },
  '23503': { status: 409, message: 'the row refers to a row that does not exist' },
  '23505': { status: 409, message: 'duplicate key value violates unique constraint' },
  '23514': { status: 400, message: 'a value violates a check of its column' },
};

interface FastifyFault {
  readonly statusCode: number;
  readonly code: string;
}
const isFastifyFault = (error: unknown): error is Error & FastifyFault =>
  error instanceof Error &&
  'statusCode' in error &&
  typeof error.statusCode === 'number' &&
  'code' in error &&
  typeof error.code === 'string' &&
  error.code.startsWith('FST_');

/** Returns the response to an error, or null for a fault: it is logged, and answered without its text. */
export function answerTo(error: unknown): RestError | null {
  if (error instanceof RestError) return error;
  if (error instanceof AppError) {
    return new RestError(error.status, error.code, error.message, {
      details: error.details,
      hint: error.hint,
    });
  }
  if (isFastifyFault(error) && error.statusCode < 500) {
    if (error.statusCode === 413)
      return new RestError(413, 'payload_too_large', 'The request body is too large');
    return new RestError(error.statusCode, 'PGRST102', 'Empty or invalid json');
  }
  if (error instanceof SyntaxError && 'statusCode' in error) return badBody('Empty or invalid json');
  const code = pgCode(error);
  if (code === null) return null;
  // A system code (ECONNREFUSED) describes the connection to the database, which is not public.
  if (isOverload(error)) return new RestError(503, code.startsWith('E') ? 'busy' : code, texts.busy);
  const violated = violations[code];
  if (violated) return new RestError(violated.status, code, constraintText(error) ?? violated.message);
  // Class 22, data exception: the value passed the parser, but PostgreSQL cannot store it.
  if (code.startsWith('22')) return new RestError(400, code, 'a value is outside the range of its column');
  return null;
}

/** The answer to a fault; `requestId` finds it in the log. */
export const fault = (requestId: string) =>
  new RestError(500, 'internal', texts.unexpectedError, { details: `Request ${requestId}` });
