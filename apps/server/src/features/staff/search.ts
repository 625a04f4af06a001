/**
 * A part of a username or an email, for `lower(username) like` and `email like` (emails are stored in small letters); it holds
 * no wildcards of the typist's.
 */
export const partPattern = (text: string): string => `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
