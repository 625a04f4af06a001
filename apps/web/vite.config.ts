/**
 * Builds the browser app. The server's content policy is `script-src 'self'`, so nothing is inlined. `budgets` fails the build
 * when a route exceeds its weight, `preloads` prefetches the first page of a visit, and `precompress` writes `.br` and `.gz`
 * beside each text asset.
 */
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { budgets } from './build/budgets.ts';
import { precompress } from './build/precompress.ts';
import { preloads } from './build/preloads.ts';

const backend = process.env.FULCRUM_SERVER ?? 'http://127.0.0.1:3000';
const proxied = ['/auth/v1', '/exports/v1', '/openapi', '/rest/v1', '/config.json', '/health'];
const shell = ['src/app/layouts/TraderLayout.tsx', 'src/shared/supabase/client.ts'];

const dashboard = ['src/features/dashboard/DashboardPage.tsx', ...shell];

/** Modules of every page, for visitors and users. */
const base =
  /node_modules[\\/]((react|react-dom|scheduler|react-router|zustand)[\\/]|lucide-react[\\/]dist[\\/]esm[\\/](?!icons[\\/](?!(check|info|user|x)\.)))|vite[\\/]preload-helper|\/contract\/src\/public-texts|\/src\/app\/(ErrorBoundary|Page|Unreachable|lazyPage|layouts\/(Main|SkipLink|useLogout))\.|\/src\/features\/(market\/prices\/frames|static\/Article)\.|\/src\/shared\/(code\/(?!lazy-(part|dialog))|log\/(log|redact)|session\/|supabase\/(claims|config|connect|request|rows|sessionKey|useServerConfig)|ui\/(Badge|Brand|Button|Spinner|states|toasts|useMediaQuery))/;
/** Modules of every page with prices, with or without an account. */
const figures =
  /\/packages\/domain\/src\/(margin|money|pairs|rules)\.ts|\/src\/shared\/(numbers\/(figures|format)|order-draft\/visitor-draft|prices\/state-labels|third-party\/frame|ui\/(instrument|InstrumentMark|useWidth))\./;

/** Modules of the login, the first page of a returning user; registration and reset share most of them. */
const signIn =
  /\/src\/(app\/layouts\/AuthLayout|features\/identity\/(AuthForm|LoginPage|authentication|password-updated|recovery))\./;
/** What the login shares with every form, and the texts of signed-in pages. */
const forms =
  /\/src\/(features\/identity\/LogInAgainButton|shared\/(form\/use(Request|Submission)|ui\/Field))\.|\/icons\/eye(-off)?\.|\/packages\/(domain\/src\/validation|contract\/src\/texts)\.ts/;

/** Dialogs, menus, fields and tables, the icons that several pages show, and the figures of an account; not those of single pages. */
const controls =
  /node_modules[\\/](@radix-ui|@floating-ui|lucide-react)[\\/]|\/src\/shared\/(ui|table|form|decimals|combobox|explained|order-draft|download|numbers|time|selected-pair|ids)\/(?!useExport|DownloadButton|term-fields)|\/packages\/domain\/src\/(?!kyc|canned|contact|programs|coach|own-limits|bar-statistics|journal|classes|chat)/;

export default defineConfig({
  plugins: [
    react(),
    tailwindcss(),
    budgets([
      {
        route: 'landing',
        limit_kB: 110,
        scriptsMax: 6,
        modules: ['src/features/landing/LandingPage.tsx'],
        withDynamicImportsOf: ['src/features/landing/'],
      },
      { route: 'signed-in shell', limit_kB: 200, scriptsMax: 7, modules: shell },
      // The first row of the dashboard costs at most 40 kB beyond the shell; the others come as they are reached.
      {
        route: 'dashboard, first row',
        limit_kB: 207,
        scriptsMax: 12,
        modules: dashboard,
      },
      {
        route: 'trading',
        limit_kB: 400,
        scriptsMax: 16,
        modules: [...shell, 'src/features/trading/index.ts'],
        withDynamicImportsOf: ['src/features/trading/', 'src/features/market/'],
      },
    ]),
    preloads([
      { path: '/', for: 'visitor', modules: ['src/features/landing/LandingPage.tsx'] },
      {
        path: '/login',
        for: 'visitor',
        modules: ['src/app/layouts/AuthLayout.tsx', 'src/features/identity/LoginPage.tsx'],
      },
      { path: '/dashboard', for: 'returning', modules: dashboard },
      { path: '/trading', for: 'returning', modules: ['src/features/trading/index.ts', ...shell] },
    ]),
    precompress(),
  ],
  build: {
    target: 'es2023',
    assetsInlineLimit: 0,
    // The viewer of the API reference alone is larger than 500 kB; `budgets` limits what pages load.
    chunkSizeWarningLimit: 600,
    // Every browser that supports the target's syntax preloads modules itself, or works without.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // An import from a barrel of shared/ or of a feature includes the named modules only, not the dialogs and charts beside them.
      treeshake: {
        moduleSideEffects: [{ test: /\/src\/(shared|features)\/.*\.tsx?$/, sideEffects: false }],
      },
      output: {
        codeSplitting: {
          // By default the bundler creates a chunk for each few modules that two pages share: more requests, and worse
          // compression. A group includes the imports of its modules that no earlier group contains.
          groups: [
            { name: 'base', test: base },
            { name: 'figures', test: figures },
            { name: 'landing', test: /\/src\/features\/landing\/(?!Showcase)/ },
            { name: 'forms', test: forms },
            { name: 'sign-in', test: signIn },
            // The base of a signed-in page, in one request instead of fourteen.
            {
              name: 'client',
              test: /\/src\/(shared\/supabase\/(client|send-on-unload)|features\/market\/prices\/mark-price-refresh)\./,
            },
            { name: 'shell', test: /\/src\/(app\/layouts\/TraderLayout|shared\/(ids|is-record)\/index)\./ },
            {
              name: 'prices',
              test: /\/src\/features\/market\/(prices\/(usePrices|DayFigures)|pairs\/usePairs)\./,
            },
            // The plots of the dashboard's first row, in one request instead of six.
            { name: 'plots', test: /\/src\/shared\/plot\/(?!BarChart)/ },
            {
              name: 'widgets',
              test: /\/src\/(shared\/(widget\/|account\/|journal-link\/|code\/lazy-part|figure-lines\/|url-state\/|user-settings\/|supabase\/keyset-pages|ui\/(ReadError|Table|Segmented)\.)|features\/coach\/ReviewButton|features\/dashboard\/(rows\/(chart-)?row-layout|market\/RankingParts))/,
            },
            // The texts of an identity check, for the form and its review.
            { name: 'kyc', test: /\/packages\/domain\/src\/kyc/ },
            // Of invitations and imports, for registration and the pages of staff.
            { name: 'enrolment', test: /\/packages\/domain\/src\/(registration|user-import)/ },
            // What the rules of the coach say, for its dialog and its page.
            { name: 'coach', test: /\/packages\/domain\/src\/coach\/|\/src\/features\/coach\/LessonToggle/ },
            // Of API keys, for Account Settings and the pages of staff.
            { name: 'api-keys', test: /\/packages\/domain\/src\/api-keys|\/icons\/key-round\./ },
            // Public, so without the client and the controls of signed-in pages.
            { name: 'contact', test: /\/src\/features\/contact\/(?!admin)/ },
            // What a page with forms, menus and tables needs, in one request instead of thirty.
            { name: 'controls', test: controls, minShareCount: 2 },
            // Parts that several pages of one area share.
            { name: 'conversation', test: /\/src\/(features\/support\/conversation|shared\/linked-text)\// },
            {
              name: 'charts',
              test: /\/src\/features\/((alerts|market|trading)\/|order-book\/net-terms)/,
              minShareCount: 2,
            },
            { name: 'toasts', test: /node_modules[\\/]sonner/ },
            {
              name: 'profile',
              test: /\/src\/features\/(identity\/profile\/|kyc\/form\/VerificationSkeleton|api-keys\/KeysSkeleton)|\/src\/shared\/owner-section\//,
            },
            {
              name: 'staff',
              test: /\/src\/features\/staff\/(?!user-dialogs\/\w+Dialog\.|money\/)/,
              minShareCount: 2,
            },
            // Loads with the first dialog.
            { name: 'staff-dialogs', test: /\/src\/features\/staff\/(user-dialogs|money)\// },
            // What every trader's page fetches once it is idle.
            { name: 'idle', test: /\/src\/features\/(trading\/store\/|notifications\/NotificationList\.)/ },
          ],
        },
      },
    },
  },
  server: {
    proxy: {
      ...Object.fromEntries(proxied.map((path) => [path, backend])),
      '/realtime/v1': { target: backend, ws: true },
    },
  },
});
