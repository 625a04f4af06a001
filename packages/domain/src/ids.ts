const form = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether this can be the id of a row: what else a field, an address or a filter names, PostgreSQL would refuse. */
export const isUuid = (text: string): boolean => form.test(text);
