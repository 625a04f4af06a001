/**
 * Arguments that several procedures take, each with one limit. The domain checks lengths with a stated text; these
 * bound what the server reads.
 */
import { z } from 'zod';

/** Made by the client, unique per user: a repeat returns the stored answer. */
export const clientId = z.string().min(1).max(64).nullish();
/** The reason of a staff action; the answer to an absent or blank one states what to do. */
export const reason = z
  .string()
  .max(500)
  .refine((text) => !text.includes('\0'), 'Control characters are not allowed')
  .nullish();
/** Text for a search or for JSON: PostgreSQL accepts neither NUL nor half a surrogate pair. */
export const storableText = (lengthMax: number) =>
  z
    .string()
    .max(lengthMax)
    .refine((text) => !text.includes('\0') && text.isWellFormed(), 'Control characters are not allowed');
/** Part of a name as typed; no character is a wildcard. */
export const search = storableText(100).nullish();
/** From 1; an offset beyond what a list may skip is refused. */
const page = z.number().int().min(1).max(10_000).nullish();
/** Which rows of a list. */
export const paged = { p_page: page, p_page_size: z.number().int().min(1).max(100).nullish() };
export const sortedPage = <const Sorts extends readonly string[]>(sorts: Sorts) => ({
  p_sort: z.enum(sorts).nullish(),
  p_ascending: z.boolean().nullish(),
  ...paged,
});
/** ISO 8601 with an offset. */
export const instant = z.iso.datetime({ offset: true });
/** A range is from (inclusive) to (exclusive). */
export const dateTime = instant.nullish();
