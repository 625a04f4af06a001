/**
 * Builds the browser app. The server's content policy is `script-src 'self'`, so nothing is inlined; `budgets` fails the
 * build when a route outgrows its weight, `preloads` has the first page of a visit fetched early, and `precompress` leaves `.br` and `.gz` beside each text asset.
 */
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { budgets } from './build/budgets.ts';
import { precompress } from './build/precompress.ts';
import { preloads } from './build/preloads.ts';

const backend = process.env.FULCRUM_SERVER ?? 'http://127.0.0.1:3000';
const proxied = ['/auth/v1', '/exports/v1', '/rest/v1', '/config.json', '/health'];
const shell = ['src/app/layouts/TraderLayout.tsx', 'src/shared/supabase/client.ts'];

const dashboard = ['src/features/dashboard/DashboardPage.tsx', ...shell];

/** What every page needs, whoever looks at it. */
const base =
  /node_modules[\\/]((react|react-dom|scheduler|react-router|zustand)[\\/]|lucide-react[\\/]dist[\\/]esm[\\/](?!icons[\\/](?!(check|eye|info|message-square|user|x)\.)))|vite[\\/]preload-helper|\/contract\/src\/public-texts|\/src\/app\/(ErrorBoundary|Page|Unreachable|lazyPage|layouts\/(Main|SkipLink|useLogout))\.|\/src\/features\/market\/prices\/frames\.|\/src\/shared\/(code\/|log\/(log|redact)|session\/|supabase\/(claims|config|connect|request|rows|sessionKey)|ui\/(Badge|Brand|Button|Spinner|states|toasts|useMediaQuery))/;
/** What every page with prices needs, with an account or without. */
const figures =
  /\/packages\/domain\/src\/(margin|money|pairs|rules)\.ts|\/src\/shared\/(numbers\/(figures|format)|prices\/state-words|third-party\/frame|ui\/(instrument|InstrumentMark|useWidth))\./;

/** The first page of whoever comes back; registration and reset share most of it. */
const signIn =
  /\/src\/(app\/layouts\/AuthLayout|features\/accounts\/(AuthForm|LoginPage|authentication|password-updated|useSubmission))\.|\/packages\/domain\/src\/validation\.ts/;

export default defineConfig({
  plugins: [
    react(),
    tailwindcss(),
    budgets([
      {
        route: 'landing',
        limit_kB: 110,
        modules: ['src/features/landing/LandingPage.tsx'],
        withDynamicImportsOf: ['src/features/landing/'],
      },
      { route: 'signed-in shell', limit_kB: 200, modules: shell },
      // The first row of the dashboard costs at most 40 kB beyond the shell; the others come as they are reached.
      {
        route: 'dashboard, first row',
        limit_kB: 207,
        modules: dashboard,
      },
      {
        route: 'trading',
        limit_kB: 400,
        modules: [...shell, 'src/features/trading/index.ts'],
        withDynamicImportsOf: ['src/features/trading/', 'src/features/market/'],
      },
    ]),
    preloads([
      { path: '/', for: 'visitor', modules: ['src/features/landing/LandingPage.tsx'] },
      {
        path: '/login',
        for: 'visitor',
        modules: ['src/app/layouts/AuthLayout.tsx', 'src/features/accounts/LoginPage.tsx'],
      },
      { path: '/dashboard', for: 'returning', modules: dashboard },
      { path: '/trading', for: 'returning', modules: ['src/features/trading/index.ts', ...shell] },
    ]),
    precompress(),
  ],
  build: {
    target: 'es2023',
    assetsInlineLimit: 0,
    // Every browser that runs the target's syntax preloads modules by itself, or does without.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // Importing a barrel of shared/ or of a feature brings what is named, not the dialogs and charts beside it.
      treeshake: {
        moduleSideEffects: [{ test: /\/src\/(shared|features)\/.*\.tsx?$/, sideEffects: false }],
      },
      output: {
        codeSplitting: {
          // Left to itself the bundler makes a chunk of each few modules that two pages share: more requests, and a
          // worse compression of each. A group takes along what its modules import and no earlier one has.
          groups: [
            { name: 'base', test: base },
            { name: 'figures', test: figures },
            { name: 'landing', test: /\/src\/features\/landing\/(?!Showcase)/ },
            { name: 'texts', test: /\/contract\/src\/texts\.ts/ },
            { name: 'sign-in', test: signIn },
            // What a signed-in page stands on, in one request instead of fourteen.
            { name: 'client', test: /\/src\/shared\/supabase\/client\./ },
            { name: 'shell', test: /\/src\/app\/layouts\/TraderLayout\./ },
            {
              name: 'prices',
              test: /\/src\/features\/market\/(prices\/(usePrices|DayFigures)|pairs\/usePairs)\./,
            },
            { name: 'widgets', test: /\/src\/(shared\/widget\/|features\/dashboard\/rows\/places)/ },
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
