/**
 * Schemas of the bodies of `/storage/v1`, as storage-js sends them; other keys belong to services that Fulcrum does not
 * have.
 */
import { z } from 'zod';
import { sortColumns } from '../../features/files/index.ts';
import { invalidRequest } from './errors.ts';

export const bodyBytesMax = 64 * 1024;
const listLimitMax = 1000;
const offsetMax = 1_000_000;
const pathsMax = 100;
const charsMax = 300;

// PostgreSQL's text cannot hold a NUL, so no name has one.
const name = z
  .string()
  .max(charsMax)
  .refine((text) => !text.includes('\0'), 'Control characters are not allowed');

/**
 * CALL-17: 100 entries from the first one, by name ascending. A larger limit is reduced, as the pages of `/rest/v1` are.
 */
export const listBody = z.object({
  prefix: name.default(''),
  limit: z
    .int()
    .min(1)
    .default(100)
    .transform((limit) => Math.min(limit, listLimitMax)),
  offset: z.int().min(0).max(offsetMax).default(0),
  search: name.default(''),
  sortBy: z
    .object({
      column: z.enum(sortColumns).default('name'),
      order: z.enum(['asc', 'desc']).default('asc'),
    })
    .prefault({}),
});

const expiresIn = z.int().min(1);
/** Pictures are served unchanged: a transformation is refused and not ignored. */
const transform = z.undefined({ error: 'Transformations are not served here.' }).optional();

export const signBody = z.object({ expiresIn, transform, versionId: z.uuid().nullable().default(null) });
export const signAllBody = z.object({
  expiresIn,
  paths: z.array(z.string().max(charsMax)).min(1).max(pathsMax),
});

/** @throws AppError `invalid_argument` that names the first thing at fault */
export function read<T>(schema: z.ZodType<T>, body: unknown): T {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = issue?.path.join('.') ?? '';
  throw invalidRequest(`${path === '' ? 'body' : path}: ${issue?.message ?? 'invalid'}`);
}
