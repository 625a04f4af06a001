/** The form of a row's id. What an address or a field names is held to it before the server, which refuses another, is asked. */
export const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
