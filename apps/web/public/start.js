// Runs before the first paint, outside the bundle: the content policy allows no inline script, and a module would run
// too late. It prevents a flash of the wrong theme (keys and values are those of src/shared/theme/appearance.ts), and
// preloads the code of the first page in parallel with the app (build/preloads.ts).
(() => {
  const root = document.documentElement;
  let audience = 'visitor';
  try {
    const theme = localStorage.getItem('fulcrum-theme');
    const palette = localStorage.getItem('fulcrum-palette');
    const light =
      theme === 'light' || (theme === 'system' && matchMedia('(prefers-color-scheme: light)').matches);
    root.dataset.theme = light ? 'light' : 'dark';
    if (palette === 'red-up' || palette === 'colour-blind') root.dataset.palette = palette;
    if (localStorage.getItem('fulcrum-session') !== null) audience = 'returning';
  } catch {
    // Storage may be blocked; the defaults of index.html apply.
  }
  // The pages of every trading account are the same (src/shared/account-address).
  const path = CSS.escape(location.pathname.replace(/^\/a\/[^/]+(?=\/)/, ''));
  const here = document.querySelector(`meta[name="preload"][data-path="${path}"][data-for="${audience}"]`);
  for (const href of here?.content.split(' ') ?? []) {
    document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href }));
  }
})();
