/** OpenAPI 3.1 descriptions of `/rest/v1` and `/fapi`, generated from the contract. */
export type { ErrorRow, OpenApiDocument, Operation } from './document.ts';
export { describeExchange } from './exchange.ts';
export { describeRest } from './rest.ts';
