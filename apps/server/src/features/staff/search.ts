/** What somebody types to find a person: an id, or a part of a username or email. Both forms are for parameters of a statement. */

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
export const isId = (text: string): boolean => uuid.test(text);

/** For `lower(username) like` and `email like` (emails are stored in small letters); it holds no wildcards of the typist's. */
export const partPattern = (text: string): string => `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
