/** Numbers as an operator writes them. */
import { z } from 'zod';

/** A decimal number within bounds; unlike `Number` it takes neither '' nor '1e3' nor '0x10'. */
export const decimalBetween = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+(\.\d+)?$/)
    .transform(Number)
    .refine((value) => value >= min && value <= max);
export const integerBetween = (min: number, max: number) => decimalBetween(min, max).refine(Number.isInteger);
