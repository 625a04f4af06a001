/** Numbers in the form that operators write. */
import { z } from 'zod';

/** Parses a decimal number within bounds; unlike `Number` it refuses '', '1e3' and '0x10'. */
export const decimalBetween = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+(\.\d+)?$/)
    .transform(Number)
    .refine((value) => value >= min && value <= max);
export const integerBetween = (min: number, max: number) => decimalBetween(min, max).refine(Number.isInteger);
