/**
 * How the operator is reached, as public pages tell it: `CONTACT_EMAIL` and `CONTACT_PHONE`. They have the forms that
 * accounts have: what a page shows can be written to and dialled as it stands.
 */
import { checkEmail, checkPhoneNumber, normaliseEmail } from '@fulcrum/domain';
import { z } from 'zod';

export const contactEmail = z
  .string()
  .refine((text) => checkEmail(text) === null)
  .transform(normaliseEmail);

export const contactPhone = z.string().refine((text) => checkPhoneNumber(text) === null);
