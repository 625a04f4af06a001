/** Of a column with an instant: whole milliseconds since the epoch, as a JavaScript number. */
export const epochMsSql = (column: string): string => `round(extract(epoch from ${column}) * 1000)::float8`;
