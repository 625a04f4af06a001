/** Whether the text is a whole number from 1 to `max`, without a sign and leading zeros. */
export const isWholeTo = (text: string, max: number): boolean =>
  /^[1-9]\d{0,8}$/.test(text.trim()) && Number(text) <= max;
