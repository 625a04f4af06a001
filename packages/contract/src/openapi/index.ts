/** OpenAPI 3.1 descriptions of `/rest/v1` and `/fapi`, generated from the contract. */
export type { DescribedServer, ErrorRow, OpenApiDocument, Operation, PathItem } from './document.ts';
export { describeExchange } from './exchange.ts';
export { describeRest } from './rest.ts';
