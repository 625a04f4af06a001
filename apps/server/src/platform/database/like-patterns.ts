/** Patterns of `like` for texts that a user typed: no character of them is a wildcard. */

/**
 * The beginning of a username or an email, for `lower(username) like` and `email like` (emails are stored in small letters); it
 * holds no wildcards of the typist's.
 */
export const prefixPattern = (text: string): string => `${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
/** A part of one. */
export const substringPattern = (text: string): string => `%${prefixPattern(text)}`;
