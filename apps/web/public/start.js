// Runs before the first paint, outside the bundle: the content policy allows no inline script, and a module would run
// too late. It keeps the wrong theme from flashing (keys and values are those of src/shared/theme/appearance.ts), and
// has the code of the first page fetched beside the app's own instead of after it (build/preloads.ts).
(() => {
  const root = document.documentElement;
  let whom = 'visitor';
  try {
    const theme = localStorage.getItem('fulcrum-theme');
    const palette = localStorage.getItem('fulcrum-palette');
    const light =
      theme === 'light' || (theme === 'system' && matchMedia('(prefers-color-scheme: light)').matches);
    root.dataset.theme = light ? 'light' : 'dark';
    if (palette === 'red-up' || palette === 'colour-blind') root.dataset.palette = palette;
    if (localStorage.getItem('fulcrum-session') !== null) whom = 'returning';
  } catch {
    // Storage may be blocked; the defaults of index.html stand.
  }
  const path = CSS.escape(location.pathname);
  const here = document.querySelector(`meta[name="preload"][data-path="${path}"][data-for="${whom}"]`);
  for (const href of here?.content.split(' ') ?? []) {
    document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href }));
  }
})();
