/** This browser's appearance settings: its theme, and the colours of gains and losses. */
import { useState } from 'react';
import { Percent } from '../../../shared/numbers/index.ts';
import {
  choosePalette,
  chooseTheme,
  chosenPalette,
  chosenTheme,
  type Palette,
  type Theme,
} from '../../../shared/theme/appearance.ts';
import { Section, Segmented } from '../../../shared/ui/index.ts';

const themeOptions: readonly { value: Theme; label: string }[] = [
  { value: 'dark', label: 'Dark' },
  { value: 'light', label: 'Light' },
  { value: 'system', label: 'System' },
];
const paletteOptions: readonly { value: Palette; label: string }[] = [
  { value: 'green-up', label: 'Green up' },
  { value: 'red-up', label: 'Red up' },
  { value: 'colour-blind', label: 'Blue up' },
];
const label = 'mb-1.5 text-13 font-medium';
/** Example figures for the colours. */
const [gain, loss] = [1.25, -0.8];

export function AppearanceSection() {
  const [theme, setTheme] = useState(chosenTheme);
  const [palette, setPalette] = useState(chosenPalette);
  const onTheme = (next: Theme) => {
    chooseTheme(next);
    setTheme(next);
  };
  const onPalette = (next: Palette) => {
    choosePalette(next);
    setPalette(next);
  };
  return (
    <Section title="Appearance" lead="Stored in this browser.">
      <div className="grid gap-x-4 gap-y-5 md:grid-cols-2">
        <div>
          <p className={label}>Theme</p>
          <Segmented label="Theme" options={themeOptions} value={theme} onChange={onTheme} />
        </div>
        <div>
          <p className={label}>Gains and losses</p>
          <Segmented label="Gains and losses" options={paletteOptions} value={palette} onChange={onPalette} />
          <p className="mt-2 flex gap-4 text-13 text-text-2">
            <span>
              Gain <Percent value={gain} />
            </span>
            <span>
              Loss <Percent value={loss} />
            </span>
          </p>
        </div>
      </div>
    </Section>
  );
}
