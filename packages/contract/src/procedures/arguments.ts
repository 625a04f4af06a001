/** Arguments that several procedures take, each with one limit. Lengths with a stated text are the domain's; these bound what is read. */
import { z } from 'zod';

/** Made by the client, unique per user: a repeat returns the stored answer. */
export const clientId = z.string().min(1).max(64).nullish();
/** Why staff do it; absent or blank is answered with what to do. */
export const reason = z
  .string()
  .max(500)
  .refine((text) => !text.includes('\0'), 'Control characters are not allowed')
  .nullish();
/** Text for a search or for JSON: PostgreSQL takes neither NUL nor half a character. */
export const storable = (lengthMax: number) =>
  z
    .string()
    .max(lengthMax)
    .refine((text) => !text.includes('\0') && text.isWellFormed(), 'Control characters are not allowed');
/** Part of a name, as somebody types it; it holds no wildcards. */
export const search = storable(100).nullish();
/** From 1; an offset beyond what a list may skip is refused. */
export const page = z.number().int().min(1).max(10_000).nullish();
export const pageSize = z.number().int().min(1).max(100).nullish();
/** ISO 8601 with an offset; a range is from (inclusive) to (exclusive). */
export const moment = z.iso.datetime({ offset: true }).nullish();
