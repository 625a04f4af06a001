// Runs before the first paint, outside the bundle: the content policy allows no inline script, and a module would run
// too late to keep the wrong theme from flashing. The keys and values are those of src/shared/theme/appearance.ts.
(() => {
  const root = document.documentElement;
  try {
    const theme = localStorage.getItem('fulcrum-theme');
    const palette = localStorage.getItem('fulcrum-palette');
    const light =
      theme === 'light' || (theme === 'system' && matchMedia('(prefers-color-scheme: light)').matches);
    root.dataset.theme = light ? 'light' : 'dark';
    if (palette === 'red-up' || palette === 'colour-blind') root.dataset.palette = palette;
  } catch {
    // Storage may be blocked; the defaults of index.html stand.
  }
})();
