/**
 * The texts of pages for visitors who are not signed in, so that their first page does not load all texts. Invariant:
 * `texts` contains each of them unchanged.
 */
export const publicTexts = {
  chartUnavailable: 'Chart temporarily unavailable',
  somethingWentWrong: 'Something went wrong',
  unexpectedError: 'An unexpected error occurred',
  amountOutOfRange: (min: string, max: string, step: string) =>
    `Amount must be between ${min} and ${max} in steps of ${step}.`,
} as const;
