/**
 * Those of the user's texts that pages need before anybody is signed in, so that a visitor's first page does not carry all
 * of them. Invariant: they are part of `texts`, word for word.
 */
export const publicTexts = {
  chartUnavailable: 'Chart temporarily unavailable',
  somethingWentWrong: 'Something went wrong',
  unexpectedError: 'An unexpected error occurred',
  amountOutOfRange: (min: string, max: string, step: string) =>
    `Amount must be between ${min} and ${max} in steps of ${step}.`,
} as const;
