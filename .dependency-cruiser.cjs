/**
 * Imports point down (docs/architecture.md): domain <- contract <- platform <- features <- protocols <- main.
 * @type {import('dependency-cruiser').IConfiguration}
 */
const server = '^apps/server/src';
module.exports = {
  forbidden: [
    {
      name: 'no-circular',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    { name: 'no-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'domain-is-pure',
      comment: 'the domain imports nothing but itself',
      severity: 'error',
      from: { path: '^packages/domain/src', pathNot: '\\.test\\.ts$' },
      to: { pathNot: '^packages/domain/src' },
    },
    {
      name: 'contract-knows-only-domain',
      severity: 'error',
      from: { path: '^packages/contract/src', pathNot: '\\.test\\.ts$' },
      to: { pathNot: '^packages/(contract|domain)/src|node_modules/zod/' },
    },
    {
      name: 'platform-knows-no-feature',
      severity: 'error',
      from: { path: `${server}/platform` },
      to: { path: `${server}/(features|protocols|main)` },
    },
    {
      name: 'features-know-no-protocol',
      severity: 'error',
      from: { path: `${server}/features` },
      to: { path: `${server}/(protocols|main)` },
    },
    {
      name: 'feature-through-its-index',
      severity: 'error',
      from: { path: `${server}/features/([^/]+)/` },
      to: {
        path: `${server}/features/([^/]+)/`,
        pathNot: [`${server}/features/$1/`, `${server}/features/[^/]+/index\\.ts$`],
      },
    },
    {
      name: 'protocols-through-feature-index',
      severity: 'error',
      from: { path: `${server}/protocols` },
      to: { path: `${server}/features/`, pathNot: 'index\\.ts$' },
    },
    {
      name: 'nothing-imports-main',
      severity: 'error',
      from: { pathNot: '\\.test\\.ts$|/test/' },
      to: { path: `${server}/main\\.ts$` },
    },
    {
      name: 'web-is-not-the-server',
      severity: 'error',
      from: { path: '^apps/web' },
      to: { path: '^apps/server' },
    },
    {
      name: 'web-has-no-zod-contract',
      comment: 'the browser takes texts and types, not the schemas',
      severity: 'error',
      from: { path: '^apps/web/src' },
      to: {
        path: '^packages/contract/src/(index|tables|procedures|topics|errors)\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'web-feature-through-its-index',
      severity: 'error',
      from: { path: '^apps/web/src/features/([^/]+)/' },
      to: {
        path: '^apps/web/src/features/([^/]+)/',
        pathNot: ['^apps/web/src/features/$1/', '^apps/web/src/features/[^/]+/index\\.tsx?$'],
      },
    },
    {
      name: 'web-shared-knows-no-feature',
      severity: 'error',
      from: { path: '^apps/web/src/shared' },
      to: { path: '^apps/web/src/(features|app)' },
    },
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '/dist/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.mjs'],
    },
    combinedDependencies: true,
  },
};
