/** Parses client payloads; a refusal names the invalid field. */
import { AppError } from '@fulcrum/contract';
import { z } from 'zod';

/** @throws AppError invalid_argument */
export function parse<Schema extends z.ZodType>(schema: Schema, payload: unknown): z.output<Schema> {
  const parsed = schema.safeParse(payload);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new AppError(
    'invalid_argument',
    `${issue?.path.join('.') || 'payload'}: ${issue?.message ?? 'invalid'}`,
  );
}

/** The payload of a `presence` frame; `track` carries what the client announces. */
export const presencePayload = z.object({
  event: z.enum(['track', 'untrack']),
  payload: z.unknown().optional(),
});
/** What a topic's own schema lets through is an object. */
export const announcement = z.record(z.string(), z.unknown());
