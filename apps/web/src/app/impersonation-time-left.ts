/** The remaining time of an impersonation: a sentence that screen readers announce rarely. */

/** The announcement for screen readers, at five minutes and at one. */
export function formatTimeLeftNotice(seconds: number): string {
  if (seconds > 300) return '';
  return seconds > 60 ? 'The impersonation ends in 5 minutes.' : 'The impersonation ends in 1 minute.';
}
