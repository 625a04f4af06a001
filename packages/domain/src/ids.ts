const form = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether the text is a uuid. PostgreSQL refuses any other text as the id of a row. */
export const isUuid = (text: string): boolean => form.test(text);
