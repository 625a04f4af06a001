/**
 * Parses `CONTACT_EMAIL` and `CONTACT_PHONE`, which the public pages show. Both have the same format as in accounts, so
 * visitors can use them unchanged.
 */
import { checkEmail, checkPhoneNumber, normaliseEmail } from '@fulcrum/domain';
import { z } from 'zod';

export const contactEmail = z
  .string()
  .refine((text) => checkEmail(text) === null)
  .transform(normaliseEmail);

export const contactPhone = z.string().refine((text) => checkPhoneNumber(text) === null);
