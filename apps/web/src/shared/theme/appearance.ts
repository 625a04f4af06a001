/**
 * The user's choice of theme and of up/down colours: attributes of <html> that tokens.css reads, stored in this browser.
 * `public/start.js` applies the same keys before the first paint.
 */
import { getStored, setStored } from '../storage/index.ts';

export const themes = ['dark', 'light', 'system'] as const;
export type Theme = (typeof themes)[number];
export const palettes = ['green-up', 'red-up', 'colour-blind'] as const;
export type Palette = (typeof palettes)[number];

const themeKey = 'fulcrum-theme';
const paletteKey = 'fulcrum-palette';

function stored<Value extends string>(key: string, allowed: readonly Value[], fallback: Value): Value {
  const value = getStored(key);
  return allowed.find((one) => one === value) ?? fallback;
}

export const chosenTheme = (): Theme => stored(themeKey, themes, 'dark');
export const chosenPalette = (): Palette => stored(paletteKey, palettes, 'green-up');

export function chooseTheme(theme: Theme): void {
  setStored(themeKey, theme);
  const light =
    theme === 'light' || (theme === 'system' && matchMedia('(prefers-color-scheme: light)').matches);
  document.documentElement.dataset.theme = light ? 'light' : 'dark';
}

export function choosePalette(palette: Palette): void {
  setStored(paletteKey, palette);
  document.documentElement.dataset.palette = palette;
}
